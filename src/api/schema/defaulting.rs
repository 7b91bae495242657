//! Defaults of a schema, filled into a value.

use serde_json::Value;

/// Fills in what a schema gives as default wherever a member is absent, from the outside in.
///
/// # Source
/// `apiextensions-apiserver` structural defaulting: null members that are not nullable and have a default are replaced too.
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
