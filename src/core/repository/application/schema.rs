//! Parts of the schemas of properties.

use serde_json::{Value, json};

pub(super) use crate::read::document::text;

/// Maximum items of a list that is rendered into objects.
const MAX_ITEMS: usize = 100;

/// Returns the schema of a list of strings.
pub(super) fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

/// Returns the schema of a map of strings.
pub(super) fn text_map() -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "string" } })
}

/// Returns the schema of a string that is one of these.
pub(super) fn one_of(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

/// Returns the schema of a boolean.
pub(super) fn flag() -> Value {
    json!({ "type": "boolean" })
}

/// Returns the schema of an integer of at least this number.
pub(super) fn at_least(minimum: i64) -> Value {
    json!({ "type": "integer", "minimum": minimum, "maximum": i64::from(i32::MAX) })
}

/// Returns the schema of the number of a port.
pub(super) fn port() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": 65535 })
}

/// Returns the schema of a quantity.
pub(super) fn quantity() -> Value {
    json!({ "$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity" })
}

/// Returns the schema of a definition of Kubernetes' core group, in version v1.
pub(super) fn core(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/io.k8s.api.core.v1.{name}") })
}

/// Returns the schema of a label selector.
pub(super) fn label_selector() -> Value {
    json!({ "$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector" })
}

/// Returns the schema of a name of lower-case letters, digits and `-`.
pub(super) fn label(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max, "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" })
}

/// Returns the schema of a list that is rendered into objects.
pub(super) fn list(items: Value) -> Value {
    json!({ "type": "array", "maxItems": MAX_ITEMS, "items": items })
}

/// Returns the schema of a list whose items have different values in this field.
pub(super) fn list_by(key: &str, items: Value) -> Value {
    let mut list = list(items);
    list["x-kubernetes-list-type"] = json!("map");
    list["x-kubernetes-list-map-keys"] = json!([key]);
    list
}

/// Returns the schema of an object.
pub(super) fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}

/// Returns the schema of a list of environment variables.
pub(super) fn env() -> Value {
    list_by("name", core("EnvVar"))
}
