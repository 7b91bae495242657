//! Detects completed rollouts whose result is no longer on the clusters because the hub went back in time.

use std::collections::BTreeSet;

use super::record::{ClusterReport, Clusters, Outcome, Rollout};
use tidegate_model::progress::ClusterState;

/// Returns `true` if the result of a completed rollout is lost: a cluster on which it was done has an older configuration, or the
/// hub went back in time after the rollout ended (`went_back`) and the cluster had to get the configuration again.
///
/// A cluster that is new, that left, or that moved to another placement of the same rollout is not evidence of a loss.
pub(super) fn is_lost(rollout: &Rollout, had: &Clusters, now: &Clusters, went_back: bool) -> bool {
    if rollout.outcome != Outcome::Completed {
        return false;
    }
    let is_done = |report: &&ClusterReport| report.state == ClusterState::Succeeded && !report.hash.is_empty();
    let targets: BTreeSet<&str> = had.values().filter(is_done).map(|report| report.hash.as_str()).collect();
    now.iter().any(|(name, now)| {
        let Some(had) = had.get(name).filter(is_done) else { return false };
        if now.state.is_unselected() {
            return false;
        }
        let is_other = !now.hash.is_empty() && !targets.contains(now.hash.as_str());
        let is_older = is_other && (now.state == ClusterState::Waiting || now.started < had.started);
        let is_again = now.hash.is_empty() || is_other || now.started > had.started;
        is_older || (went_back && is_again)
    })
}
