//! Removal of the fields that a schema does not know.

use serde_json::Value;

/// Removes every field that the schema neither declares nor preserves.
///
/// At the root and in embedded resources, `apiVersion`, `kind` and `metadata` are always kept.
///
/// # Source
/// `apiextensions-apiserver/pkg/apiserver/schema/pruning`.
pub fn prune(value: &mut Value, schema: &Value, is_resource_root: bool) {
    match value {
        Value::Object(members) => {
            let is_resource =
                is_resource_root || schema.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true));
            let preserves = schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true));
            let properties = schema.get("properties");
            let additional = schema.get("additionalProperties");
            members.retain(|name, _| {
                properties.and_then(|p| p.get(name)).is_some()
                    || additional.is_some_and(|a| *a != Value::Bool(false))
                    || preserves
                    || (is_resource && matches!(name.as_str(), "apiVersion" | "kind" | "metadata"))
            });
            for (name, member) in members.iter_mut() {
                if is_resource && name == "metadata" {
                    continue;
                }
                match (properties.and_then(|p| p.get(name)), additional) {
                    (Some(property), _) => prune(member, property, false),
                    (None, Some(additional @ Value::Object(_))) => prune(member, additional, false),
                    _ => {}
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| prune(item, schema, false));
            }
        }
        _ => {}
    }
}
