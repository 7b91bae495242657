//! Partitions: times at which the hub hears nothing of some clusters.

use std::time::Duration;

use super::Clusters;
use super::outcome::remainder;

/// A time at which the hub hears nothing of some clusters. All times count from when the agents began.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// Which clusters.
    pub clusters: Clusters,
    /// When it begins.
    pub after: Duration,
    /// How long it lasts.
    pub lasting: Duration,
    /// After how long it begins again, from beginning to beginning; once if absent.
    pub every: Option<Duration>,
}

impl Partition {
    /// Returns when the present silence ends; `None` if there is none.
    pub(crate) fn silence(&self, elapsed: Duration) -> Option<Duration> {
        let since = self.since(elapsed)?;
        (since < self.lasting).then(|| elapsed.saturating_sub(since).saturating_add(self.lasting))
    }

    /// Returns when the next silence begins or ends.
    pub(crate) fn next_edge(&self, elapsed: Duration) -> Option<Duration> {
        let Some(since) = self.since(elapsed) else { return Some(self.after) };
        let next = || elapsed.saturating_sub(since).checked_add(self.every.filter(|every| !every.is_zero())?);
        self.silence(elapsed).or_else(next)
    }

    /// Returns how long ago it began last.
    fn since(&self, elapsed: Duration) -> Option<Duration> {
        let since = elapsed.checked_sub(self.after)?;
        Some(self.every.map_or(since, |every| remainder(since, every)))
    }
}
