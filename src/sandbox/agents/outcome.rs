//! What becomes of a work on a cluster, and what its agent finds at a moment.

use std::time::Duration;

/// What becomes of a work on a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Applied, and everything is ready.
    Healthy,
    /// Applied, but nothing becomes ready.
    Unhealthy,
    /// The cluster refuses the manifests.
    NotApplied,
    /// The cluster never answers.
    Silent,
    /// Applied, and everything is ready after a while.
    SlowStart {
        /// How long it takes from the first answer.
        warm_up: Duration,
    },
    /// Applied, and ready by turns, beginning with the first answer.
    Flapping {
        /// How long it is ready.
        well: Duration,
        /// How long it is not.
        unwell: Duration,
    },
}

/// What an agent finds on its cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// Everything is ready.
    Ready,
    /// Nothing is ready.
    NotReady,
    /// The cluster has refused the manifests.
    Refused,
}

/// What an agent finds, and until when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) health: Health,
    /// How long after the first answer there is something else to be found; `None` if that never happens.
    pub(crate) until: Option<Duration>,
}

impl Outcome {
    /// Returns what an agent finds so long after its first answer; `None` if it does not answer.
    pub(crate) fn at(self, elapsed: Duration) -> Option<Finding> {
        let always = |health| Some(Finding { health, until: None });
        match self {
            Self::Healthy => always(Health::Ready),
            Self::Unhealthy => always(Health::NotReady),
            Self::NotApplied => always(Health::Refused),
            Self::Silent => None,
            Self::SlowStart { warm_up } if elapsed < warm_up => {
                Some(Finding { health: Health::NotReady, until: Some(warm_up) })
            }
            Self::SlowStart { .. } => always(Health::Ready),
            Self::Flapping { well, unwell } => {
                let Some(turn) = well.checked_add(unwell).filter(|turn| !turn.is_zero()) else {
                    return always(Health::Ready);
                };
                let begun = elapsed.saturating_sub(remainder(elapsed, turn));
                let (health, ends) = match begun.saturating_add(well) {
                    ends if elapsed < ends => (Health::Ready, ends),
                    _ => (Health::NotReady, begun.saturating_add(turn)),
                };
                Some(Finding { health, until: Some(ends) })
            }
        }
    }
}

/// Returns what is left of a span after as many whole turns as it holds; the whole span if a turn has no length.
pub(crate) fn remainder(span: Duration, turn: Duration) -> Duration {
    // Less than a turn, which is a duration.
    let left = span.as_nanos().checked_rem(turn.as_nanos());
    left.map_or(span, |nanos| Duration::new((nanos / 1_000_000_000) as u64, (nanos % 1_000_000_000) as u32))
}
