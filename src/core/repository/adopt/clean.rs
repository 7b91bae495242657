//! Removes from an object what its author did not write: what the API server, OCM, kubectl and Tidegate added.

use serde_json::{Map, Value, json};

use crate::without_defaults;
use tidegate_api::key;

/// Where kubectl stores what was applied last.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// Prefix of the labels and annotations of Tidegate.
const TIDEGATE: &str = "tidegate.io/";

/// Returns the declaration of an object: its identity, its labels and annotations, and its `spec` without defaults, or the rules of a role.
///
/// Everything else in its metadata is filled in by the server or belongs to a controller.
pub(super) fn cleaned(object: &Value) -> Value {
    let mut metadata = Map::new();
    for field in ["name", "namespace"] {
        if let Some(value) = object.pointer(&format!("/metadata/{field}")) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    for map in ["labels", "annotations"] {
        let found = object.pointer(&format!("/metadata/{map}")).and_then(Value::as_object);
        let kept = found.into_iter().flatten().filter(|(name, _)| !is_added(name));
        let kept: Map<String, Value> = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
        if !kept.is_empty() {
            metadata.insert(map.to_owned(), Value::Object(kept));
        }
    }
    let mut declared = json!({ "metadata": metadata });
    // The rules of a ClusterRole that aggregates others are filled in by Kubernetes.
    let rules = if object.get("aggregationRule").is_some() { "aggregationRule" } else { "rules" };
    for field in ["apiVersion", "kind", "spec", rules] {
        if let Some(value) = object.get(field) {
            declared[field] = value.clone();
        }
    }
    without_defaults(&declared)
}

/// Returns `true` for a label or annotation that a tool sets on objects of others. Tidegate sets the annotation of the controller on
/// each add-on that it takes over.
fn is_added(name: &str) -> bool {
    name.starts_with(TIDEGATE) || name == LAST_APPLIED || name == key::LIFECYCLE
}
