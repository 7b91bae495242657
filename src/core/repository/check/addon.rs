//! Rules for ClusterManagementAddOn and ManagedClusterSetBinding that no schema expresses.

use serde_json::Value;

use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::key;
use tidegate_consent::RULES;

/// Adds a complaint if upstream's manager drives an add-on with templates: two writers would undo each other's changes forever. An add-on
/// without AddOnTemplate has a manager of its own, and that one needs the annotation.
pub(super) fn check(notes: &mut Notes<'_>) {
    let object = notes.object;
    if object.key.name == RULES {
        let origin = object.value_origin(&path(&["metadata", "name"]));
        notes.error(
            origin,
            format!("{RULES:?} is the name under which changes of the rules are approved; write another name"),
        );
    }
    let lifecycle = object.value.get("metadata").and_then(|metadata| metadata.get("annotations")?.get(key::LIFECYCLE));
    if lifecycle.and_then(Value::as_str) == Some(key::LIFECYCLE_ADDON_MANAGER) && names_template(&object.value) {
        let origin = object.origin_of(&["metadata", "annotations", key::LIFECYCLE]);
        let message = format!(
            "the annotation {} assigns this add-on to upstream's {}; write {:?} to hand it over to Tidegate, or remove the \
             add-on from the repository",
            key::LIFECYCLE,
            key::LIFECYCLE_ADDON_MANAGER,
            key::LIFECYCLE_SELF
        );
        notes.error(origin, message);
    }
}

/// Returns `true` if a configuration of an add-on, in either version, is an AddOnTemplate.
fn names_template(addon: &Value) -> bool {
    let list =
        |value: &Value, pointer: &str| value.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default();
    let placements = list(addon, "/spec/installStrategy/placements");
    let of_placements = placements.iter().flat_map(|placement| list(placement, "/configs"));
    let defaults = ["/spec/defaultConfigs", "/spec/supportedConfigs"].into_iter().flat_map(|at| list(addon, at));
    defaults.chain(of_placements).any(|config| config["resource"] == key::ADDON_TEMPLATES)
}

/// Adds a complaint if a ManagedClusterSetBinding does not have the name of its set.
///
/// # Source
/// OCM's webhook on ManagedClusterSetBinding, which refuses such an object.
pub(super) fn check_binding(notes: &mut Notes<'_>) {
    let object = notes.object;
    let Some(set) = object.value.pointer("/spec/clusterSet").and_then(Value::as_str) else { return };
    if set != object.key.name {
        let origin = object.value_origin(&path(&["metadata", "name"]));
        let name = &object.key.name;
        notes.error(
            origin,
            format!("metadata.name is {name:?}, but a binding must have the name of its set; write {set:?}"),
        );
    }
}
