//! The schema of an ApplicationRevision.

use serde_json::{Value, json};

/// Returns the schema of a revision, given that of an application.
pub(in crate::application) fn schema(application: &Value) -> Value {
    let any = || json!({ "x-kubernetes-preserve-unknown-fields": true });
    let definitions = || json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {
            "apiVersion": { "type": "string" },
            "kind": { "type": "string" },
            "metadata": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
            "spec": {
                "type": "object",
                "required": ["application"],
                "properties": {
                    "application": application,
                    "componentDefinitions": definitions(),
                    "traitDefinitions": definitions(),
                },
            },
            "status": any(),
        },
    })
}
