//! Formats statuses of add-on objects: always with the same fields, and of times only whether they changed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use tidegate_api::condition::{self, Condition};
use tidegate_api::ocm::cluster_management_addon::{
    ClusterManagementAddOn, ClusterManagementAddOnStatus, InstallProgression,
};
use tidegate_api::ocm::config_reference::ConfigSpecHash;
use tidegate_api::ocm::managed_cluster_addon::{ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_delivery::status::Entry;

/// Formats the add-on of one cluster.
pub(crate) fn cluster_addon(before: &ManagedClusterAddOn, after: &ManagedClusterAddOnStatus) -> Value {
    let references = after.config_references.iter().map(|reference| {
        json!({
            "group": reference.group,
            "resource": reference.resource,
            "lastObservedGeneration": reference.last_observed_generation.unwrap_or_default(),
            "desiredConfig": config(&reference.desired_config),
            "lastAppliedConfig": config(&reference.last_applied_config),
        })
    });
    let old = before.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    json!({
        "clusterName": before.metadata.namespace,
        "addOnName": before.metadata.name,
        "configReferences": references.collect::<Value>(),
        "conditions": conditions(old, &after.conditions),
    })
}

/// Formats an add-on.
pub(crate) fn addon(before: &ClusterManagementAddOn, after: &ClusterManagementAddOnStatus) -> Value {
    let defaults = after.default_config_references.iter().map(|reference| {
        json!({
            "group": reference.group,
            "resource": reference.resource,
            "desiredConfig": config(&reference.desired_config),
        })
    });
    let old = before.status.as_ref().map(|status| status.install_progressions.as_slice()).unwrap_or_default();
    let progressions = after.install_progressions.iter().enumerate().map(|(index, after)| {
        // An entry at another index counts as a different one.
        let before = old.get(index).filter(|old| old.namespace == after.namespace && old.name == after.name);
        progression(before, after)
    });
    json!({
        "defaultConfigReferences": defaults.collect::<Value>(),
        "installProgressions": progressions.collect::<Value>(),
    })
}

fn progression(before: Option<&InstallProgression>, after: &InstallProgression) -> Value {
    let references = after.config_references.iter().map(|reference| {
        json!({
            "group": reference.group,
            "resource": reference.resource,
            "desiredConfig": config(&reference.desired_config),
            "lastKnownGoodConfig": config(&reference.last_known_good_config),
            "lastAppliedConfig": config(&reference.last_applied_config),
        })
    });
    let old = before.map(|before| before.conditions.as_slice()).unwrap_or_default();
    json!({
        "namespace": after.namespace,
        "name": after.name,
        "configReferences": references.collect::<Value>(),
        "conditions": conditions(old, &after.conditions),
    })
}

fn config(config: &Option<ConfigSpecHash>) -> Value {
    let Some(config) = config else { return Value::Null };
    let mut told = json!({ "name": config.name, "specHash": config.spec_hash });
    if !config.namespace.is_empty() {
        told["namespace"] = json!(config.namespace);
    }
    told
}

fn conditions(before: &[Condition], after: &[Condition]) -> Value {
    let mut sorted: Vec<&Condition> = after.iter().collect();
    sorted.sort_by(|a, b| a.type_.cmp(&b.type_));
    let told = |condition: &Condition| {
        // The clock of a case may show the same time as a condition, so the status is compared as well.
        let is_same = |old: &Condition| {
            old.status == condition.status && old.last_transition_time == condition.last_transition_time
        };
        json!({
            "type": condition.type_,
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
            "transitioned": !condition::find(before, &condition.type_).is_some_and(is_same),
        })
    };
    sorted.into_iter().map(told).collect()
}

/// Returns the hashes of configurations, each under `<resource>.<group>/<namespace>/<name>`.
pub(super) fn hashes<E: Entry>(
    entries: &[E],
    config: impl Fn(&E) -> &Option<ConfigSpecHash>,
) -> BTreeMap<String, String> {
    let told = |entry: &E| {
        let ((group, resource), config) = (entry.kind(), config(entry).as_ref()?);
        let name = format!("{resource}.{group}/{}/{}", config.namespace, config.name);
        Some((name, config.spec_hash.clone()))
    };
    entries.iter().filter_map(told).collect()
}
