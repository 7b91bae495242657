//! The writes that create, update and remove the RoleBindings of agents on the hub.

use std::collections::BTreeMap;

use k8s_openapi::api::rbac::v1::RoleBinding;
use serde_json::{Map, Value, json};

use tidegate_api::key::{self, RBAC_GROUP};
use tidegate_api::precondition::precondition;
use tidegate_model::action::{Precondition, Write};
use tidegate_model::object::ObjectKey;

/// Returns the writes that make a binding on the hub grant what is wanted; empty if it already does. Labels and owners that someone else
/// added stay.
///
/// # Source
/// OCM `pkg/addon/templateagent`, `TemplatePermissionConfigFunc`. The role of a binding cannot be changed, which makes upstream fail
/// from then on; here the binding is deleted and created again.
pub fn binding_writes(wanted: &RoleBinding, observed: Option<&RoleBinding>) -> Vec<Write> {
    let create = || {
        let mut object = json!(wanted);
        object["apiVersion"] = json!(format!("{RBAC_GROUP}/v1"));
        object["kind"] = json!("RoleBinding");
        Write::Create { object: object.into() }
    };
    let Some(observed) = observed else { return vec![create()] };
    if observed.role_ref != wanted.role_ref {
        return revoked(observed).into_iter().chain([create()]).collect();
    }
    let patch = patch(wanted, observed);
    let Some(precondition) = precondition(&observed.metadata).filter(|_| !patch.is_empty()) else { return Vec::new() };
    vec![Write::Patch { key: object_key(observed), precondition, patch: Value::Object(patch).into() }]
}

/// Returns the write that deletes a binding; `None` if it was never stored.
pub fn revoked(observed: &RoleBinding) -> Option<Write> {
    let precondition = Precondition { uid: observed.metadata.uid.clone()?, resource_version: None };
    Some(Write::Delete { key: object_key(observed), precondition })
}

fn object_key(binding: &RoleBinding) -> ObjectKey {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    let (namespace, name) = (text(&binding.metadata.namespace), text(&binding.metadata.name));
    ObjectKey::new(RBAC_GROUP, "RoleBinding", &namespace, &name)
}

fn patch(wanted: &RoleBinding, observed: &RoleBinding) -> Map<String, Value> {
    let mut patch = Map::new();
    let mut metadata = Map::new();
    let has = |name: &str| observed.metadata.labels.as_ref().and_then(|labels| labels.get(name));
    let labels = wanted.metadata.labels.iter().flatten().filter(|(name, value)| has(name) != Some(*value));
    let labels: Map<String, Value> = labels.map(|(name, value)| (name.clone(), json!(value))).collect();
    if !labels.is_empty() {
        metadata.insert("labels".to_owned(), Value::Object(labels));
    }
    let mut owners = observed.metadata.owner_references.clone().unwrap_or_default();
    let missing = wanted.metadata.owner_references.iter().flatten().filter(|owner| {
        let is_same = |known: &&k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference| known.uid == owner.uid;
        !observed.metadata.owner_references.iter().flatten().any(|known| is_same(&known))
    });
    let known = owners.len();
    owners.extend(missing.cloned());
    if owners.len() > known {
        metadata.insert("ownerReferences".to_owned(), json!(owners));
    }
    if !metadata.is_empty() {
        patch.insert("metadata".to_owned(), Value::Object(metadata));
    }
    if observed.subjects != wanted.subjects {
        patch.insert("subjects".to_owned(), json!(wanted.subjects));
    }
    patch
}

/// Combines the bindings outside of the namespaces of clusters, which all clusters of an add-on share, into one for each namespace and
/// name. `instance` is the identity of this instance, which marks them as its own.
///
/// Such a binding is for the group of all agents of the add-on, and for each agent that uses a token. Upstream writes the user of one
/// cluster into it, so that each cluster takes the permission away from the others.
pub fn shared_bindings(instance: &str, bindings: Vec<RoleBinding>) -> Vec<RoleBinding> {
    let mut shared: BTreeMap<(Option<String>, Option<String>), RoleBinding> = BTreeMap::new();
    for mut binding in bindings {
        let mut subjects = binding.subjects.take().unwrap_or_default();
        let at = (binding.metadata.namespace.clone(), binding.metadata.name.clone());
        let labels = binding.metadata.labels.get_or_insert_default();
        labels.insert(key::INSTANCE_LABEL.to_owned(), instance.to_owned());
        subjects.extend(shared.remove(&at).and_then(|other| other.subjects).into_iter().flatten());
        subjects.sort_by(|a, b| (&a.kind, &a.name).cmp(&(&b.kind, &b.name)));
        subjects.dedup();
        shared.insert(at, RoleBinding { subjects: Some(subjects), ..binding });
    }
    shared.into_values().collect()
}
