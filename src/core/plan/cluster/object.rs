//! The ManagedClusterAddOn of a cluster: how it is created, and what is declared in it.

use serde_json::{Value, json};

use crate::context::Context;
use crate::hub_objects::ownership::Owner;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::precondition::precondition;
use tidegate_delivery::upstream::is_assigned;
use tidegate_model::action::Write;
use tidegate_model::name::ClusterName;
use tidegate_model::object::contains;

/// Returns the configurations in `spec.configs` that belong to the cluster itself: neither declared for it, nor copies.
pub(crate) fn own_configs<'a>(
    context: &'a Context<'_>,
    addon: &'a ManagedClusterAddOn,
) -> impl Iterator<Item = &'a ConfigReference> {
    let is_copy =
        |config: &ConfigReference| context.copies.original_of(config).is_some() || context.copies.is_foreign(config);
    let is_declared = has_owned_label(addon);
    addon.spec.configs.iter().filter(move |config| !is_declared && !is_copy(config))
}

pub(crate) fn has_owned_label(addon: &ManagedClusterAddOn) -> bool {
    addon.metadata.labels.as_ref().is_some_and(|labels| labels.contains_key(key::OWNED_LABEL))
}

/// Returns the add-on of a cluster as it is created; `None` if the cluster does not exist or is being deleted.
pub(crate) fn created(context: &Context<'_>, observed: &ClusterManagementAddOn, name: &ClusterName) -> Option<Value> {
    let cluster = context.input.fleet.clusters.get(name).filter(|c| c.metadata.deletion_timestamp.is_none())?;
    let mut object = context.unit.overrides.get(name).map_or_else(|| json!({}), |own| declared_members(context, own));
    object["apiVersion"] = json!(key::ADDON_V1BETA1);
    object["kind"] = json!("ManagedClusterAddOn");
    let metadata = &mut object["metadata"];
    metadata["labels"][key::INSTANCE_LABEL] = json!(context.input.instance.id);
    metadata["name"] = json!(context.name);
    metadata["namespace"] = json!(name);
    for (annotation, value) in cluster.metadata.annotations.iter().flatten() {
        if annotation.starts_with(key::INHERITED_ANNOTATION_PREFIX) {
            metadata["annotations"][annotation] = json!(value);
        }
    }
    metadata["ownerReferences"] = json!([{
        "apiVersion": key::ADDON_V1BETA1,
        "kind": "ClusterManagementAddOn",
        "name": context.name,
        "uid": observed.metadata.uid.as_deref()?,
        "controller": true,
        "blockOwnerDeletion": true,
    }]);
    if object.get("spec").is_none() {
        object["spec"] = json!({});
    }
    Some(object)
}

/// Returns the declared fields of a ManagedClusterAddOn: its labels, annotations and configurations. Where OCM's add-on manager
/// delivers, the configurations are assigned in the cluster's turn.
fn declared_members(context: &Context<'_>, declared: &ManagedClusterAddOn) -> Value {
    let mut labels = declared.metadata.labels.clone().unwrap_or_default();
    labels.insert(key::OWNED_LABEL.to_owned(), "true".to_owned());
    let annotations = declared.metadata.annotations.clone().unwrap_or_default();
    let mut members = json!({ "metadata": { "labels": labels, "annotations": annotations } });
    if context.is_native() {
        members["spec"] = json!({ "configs": declared.spec.configs });
    }
    members
}

/// Returns the write that adds the declared configurations of a cluster and the mark of this instance to its add-on, if they are
/// missing.
pub(crate) fn adapted(
    context: &Context<'_>,
    name: &ClusterName,
    addon: &ManagedClusterAddOn,
    owner: &Owner,
) -> Option<Write> {
    let mut patch = match context.unit.overrides.get(name) {
        Some(declared) => declared_members(context, declared),
        // Its configurations in `spec.configs` are replaced when it is assigned copies; until then, the label shows whose they are.
        None if has_owned_label(addon) && !context.is_native() => {
            if is_assigned(addon) {
                json!({ "metadata": { "labels": { key::OWNED_LABEL: null } } })
            } else {
                json!({})
            }
        }
        // The override left the repository, so its configurations are removed; the add-on itself stays.
        None if has_owned_label(addon) => {
            json!({ "metadata": { "labels": { key::OWNED_LABEL: null } }, "spec": { "configs": null } })
        }
        None => json!({}),
    };
    if *owner == Owner::Ours {
        patch["metadata"]["labels"][key::INSTANCE_LABEL] = json!(context.input.instance.id);
    }
    let as_json = json!({ "metadata": addon.metadata, "spec": { "configs": addon.spec.configs } });
    let precondition = precondition(&addon.metadata)?;
    let has_null =
        patch.pointer("/metadata/labels").and_then(|labels| labels.get(key::OWNED_LABEL)).is_some_and(Value::is_null);
    let drops_override = has_null && !context.unit.overrides.contains_key(name);
    let key = object_key::cluster_addon(name.as_str(), context.name.as_str());
    (drops_override || !contains(&as_json, &patch)).then(|| Write::Patch { key, precondition, patch: patch.into() })
}

/// Returns a value with the members of another one added, map by map.
pub(crate) fn merged(mut into: Value, from: Value) -> Value {
    match (&mut into, from) {
        (Value::Object(members), Value::Object(added)) => {
            for (name, value) in added {
                let known = members.remove(&name).unwrap_or(Value::Null);
                members.insert(name, merged(known, value));
            }
            into
        }
        (_, from) => from,
    }
}
