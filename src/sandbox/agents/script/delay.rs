//! Response delays of clusters.

use std::f64::consts::TAU;
use std::time::Duration;

use super::rng::Rng;

/// How long clusters take to report. Each cluster has its own delay, which never changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Delay {
    /// Uniformly distributed between a minimum and a maximum.
    Uniform(Duration, Duration),
    /// Exponentially distributed: most report soon, a few take long.
    Exponential {
        /// The mean, before the maximum is applied.
        mean: Duration,
        /// The maximum.
        most: Duration,
    },
    /// Normally distributed, but never negative.
    Normal {
        /// The mean.
        mean: Duration,
        /// The standard deviation.
        deviation: Duration,
    },
}

impl Delay {
    /// Returns the delay of a cluster.
    pub(crate) fn of(self, rng: &Rng, cluster: &str) -> Duration {
        match self {
            Self::Uniform(least, most) => {
                // In steps of a millisecond, so that the arithmetic cannot overflow; finer steps would not be noticeable.
                let span = u64::try_from(most.saturating_sub(least).as_millis()).unwrap_or(u64::MAX - 1);
                let steps = rng.number("delay", cluster) % span.min(u64::MAX - 1).saturating_add(1);
                least.saturating_add(Duration::from_millis(steps))
            }
            Self::Exponential { mean, most } => {
                let factor = -(1.0 - rng.share("delay", cluster)).ln();
                times(mean, factor).min(most)
            }
            Self::Normal { mean, deviation } => {
                // The Box-Muller transform turns two uniform draws into a normal one.
                let radius = (-2.0 * (1.0 - rng.share("delay", cluster)).ln()).sqrt();
                let away = radius * (TAU * rng.share("angle", cluster)).cos();
                match times(deviation, away.abs()) {
                    far if away < 0.0 => mean.saturating_sub(far),
                    far => mean.saturating_add(far),
                }
            }
        }
    }
}

fn times(span: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(span.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}
