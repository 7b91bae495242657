//! Outcomes of works on clusters.

use std::time::Duration;

/// The outcome of a work on a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The manifests are applied and become ready.
    Healthy,
    /// The manifests are applied but never become ready.
    Unhealthy,
    /// The cluster rejects the manifests.
    NotApplied,
    /// The agent never reports.
    Silent,
    /// The manifests are applied and become ready later.
    SlowStart {
        /// Time from the first report until they are ready.
        warm_up: Duration,
    },
    /// The manifests are applied and alternate between ready and not ready, starting as ready with the first report.
    Flapping {
        /// How long they are ready.
        well: Duration,
        /// How long they are not ready.
        unwell: Duration,
    },
}

/// The health that an agent observes on its cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// Everything is ready.
    Ready,
    /// Nothing is ready.
    NotReady,
    /// The cluster has rejected the manifests.
    Refused,
}

/// What an agent observes, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) health: Health,
    /// Time from the first report until the next change; `None` if the health never changes.
    pub(crate) until: Option<Duration>,
}

impl Outcome {
    /// Returns what an agent observes at this time after its first report; `None` if it never reports.
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
                let reported_since = elapsed.saturating_sub(remainder(elapsed, turn));
                let (health, ends) = match reported_since.saturating_add(well) {
                    ends if elapsed < ends => (Health::Ready, ends),
                    _ => (Health::NotReady, reported_since.saturating_add(turn)),
                };
                Some(Finding { health, until: Some(ends) })
            }
        }
    }
}

/// Returns `span` modulo `turn`; the whole span if `turn` is zero.
pub(crate) fn remainder(span: Duration, turn: Duration) -> Duration {
    // The remainder is less than `turn`, so it fits into a `Duration`.
    let left = span.as_nanos().checked_rem(turn.as_nanos());
    left.map_or(span, |nanos| Duration::new((nanos / 1_000_000_000) as u64, (nanos % 1_000_000_000) as u32))
}
