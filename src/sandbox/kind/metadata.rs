//! The schema of `metadata`, which is the same for all kinds.

use std::sync::LazyLock;

use serde_json::{Value, json};
use tidegate_api::schema::Schema;

static METADATA: LazyLock<Value> = LazyLock::new(|| {
    let texts = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "generateName": { "type": "string" },
            "namespace": { "type": "string" },
            "selfLink": { "type": "string" },
            "uid": { "type": "string" },
            "resourceVersion": { "type": "string" },
            "generation": { "type": "integer" },
            "creationTimestamp": { "type": "string" },
            "deletionTimestamp": { "type": "string" },
            "deletionGracePeriodSeconds": { "type": "integer" },
            "labels": texts,
            "annotations": texts,
            "finalizers": { "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "string" } },
            "managedFields": { "type": "array", "items": { "x-kubernetes-preserve-unknown-fields": true } },
            "ownerReferences": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["uid"],
                "items": {
                    "type": "object",
                    "x-kubernetes-map-type": "atomic",
                    "required": ["apiVersion", "kind", "name", "uid"],
                    "properties": {
                        "apiVersion": { "type": "string" },
                        "kind": { "type": "string" },
                        "name": { "type": "string" },
                        "uid": { "type": "string" },
                        "controller": { "type": "boolean" },
                        "blockOwnerDeletion": { "type": "boolean" },
                    },
                },
            },
        },
    })
});

/// Returns the structural schema of `metadata`.
///
/// # Source
/// `ObjectMeta` of `k8s.io/apimachinery/pkg/apis/meta/v1`.
pub(crate) fn schema() -> &'static Schema {
    static COMPILED: LazyLock<Schema> = LazyLock::new(|| Schema::compile(&METADATA));
    &COMPILED
}

/// Returns the schema that determines field ownership: the schema of the kind, including the schema of `metadata`.
pub(crate) fn with_metadata(schema: Option<&Value>) -> Value {
    let mut whole = schema.cloned().unwrap_or_else(|| json!({}));
    if whole.get("properties").is_none() {
        whole["properties"] = json!({});
    }
    whole["properties"]["metadata"] = METADATA.clone();
    whole
}
