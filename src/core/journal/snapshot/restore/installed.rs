//! ManagedClusterAddOns, with a status as native delivery writes it.

use super::marks::{mark, metadata, set};
use crate::snapshot::record::{Configuration, Installed, InstalledState, NEVER_APPLIED, Snapshot};
use tidegate_api::condition::{Condition, Time};
use tidegate_api::key;
use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use tidegate_api::ocm::managed_cluster_addon::{
    AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnSpec, ManagedClusterAddOnStatus,
};
use tidegate_delivery::status::progress::reason;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;

/// Returns the ManagedClusterAddOn of a recorded add-on.
pub(super) fn installed(
    snapshot: &Snapshot,
    (addon, cluster): (&UnitName, &ClusterName),
    installed: &Installed,
) -> ManagedClusterAddOn {
    let mut metadata = metadata(cluster.as_str(), addon.as_str(), installed.deleting);
    mark(snapshot, &mut metadata, &installed.owner);
    if installed.declared {
        set(&mut metadata.labels, key::OWNED_LABEL, "true");
    }
    if installed.skips_hooks {
        set(&mut metadata.annotations, key::SKIP_PRE_DELETE, "true");
    }
    metadata.finalizers = installed.has_hooks.then(|| vec![key::PRE_DELETE.to_owned()]);
    let status = ManagedClusterAddOnStatus {
        conditions: conditions(installed),
        config_references: references(snapshot, installed),
        ..ManagedClusterAddOnStatus::default()
    };
    let own = snapshot.configurations_of(&installed.own).iter().map(reference);
    ManagedClusterAddOn { metadata, spec: ManagedClusterAddOnSpec { configs: own.collect() }, status: Some(status) }
}

fn conditions(installed: &Installed) -> Vec<Condition> {
    let at = |type_: &str, status: &str, reason: &str, at: Option<Timestamp>| {
        at.map(|at| condition(type_, status, reason, at))
    };
    let (status, reason) = match installed.state {
        InstalledState::Applied => ("False", reason::COMPLETED),
        InstalledState::UnderWay => ("True", reason::PROGRESSING),
        InstalledState::Failed => ("False", reason::FAILED),
        InstalledState::Unreported => ("", ""),
    };
    let since = installed.since.or(installed.started).unwrap_or(Timestamp::UNIX_EPOCH);
    let progressing = (!reason.is_empty()).then(|| Condition {
        message: installed.failure.clone(),
        ..condition(key::PROGRESSING, status, reason, since)
    });
    let available = installed.availability.status().map(|status| Condition {
        message: installed.degraded.clone(),
        ..condition(key::AVAILABLE, status, "Recorded", since)
    });
    let is_settled = installed.state.is_applied() && installed.waiting.is_none();
    let started = installed.started.or(installed.since.filter(|_| is_settled));
    [
        at(key::CONFIGURED, "True", "ConfigurationsConfigured", started),
        at(key::CONFIGURED, "False", "ConfigurationsNotConfigured", installed.waiting),
        progressing,
        at(key::OVERDUE, "True", "ProgressDeadlineExceeded", installed.overdue),
        at(key::OVERDUE, "False", "DoneLate", installed.late),
        available,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns a condition without a message.
pub(super) fn condition(type_: &str, status: &str, reason: &str, at: Timestamp) -> Condition {
    Condition {
        type_: type_.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message: String::new(),
        last_transition_time: Time(at),
        observed_generation: None,
    }
}

fn references(snapshot: &Snapshot, installed: &Installed) -> Vec<AddOnConfigReference> {
    let assigned = snapshot.configurations_of(&installed.assigned);
    let applied = match installed.applied.as_str() {
        "" => assigned,
        NEVER_APPLIED => &[],
        key => snapshot.configurations_of(key),
    };
    let reference = |(at, assigned): (usize, &Configuration)| {
        let (resource, group) = assigned.resource_and_group();
        AddOnConfigReference {
            group: group.to_owned(),
            resource: resource.to_owned(),
            last_observed_generation: None,
            desired_config: hashed(assigned),
            last_applied_config: applied.get(at).and_then(hashed),
        }
    };
    assigned.iter().enumerate().map(reference).collect()
}

fn hashed(configuration: &Configuration) -> Option<ConfigSpecHash> {
    let Configuration { resource: _, namespace, name, hash } = configuration.clone();
    (!name.is_empty()).then_some(ConfigSpecHash { namespace, name, spec_hash: hash })
}

fn reference(configuration: &Configuration) -> ConfigReference {
    let (resource, group) = configuration.resource_and_group();
    ConfigReference {
        group: group.to_owned(),
        resource: resource.to_owned(),
        namespace: configuration.namespace.clone(),
        name: configuration.name.clone(),
    }
}
