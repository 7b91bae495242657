//! One ManifestWork of a unit.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{DeleteOption, ManifestConfigOption, ResourceIdentifier, SelectivelyOrphan};

use super::layout::Layout;
use crate::go_object::unstructured::{GroupVersionKind, annotation, text};

/// A wanted ManifestWork.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// Name of the work.
    pub name: String,
    /// Its manifests, shared with the rendered objects.
    pub manifests: Vec<Arc<Value>>,
    /// The whole object except status and manifests.
    pub frame: Value,
}

impl Work {
    /// Returns the whole object without status. This copies the manifests, which is why a work keeps its parts
    /// separately.
    pub fn object(&self) -> Value {
        let mut object = self.frame.clone();
        if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
            spec.insert("workload".to_owned(), workload(&self.manifests));
        }
        object
    }
}

/// Returns the field `workload` of a work with these manifests.
pub(crate) fn workload(manifests: &[Arc<Value>]) -> Value {
    members([("manifests", manifests.iter().map(|manifest| manifest.as_ref().clone()).collect())])
}

/// The content of a work besides its name and manifests. It is the same for all works that deploy a unit.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(crate) configs: Vec<ManifestConfigOption>,
    pub(super) delete_option: Option<DeleteOption>,
    /// The hashes of the configurations, as a string.
    pub(crate) annotation: Option<String>,
}

/// Returns the frame of a work.
pub(super) fn frame(layout: &Layout<'_>, name: &str, body: &Body) -> Value {
    let mut spec = Map::new();
    if !body.configs.is_empty() {
        spec.insert("manifestConfigs".to_owned(), json!(body.configs));
    }
    if let Some(option) = &body.delete_option {
        spec.insert("deleteOption".to_owned(), json!(option));
    }
    members([
        ("apiVersion", json!(format!("{}/v1", key::WORK_GROUP))),
        ("kind", json!("ManifestWork")),
        ("metadata", metadata(layout, name, body)),
        ("spec", Value::Object(spec)),
    ])
}

/// Moves values into an object; `json!` would copy them.
fn members<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn metadata(layout: &Layout<'_>, name: &str, body: &Body) -> Value {
    let namespace = layout.hosting.target(layout.cluster);
    let mut labels: BTreeMap<&str, &str> =
        layout.owner.labels.iter().map(|(label, value)| (*label, value.as_str())).collect();
    let mut metadata = Map::from_iter([("name".to_owned(), json!(name)), ("namespace".to_owned(), json!(namespace))]);
    if namespace == layout.cluster {
        if let Some(reference) = layout.owner.reference(layout.owner_uid) {
            metadata.insert("ownerReferences".to_owned(), json!([reference]));
        }
    } else {
        // An owner reference cannot point to another namespace.
        labels.insert(key::ADDON_NAMESPACE, layout.cluster.as_str());
    }
    metadata.insert("labels".to_owned(), json!(labels));
    let own = layout.owner.annotations.iter().map(|(name, value)| (*name, value));
    let hashes = body.annotation.iter().map(|hashes| (key::CONFIG_SPEC_HASH, hashes));
    let annotations: BTreeMap<&str, &String> = own.chain(hashes).collect();
    if !annotations.is_empty() {
        metadata.insert("annotations".to_owned(), json!(annotations));
    }
    Value::Object(metadata)
}

/// Returns the delete option of a work: objects with the orphan annotation stay when the work is deleted.
pub(super) fn delete_option(objects: &[&Arc<Value>]) -> Option<DeleteOption> {
    let stays = objects.iter().filter(|object| annotation(object, key::DELETION_ORPHAN).is_some());
    let orphaning_rules: Vec<ResourceIdentifier> = stays.map(|object| guessed_identifier(object)).collect();
    (!orphaning_rules.is_empty()).then(|| DeleteOption {
        propagation_policy: "SelectivelyOrphan".to_owned(),
        selectively_orphans: Some(SelectivelyOrphan { orphaning_rules }),
        ttl_seconds_after_finished: None,
    })
}

/// Returns the identifier of an object. The plural is guessed from its kind as in upstream, which is wrong for
/// irregular kinds.
fn guessed_identifier(object: &Value) -> ResourceIdentifier {
    let GroupVersionKind { group, kind, .. } = GroupVersionKind::of(object);
    let kind = kind.to_lowercase();
    let resource = match kind.strip_suffix('y') {
        _ if kind.ends_with("endpoints") => kind.clone(),
        _ if kind.ends_with('s') => format!("{kind}es"),
        Some(stem) => format!("{stem}ies"),
        None => format!("{kind}s"),
    };
    ResourceIdentifier {
        group: group.to_owned(),
        resource,
        name: text(object, ["metadata", "name"]).to_owned(),
        namespace: text(object, ["metadata", "namespace"]).to_owned(),
    }
}
