//! Whether a cluster answers.

use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_model::time::Timestamp;

/// Returns `true` if the hub does not hear from a cluster.
pub(super) fn is_unreachable(cluster: &ManagedCluster) -> bool {
    available(cluster).is_some_and(|(is_available, _)| !is_available)
}

/// Returns whether the hub hears from a cluster, and since when that is so.
pub(super) fn available(cluster: &ManagedCluster) -> Option<(bool, Timestamp)> {
    let conditions = cluster.status.as_ref().map(|status| status.conditions.as_slice())?;
    let found = condition::find(conditions, key::CLUSTER_AVAILABLE)?;
    Some((found.status == "True", found.last_transition_time.0))
}
