//! Fills the defaults of a schema into a value.

use serde_json::Value;

/// Fills in the default of each absent field, from the outside in.
///
/// # Source
/// `apiextensions-apiserver` structural defaulting: null fields that are not nullable and have a default are replaced too.
pub fn fill(value: &mut Value, schema: &Value) {
    match value {
        Value::Object(members) => {
            if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                for (name, property) in properties {
                    let nullable = property.get("nullable") == Some(&Value::Bool(true));
                    let absent = members.get(name).is_none_or(|value| value.is_null() && !nullable);
                    if absent && let Some(default) = property.get("default") {
                        members.insert(name.clone(), default.clone());
                    }
                    if let Some(member) = members.get_mut(name) {
                        fill(member, property);
                    }
                }
            }
            if let Some(additional @ Value::Object(_)) = schema.get("additionalProperties") {
                let declared = schema.get("properties");
                for (name, member) in members.iter_mut() {
                    if declared.and_then(|declared| declared.get(name)).is_none() {
                        fill(member, additional);
                    }
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| fill(item, schema));
            }
        }
        _ => {}
    }
}

/// Removes fields that are null, but not nullable, and have no default.
///
/// # Source
/// `apiextensions-apiserver` structural defaulting, `PruneNonNullableNullsWithoutDefaults`.
pub fn drop_nulls(value: &mut Value, schema: &Value) {
    match value {
        Value::Object(members) => {
            let of_member = |name: &str| {
                let named = schema.get("properties").and_then(|properties| properties.get(name));
                named.or_else(|| schema.get("additionalProperties").filter(|more| more.is_object()))
            };
            members.retain(|name, member| {
                let schema = of_member(name);
                let nullable = schema.is_none_or(|schema| {
                    schema.get("nullable") == Some(&Value::Bool(true)) || schema.get("default").is_some()
                });
                !member.is_null() || nullable
            });
            for (name, member) in members.iter_mut() {
                if let Some(schema) = of_member(name) {
                    drop_nulls(member, schema);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| drop_nulls(item, schema));
            }
        }
        _ => {}
    }
}
