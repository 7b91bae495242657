//! How long clusters take to answer.

use std::f64::consts::TAU;
use std::time::Duration;

use super::draw::Draw;

/// How long clusters take to answer. Each has a time of its own, always the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Delay {
    /// Any time from the first to the second, all alike.
    Uniform(Duration, Duration),
    /// Most answer soon, a few take long.
    Exponential {
        /// What they take on average.
        mean: Duration,
        /// What they take at most.
        most: Duration,
    },
    /// Most are near the middle.
    Normal {
        /// What they take on average.
        mean: Duration,
        /// How far two thirds of them are from it at most.
        deviation: Duration,
    },
}

impl Delay {
    /// Returns the delay of a cluster.
    pub(crate) fn of(self, draw: &Draw, cluster: &str) -> Duration {
        match self {
            Self::Uniform(least, most) => {
                // In steps of a millisecond: nobody sees finer ones, and the arithmetic cannot overflow.
                let span = u64::try_from(most.saturating_sub(least).as_millis()).unwrap_or(u64::MAX - 1);
                let steps = draw.number("delay", cluster) % span.min(u64::MAX - 1).saturating_add(1);
                least.saturating_add(Duration::from_millis(steps))
            }
            Self::Exponential { mean, most } => {
                let factor = -(1.0 - draw.share("delay", cluster)).ln();
                times(mean, factor).min(most)
            }
            Self::Normal { mean, deviation } => {
                // Box and Muller's way from two even draws to a normal one.
                let radius = (-2.0 * (1.0 - draw.share("delay", cluster)).ln()).sqrt();
                let away = radius * (TAU * draw.share("angle", cluster)).cos();
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
