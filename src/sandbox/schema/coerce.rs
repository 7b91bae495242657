//! Normalization of the metadata of embedded resources: empty and unknown fields are dropped, as in the metadata of any object.

use serde_json::Value;

use tidegate_api::schema::{Schema, pruning};

/// Normalizes the metadata of all embedded resources to the form that a server stores. `metadata` is its schema.
///
/// # Source
/// `apiextensions-apiserver/pkg/apiserver/schema/objectmeta`, `Coerce`.
pub(crate) fn coerce(value: &mut Value, schema: &Schema, metadata: &Schema) {
    if schema.is_embedded_resource
        && let Some(own) = value.get_mut("metadata").filter(|own| own.is_object())
    {
        pruning::prune(own, metadata, false);
        if let Value::Object(own) = own {
            own.retain(|_, field| !is_empty(field));
        }
    }
    schema.visit_mut(value, |value, schema| coerce(value, schema, metadata));
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
