//! Names and metadata of objects that were recorded, with the mark of their owner.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};

use crate::snapshot::record::{Owner, Snapshot};
use tidegate_api::key;
use tidegate_model::name::NamespacedName;
use tidegate_model::time::Timestamp;

/// Returns the metadata of an object. Its uid is made up: a plan names it in preconditions.
pub(super) fn metadata(namespace: &str, name: &str, deleting: Option<Timestamp>) -> ObjectMeta {
    ObjectMeta {
        namespace: (!namespace.is_empty()).then(|| namespace.to_owned()),
        name: Some(name.to_owned()),
        uid: Some(format!("{namespace}/{name}")),
        deletion_timestamp: deleting.map(Time),
        ..ObjectMeta::default()
    }
}

/// Adds the mark of the owner.
pub(super) fn mark(snapshot: &Snapshot, metadata: &mut ObjectMeta, owner: &Owner) {
    if owner.is_none() {
        return;
    }
    let own = snapshot.instance.as_ref().map_or("", |instance| instance.as_str());
    let id = if owner.is_ours() { own } else { owner.as_str() };
    if id.is_empty() {
        return;
    }
    set(&mut metadata.labels, key::INSTANCE_LABEL, id);
    if let Some(name) = snapshot.instances.get(id) {
        set(&mut metadata.annotations, key::INSTANCE_NAME, name);
    }
}

/// Sets a label or an annotation.
pub(super) fn set(map: &mut Option<BTreeMap<String, String>>, key: &str, value: &str) {
    map.get_or_insert_default().insert(key.to_owned(), value.to_owned());
}

/// Splits `namespace/name`.
pub(super) fn namespaced(text: &str) -> NamespacedName {
    text.split_once('/')
        .map_or_else(|| NamespacedName::new("", text), |(namespace, name)| NamespacedName::new(namespace, name))
}
