//! The add-on of a cluster as this instance writes it, for plans that look ahead.

use std::collections::BTreeMap;

use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_delivery::status::Desired;
use tidegate_delivery::status::progress::reason;
use tidegate_model::instance::Instance;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;

/// Returns an add-on of a cluster that has completed its configurations.
pub fn completed(
    instance: &Instance,
    (name, cluster): (&UnitName, &ClusterName),
    desired: &[Desired],
    now: Timestamp,
) -> ManagedClusterAddOn {
    let mut addon = fresh(instance, name, cluster);
    let reference = |desired: &Desired| AddOnConfigReference {
        group: desired.reference.group.clone(),
        resource: desired.reference.resource.clone(),
        desired_config: Some(desired.config()),
        last_applied_config: Some(desired.config()),
        ..AddOnConfigReference::default()
    };
    let mut status = ManagedClusterAddOnStatus {
        config_references: desired.iter().map(reference).collect(),
        ..ManagedClusterAddOnStatus::default()
    };
    condition::set(&mut status.conditions, tidegate_delivery::status::configured::assigned(), now);
    let message = "completed with no errors.";
    condition::set(&mut status.conditions, Claim::new(key::PROGRESSING, "False", reason::COMPLETED, message), now);
    addon.status = Some(status);
    addon
}

/// Returns an add-on of a cluster as this instance creates it.
pub(crate) fn fresh(instance: &Instance, name: &UnitName, cluster: &ClusterName) -> ManagedClusterAddOn {
    let mut addon = ManagedClusterAddOn::default();
    addon.metadata.name = Some(name.to_string());
    addon.metadata.namespace = Some(cluster.to_string());
    addon.metadata.labels = Some(BTreeMap::from([(key::INSTANCE_LABEL.to_owned(), instance.id.to_string())]));
    addon
}
