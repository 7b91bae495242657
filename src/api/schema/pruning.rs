//! Removal of the fields that a schema does not know.

use serde_json::Value;

use super::structural::Schema;

/// Removes every field that the schema neither declares nor preserves.
///
/// At the root and in embedded resources, `apiVersion`, `kind` and `metadata` are always kept.
///
/// # Source
/// `apiextensions-apiserver/pkg/apiserver/schema/pruning`.
pub fn prune(value: &mut Value, schema: &Schema, is_resource_root: bool) {
    let is_resource = is_resource_root || schema.is_embedded_resource;
    let Value::Object(fields) = value else {
        return schema.visit_mut(value, |value, schema| prune(value, schema, false));
    };
    fields.retain(|name, _| {
        schema.keeps_unknown
            || schema.of_field(name).is_some()
            || (is_resource && matches!(name.as_str(), "apiVersion" | "kind" | "metadata"))
    });
    for (name, field) in fields.iter_mut().filter(|(name, _)| !is_resource || *name != "metadata") {
        if let Some(schema) = schema.of_field(name) {
            prune(field, schema, false);
        }
    }
}
