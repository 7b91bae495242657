//! Clusters that cannot be reached: which of them take no part, and when they are back.

use super::policies::Policy;
use crate::Barrier;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::UnreachableAction;
use tidegate_model::time::{Timestamp, parse_go_duration};

/// Returns `true` if the hub reports that a cluster is not available. A cluster that has not reported anything yet is not unreachable: it
/// is new.
pub(super) fn is_unreachable(cluster: &ManagedCluster) -> bool {
    available(cluster).is_some_and(|(is_available, _)| !is_available)
}

/// Returns since when a cluster has been reachable, if it is.
pub(super) fn reachable_since(cluster: &ManagedCluster) -> Option<Timestamp> {
    available(cluster).filter(|(is_available, _)| *is_available).map(|(_, since)| since)
}

/// Returns why a cluster has to wait if it was reachable for too short a time.
pub(super) fn returned(policy: &Policy<'_>, cluster: &ManagedCluster, now: Timestamp) -> Option<Barrier> {
    let unreachable = policy.spec.unreachable.as_ref().filter(|it| it.action == UnreachableAction::Park)?;
    let soak = parse_go_duration(unreachable.soak.as_deref()?).ok()?;
    let until = reachable_since(cluster)?.checked_add(soak).unwrap_or(Timestamp::MAX);
    (now < until).then_some(Barrier::Returned { until })
}

fn available(cluster: &ManagedCluster) -> Option<(bool, Timestamp)> {
    let conditions = cluster.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    condition::find(conditions, key::CLUSTER_AVAILABLE)
        .map(|found| (found.status == "True", found.last_transition_time.0))
}
