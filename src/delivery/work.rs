//! One ManifestWork of an add-on, as JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::api::key;
use crate::api::ocm::manifest_work::{DeleteOption, ManifestConfigOption, ResourceIdentifier, SelectivelyOrphan};

use super::layout::Layout;
use super::object::{GroupVersionKind, annotation, text};

/// What a work says besides its name and its manifests; all works that deploy an add-on say the same.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) configs: Vec<ManifestConfigOption>,
    pub(super) delete_option: Option<DeleteOption>,
    /// The hashes of the configurations, as text.
    pub(super) annotation: Option<String>,
}

/// Returns a whole work without status.
pub(super) fn object(layout: &Layout<'_>, name: &str, body: &Body, manifests: Vec<&Value>) -> Value {
    let manifests: Value = manifests.into_iter().cloned().collect();
    let mut spec = Map::from_iter([("workload".to_owned(), members([("manifests", manifests)]))]);
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
    let mut labels = BTreeMap::from([(key::ADDON_NAME, layout.addon.as_str())]);
    let mut metadata = Map::from_iter([("name".to_owned(), json!(name)), ("namespace".to_owned(), json!(namespace))]);
    if namespace == layout.cluster {
        metadata.insert("ownerReferences".to_owned(), json!([owner(layout)]));
    } else {
        // Ownership does not reach from one namespace into another.
        labels.insert(key::ADDON_NAMESPACE, layout.cluster.as_str());
    }
    metadata.insert("labels".to_owned(), json!(labels));
    if let Some(hashes) = &body.annotation {
        metadata.insert("annotations".to_owned(), json!({key::CONFIG_SPEC_HASH: hashes}));
    }
    Value::Object(metadata)
}

fn owner(layout: &Layout<'_>) -> Value {
    json!({
        "apiVersion": key::ADDON_V1BETA1,
        "kind": "ManagedClusterAddOn",
        "name": layout.addon,
        "uid": layout.addon_uid,
        "controller": true,
        "blockOwnerDeletion": true,
    })
}

/// Returns what happens to the objects when their work is deleted: those that are marked for it stay.
pub(super) fn delete_option(objects: &[&Value]) -> Option<DeleteOption> {
    let stays = objects.iter().filter(|object| annotation(object, key::DELETION_ORPHAN).is_some());
    let orphaning_rules: Vec<ResourceIdentifier> = stays.map(|object| guessed_identifier(object)).collect();
    (!orphaning_rules.is_empty()).then(|| DeleteOption {
        propagation_policy: "SelectivelyOrphan".to_owned(),
        selectively_orphans: Some(SelectivelyOrphan { orphaning_rules }),
        ttl_seconds_after_finished: None,
    })
}

/// Names an object, with a plural that is guessed from its kind as upstream guesses it; wrong for irregular kinds.
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
