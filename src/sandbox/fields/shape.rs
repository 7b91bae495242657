//! How a schema cuts a value into fields that can be owned apart.

use serde_json::{Map, Value};

/// A value, cut into its fields.
pub(crate) enum Shape<'a> {
    /// One field as a whole.
    Atomic,
    /// Every member is a field.
    Members(&'a Map<String, Value>),
    /// Every item is a field, told apart by its step.
    Items(Vec<(String, &'a Value)>),
}

/// Cuts a value. Without a schema members are apart and lists are whole.
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

/// Returns the schema behind a step, and whether the schema names the step itself.
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
