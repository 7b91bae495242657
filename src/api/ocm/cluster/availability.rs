//! Whether the hub hears from a cluster.

use crate::condition;
use crate::key;
use crate::ocm::managed_cluster::ManagedCluster;
use tidegate_model::time::Timestamp;

impl ManagedCluster {
    /// Returns whether the hub hears from the cluster, and when that last changed; `None` if it has not reported anything yet.
    pub fn availability(&self) -> Option<(bool, Timestamp)> {
        let conditions = self.status.as_ref().map(|status| status.conditions.as_slice())?;
        let found = condition::find(conditions, key::CLUSTER_AVAILABLE)?;
        Some((found.status == "True", found.last_transition_time.0))
    }

    /// Returns `true` if the hub does not hear from the cluster. A cluster that has not reported anything yet is new, and not unreachable.
    pub fn is_unreachable(&self) -> bool {
        self.availability().is_some_and(|(is_available, _)| !is_available)
    }
}
