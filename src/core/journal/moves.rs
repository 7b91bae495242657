//! Clusters that get or lose an add-on between two reports.

use super::record::{ClusterReport, Clusters, Outcome, Rollout};
use tidegate_model::name::ClusterName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_plan::report::DETACHED;

/// The reason of a cluster that lost the add-on because it left the hub.
pub const DELETED: &str = "its ManagedCluster was deleted";

/// Returns the clusters to journal. A cluster that is no longer reported has lost the add-on, and stays in the list until the next
/// rollout starts.
pub(super) fn listed(had: &Clusters, mut reported: Clusters, now: Timestamp) -> Clusters {
    let gone = had.iter().filter(|(name, _)| !reported.contains_key(*name));
    let removed = |(name, was): (&ClusterName, &ClusterReport)| {
        let report = match was.state {
            ClusterState::Removed => was.clone(),
            state => {
                let reason = if was.reason.starts_with(DETACHED) {
                    DELETED
                } else if state.is_unselected() {
                    "no placement selected it any longer, and the add-on was removed from it"
                } else {
                    "the hub no longer has the cluster or its add-on, or this instance did not install the add-on there, and it stays"
                };
                let is_started = state == ClusterState::Removing;
                let at = to_seconds(now);
                ClusterReport {
                    state: ClusterState::Removed,
                    started: was.started.filter(|_| is_started).or(Some(at)),
                    since: Some(was.started.filter(|_| is_started).map_or(at, |started| at.max(started))),
                    reason: reason.to_owned(),
                    reported: None,
                    joined: None,
                    opens: String::new(),
                    look_at: None,
                    ..was.clone()
                }
            }
        };
        (name.clone(), report)
    };
    let removed: Vec<_> = gone.map(removed).collect();
    reported.extend(removed);
    reported
}

/// Returns `true` if clusters get or lose the add-on after a rollout has ended.
pub(super) fn has_moved(rollout: &Rollout, had: &Clusters, reported: &Clusters) -> bool {
    let Some(ended) = rollout.ended.filter(|_| rollout.outcome != Outcome::InProgress) else { return false };
    let joins = |(name, report): (&ClusterName, &ClusterReport)| {
        let was = had.get(name);
        let is_new = was.is_none_or(|was| was.state.is_unselected());
        // The rollout ended without it, possibly in the same second.
        let returns = was.is_some_and(|was| was.left_out.is_some() && was.hash != report.hash);
        let starts_again = report.started.is_some_and(|started| started > ended);
        report.state.is_unselected() || is_new || returns || starts_again
    };
    let leaves = |(name, was): (&ClusterName, &ClusterReport)| {
        was.state != ClusterState::Removed && !reported.contains_key(name)
    };
    reported.iter().any(joins) || had.iter().any(leaves)
}
