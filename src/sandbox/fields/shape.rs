//! The granularity of ownership: how a schema splits a value into separately owned fields.

use serde_json::{Map, Value};

/// A value, split into its fields.
pub(crate) enum Shape<'a> {
    /// The value is owned as a whole.
    Atomic,
    /// Every entry of the object is a field.
    Members(&'a Map<String, Value>),
    /// Every item of the list is a field, identified by its step.
    Items(Vec<(String, &'a Value)>),
}

/// Splits a value. Without a schema, objects are granular and lists are atomic.
pub(crate) fn shape<'a>(value: &'a Value, schema: Option<&Value>) -> Shape<'a> {
    let text = |name: &str| schema.and_then(|schema| schema.get(name)).and_then(Value::as_str);
    match value {
        Value::Object(members) if text("x-kubernetes-map-type") != Some("atomic") => Shape::Members(members),
        Value::Array(items) => match text("x-kubernetes-list-type") {
            Some("map") => Shape::Items(items.iter().map(|item| (key_step(item, schema), item)).collect()),
            Some("set") => Shape::Items(items.iter().map(|item| (format!("v:{item}"), item)).collect()),
            _ => Shape::Atomic,
        },
        _ => Shape::Atomic,
    }
}

/// Returns the schema after a step, and whether the step is a declared field.
pub(crate) fn behind<'a>(schema: Option<&'a Value>, step: &str) -> (Option<&'a Value>, bool) {
    let Some(name) = step.strip_prefix("f:") else {
        return (schema.and_then(|schema| schema.get("items")), false);
    };
    match schema.and_then(|schema| schema.get("properties")).and_then(|properties| properties.get(name)) {
        Some(property) => (Some(property), true),
        None => (schema.and_then(|schema| schema.get("additionalProperties")).filter(|more| more.is_object()), false),
    }
}

fn key_step(item: &Value, schema: Option<&Value>) -> String {
    let keys = schema.and_then(|schema| schema.get("x-kubernetes-list-map-keys")).and_then(Value::as_array);
    let default = |key: &str| schema?.get("items")?.get("properties")?.get(key)?.get("default");
    let given = keys.into_iter().flatten().filter_map(Value::as_str).filter_map(|key| {
        let value = item.get(key).or_else(|| default(key))?;
        Some((key.to_owned(), value.clone()))
    });
    format!("k:{}", Value::Object(given.collect()))
}
