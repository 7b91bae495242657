//! A start of an add-on on a cluster.

use super::configs::Configs;
use super::progress::conditions;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// A cluster that was assigned different configurations, or the same ones again.
pub(super) struct Start<'a> {
    pub(super) cluster: &'a ClusterName,
    pub(super) assigned: Configs,
    /// The second of the assignment, if its status shows it.
    pub(super) at: Option<Timestamp>,
}

/// Returns when a cluster last started, as its status shows.
pub(super) fn configured(addon: &ManagedClusterAddOn) -> Option<Timestamp> {
    let found = condition::find(conditions(addon), key::CONFIGURED).filter(|found| found.status == "True");
    found.map(|found| found.last_transition_time.0)
}
