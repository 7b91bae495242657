//! Partitions: periods in which some clusters cannot reach the hub.

use std::time::Duration;

use super::Clusters;
use super::outcome::remainder;

/// A period in which some clusters cannot reach the hub. All times are relative to the start of the agents.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// The affected clusters.
    pub clusters: Clusters,
    /// When it starts.
    pub after: Duration,
    /// How long it lasts.
    pub lasting: Duration,
    /// The interval from one start to the next; without it, the partition happens once.
    pub every: Option<Duration>,
}

impl Partition {
    /// Returns when the current partition ends; `None` outside of partitions.
    pub(crate) fn partitioned_until(&self, elapsed: Duration) -> Option<Duration> {
        let since = self.since(elapsed)?;
        (since < self.lasting).then(|| elapsed.saturating_sub(since).saturating_add(self.lasting))
    }

    /// Returns when the partition next starts or ends.
    pub(crate) fn next_edge(&self, elapsed: Duration) -> Option<Duration> {
        let Some(since) = self.since(elapsed) else { return Some(self.after) };
        let next = || elapsed.saturating_sub(since).checked_add(self.every.filter(|every| !every.is_zero())?);
        self.partitioned_until(elapsed).or_else(next)
    }

    /// Returns the time since it last started.
    fn since(&self, elapsed: Duration) -> Option<Duration> {
        let since = elapsed.checked_sub(self.after)?;
        Some(self.every.map_or(since, |every| remainder(since, every)))
    }
}
