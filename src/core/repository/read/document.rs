//! The schemas of objects of `core.oam.dev`: what they have in common.

use serde_json::{Value, json};

/// Returns the schema of any value.
pub(crate) fn any() -> Value {
    json!({ "x-kubernetes-preserve-unknown-fields": true })
}

/// Returns the schema of a map with any members.
pub(crate) fn map() -> Value {
    json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
}

/// Returns the schema of a string that is not empty.
pub(crate) fn text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

/// Returns the schema of an object, given the required members of its spec and their schemas.
pub(crate) fn document(required: &[&str], spec: &Value) -> Value {
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {
            "apiVersion": { "type": "string" },
            "kind": { "type": "string" },
            "metadata": map(),
            "spec": { "type": "object", "required": required, "properties": spec },
            "status": any(),
        },
    })
}
