//! How far a broken version has come.

use crate::cli::commands::demo::{BROKEN, FROM};
use tidegate_core::plan::report::{AddonReport, ClusterReport};
use tidegate_model::progress::ClusterState;

/// The clusters that have failed, and those after the canaries that have not started.
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

fn is_failed(cluster: &ClusterReport) -> bool {
    matches!(cluster.state, ClusterState::Failed | ClusterState::TimedOut)
}
