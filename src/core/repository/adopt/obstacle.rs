//! Why an object must not be declared: it belongs to another client, or people do not declare such objects.

use std::collections::BTreeSet;

use serde_json::Value;

use super::left_out::Reason;
use crate::{Target, references};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_delivery::upstream::copy;
use tidegate_model::name::AddonName;

/// The cluster sets that OCM creates on every hub.
const BUILT_IN: [&str; 2] = ["default", "global"];

/// The labels of the roles that Kubernetes and OCM's operator create.
///
/// # Source
/// Kubernetes `plugin/pkg/auth/authorizer/rbac/bootstrappolicy`; OCM `manifests/cluster-manager`.
const BUILT_IN_LABELS: [&str; 2] =
    ["kubernetes.io/bootstrapping", "open-cluster-management.io/created-by-clustermanager"];

/// Returns why an object must not be declared by this repository, if there is a reason.
pub(super) fn obstacle(object: &Value) -> Option<Reason> {
    if object.pointer("/metadata/deletionTimestamp").is_some() {
        return Some(Reason::Deleted);
    }
    match Mark::of_object(object) {
        Some(mark) => Some(Reason::Other(mark)),
        None => copy::original(object).map(|original| Reason::Copy(original.reference.name)),
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
    let on_clusters = || fleet.cluster_addons.get(name.as_str()).into_iter().flat_map(|clusters| clusters.values());
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

/// Returns why a role on the hub must not be declared by this repository, if there is a reason: Kubernetes, OCM or another controller
/// would undo each change.
pub(super) fn role_obstacle(role: &Value) -> Option<Reason> {
    let labels = role.pointer("/metadata/labels").and_then(Value::as_object);
    let is_built_in = labels.is_some_and(|labels| BUILT_IN_LABELS.iter().any(|label| labels.contains_key(*label)));
    let owner = || role.pointer("/metadata/ownerReferences/0").and_then(named).map(Reason::Owned);
    obstacle(role).or_else(|| if is_built_in { Some(Reason::BuiltIn) } else { owner() })
}

/// Returns the kind and name of an owner.
pub(super) fn named(owner: &Value) -> Option<String> {
    Some(format!("{} {}", owner.get("kind")?.as_str()?, owner.get("name")?.as_str()?))
}

/// Returns `true` if a configuration is a copy, to which only Tidegate refers.
pub(super) fn is_copy(fleet: &Fleet, reference: &ConfigReference) -> bool {
    let object = reference.object_key().and_then(|key| fleet.declared.get(&key));
    object.is_some_and(|object| copy::original(object).is_some())
}
