//! How far a version has come.

use crate::cli::commands::demo::{BROKEN, FROM, TO};
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::{AddonReport, ClusterReport};

/// The clusters on which a broken version has failed, and those after the canaries that have not started.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) failed: usize,
    pub(super) others: usize,
}

impl Tally {
    /// Counts the clusters of an add-on.
    pub(super) fn of(addon: &AddonReport) -> Self {
        let count =
            |is_it: fn(&ClusterReport) -> bool| addon.clusters.values().filter(|cluster| is_it(cluster)).count();
        let is_other = |cluster: &ClusterReport| cluster.group != Some(0) && cluster.version == FROM;
        Self { failed: count(is_failed), others: count(is_other) }
    }
}

/// Returns `true` if every cluster that started on the broken version has failed.
pub(super) fn has_failed(addon: &AddonReport) -> bool {
    let mut started = addon.clusters.values().filter(|cluster| cluster.version == BROKEN).peekable();
    started.peek().is_some() && started.all(is_failed)
}

/// Returns `true` if all canaries have the new version.
pub(super) fn are_canaries_done(addon: &AddonReport) -> bool {
    let canaries = addon.placements.first().and_then(|placement| placement.groups.first());
    addon.version == TO && canaries.is_some_and(|group| group.counts.succeeded == group.counts.total)
}

fn is_failed(cluster: &ClusterReport) -> bool {
    matches!(cluster.state, ClusterState::Failed | ClusterState::TimedOut)
}
