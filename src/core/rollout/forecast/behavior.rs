//! How clusters answer.

use crate::Status;
use tidegate_model::time::SignedDuration;

/// What a cluster reports, and how long after its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// The time since its start, or since the begin of the forecast if it had started before.
    pub after: SignedDuration,
    /// What it reports.
    pub status: Status,
}

/// How the clusters of a rollout answer.
///
/// The argument is the name of the cluster. A cluster that reports nothing is silent, and times out if it has a deadline.
pub trait Behavior {
    /// Returns what a cluster reports after its start, in order of time.
    fn reports(&mut self, cluster: &str) -> Vec<Report>;
}

impl<F: FnMut(&str) -> Vec<Report>> Behavior for F {
    fn reports(&mut self, cluster: &str) -> Vec<Report> {
        self(cluster)
    }
}

/// Returns a behavior in which every cluster succeeds after the same time.
pub fn after(latency: SignedDuration) -> impl Behavior {
    move |_: &str| vec![Report { after: latency, status: Status::Succeeded }]
}
