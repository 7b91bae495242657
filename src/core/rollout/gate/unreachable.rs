//! Clusters that cannot be reached: which of them take no part, and when they are back.

use super::policies::Policy;
use crate::Barrier;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::UnreachableAction;
use tidegate_model::time::{Timestamp, parse_go_duration};

/// Returns since when a cluster has been reachable, if it is.
pub(super) fn reachable_since(cluster: &ManagedCluster) -> Option<Timestamp> {
    cluster.availability().filter(|(is_available, _)| *is_available).map(|(_, since)| since)
}

/// Returns why a cluster has to wait if it was reachable for too short a time.
pub(super) fn returned(policy: &Policy<'_>, cluster: &ManagedCluster, now: Timestamp) -> Option<Barrier> {
    let unreachable = policy.spec.unreachable.as_ref().filter(|it| it.action == UnreachableAction::Park)?;
    let soak = parse_go_duration(unreachable.soak.as_deref()?).ok()?;
    let until = reachable_since(cluster)?.checked_add(soak).unwrap_or(Timestamp::MAX);
    (now < until).then_some(Barrier::Returned { until })
}
