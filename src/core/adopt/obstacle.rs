//! Why an object must not be declared: it belongs to another client, or people do not declare such objects.

use std::collections::BTreeSet;

use serde_json::Value;

use super::left_out::Reason;
use crate::repository::{Target, references};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_model::name::AddonName;

/// The cluster sets that OCM creates on every hub.
const BUILT_IN: [&str; 2] = ["default", "global"];

/// Returns why an object must not be declared by this repository, if there is a reason.
pub(super) fn obstacle(object: &Value) -> Option<Reason> {
    if object.pointer("/metadata/deletionTimestamp").is_some() {
        return Some(Reason::Deleted);
    }
    match Mark::of_object(object) {
        mark @ Mark::Instance { .. } => Some(Reason::Other(mark)),
        Mark::None | Mark::Unidentified => None,
    }
}

/// Returns why an add-on must not be declared by this repository, if there is a reason.
pub(super) fn addon_obstacle(
    fleet: &Fleet,
    name: &AddonName,
    object: &Value,
    lifecycle: Option<&str>,
    only: &BTreeSet<AddonName>,
) -> Option<Reason> {
    if !only.is_empty() && !only.contains(name) {
        return Some(Reason::NotNamed);
    }
    let is_template =
        |config: &ConfigReference| config.group == key::ADDON_GROUP && config.resource == key::ADDON_TEMPLATES;
    let on_clusters = || fleet.cluster_addons.get(name).into_iter().flat_map(|clusters| clusters.values());
    let has_template = || {
        let declared = references(object).into_iter();
        declared.into_iter().any(|found| matches!(&found.target, Target::Configuration(config) if is_template(config)))
            || on_clusters().any(|addon| addon.spec.configs.iter().any(is_template))
    };
    obstacle(object).or_else(|| match lifecycle {
        Some(other) if ![key::LIFECYCLE_SELF, key::LIFECYCLE_ADDON_MANAGER].contains(&other) => {
            Some(Reason::Controller(other.to_owned()))
        }
        _ => (!has_template()).then_some(Reason::NoTemplate),
    })
}

/// Returns `true` for a cluster set that the hub creates itself.
pub(super) fn is_built_in(set: &str) -> bool {
    BUILT_IN.contains(&set)
}

/// Returns the roles on the hub that a template gives to its agents.
pub(super) fn roles(object: &Value) -> Vec<String> {
    let registrations = object.pointer("/spec/registration").and_then(Value::as_array).into_iter().flatten();
    let permissions = registrations.filter_map(|found| found.pointer("/kubeClient/hubPermissions")?.as_array());
    let role = |permission: &Value| {
        let text = |pointer: &str| permission.pointer(pointer).and_then(Value::as_str);
        if let Some(name) = text("/currentCluster/clusterRoleName") {
            return Some(format!("ClusterRole {name}"));
        }
        let (kind, name) = (text("/singleNamespace/roleRef/kind")?, text("/singleNamespace/roleRef/name")?);
        match text("/singleNamespace/namespace").filter(|_| kind == "Role") {
            Some(namespace) => Some(format!("{kind} {namespace}/{name}")),
            None => Some(format!("{kind} {name}")),
        }
    };
    permissions.flatten().filter_map(role).collect()
}
