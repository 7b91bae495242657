//! Converts the structural schema of a CustomResourceDefinition to JSON Schema, which has none of Kubernetes' keywords.
//!
//! # Source
//! Kubernetes "Specifying a structural schema", and JSON Schema draft-07.

use serde_json::{Map, Value, json};

/// Keywords that mean the same in both.
const SAME: [&str; 11] = [
    "default",
    "description",
    "enum",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "pattern",
    "type",
];

/// Returns a JSON Schema that allows the same objects. It also refuses unknown fields, which an API server would drop.
pub(super) fn converted(schema: &Value) -> Value {
    let Some(members) = schema.as_object() else { return schema.clone() };
    let mut out: Map<String, Value> =
        SAME.into_iter().filter_map(|name| Some((name.to_owned(), members.get(name).map(whole)?))).collect();
    if flag(members, "x-kubernetes-int-or-string") {
        out.insert("type".to_owned(), json!(["integer", "string"]));
    }
    let is_32 = members.get("format").and_then(Value::as_str) == Some("int32");
    if is_32 || flag(members, "x-kubernetes-int-or-string") {
        out.entry("minimum").or_insert_with(|| i32::MIN.into());
        out.entry("maximum").or_insert_with(|| i32::MAX.into());
    }
    if let Some(items) = members.get("items") {
        out.insert("items".to_owned(), converted(items));
    }
    if members.get("x-kubernetes-list-type").and_then(Value::as_str) == Some("set") {
        out.insert("uniqueItems".to_owned(), json!(true));
    }
    if members.get("type").and_then(Value::as_str) == Some("object") {
        object(members, &mut out);
    }
    if flag(members, "nullable") {
        nullable(&mut out);
    }
    Value::Object(out)
}

fn flag(members: &Map<String, Value>, name: &str) -> bool {
    members.get(name) == Some(&Value::Bool(true))
}

/// Writes a whole number as an integer.
fn whole(value: &Value) -> Value {
    match value.as_f64() {
        Some(number) if value.is_f64() && number.fract() == 0.0 && number.abs() < 9e15 => json!(number as i64),
        _ => value.clone(),
    }
}

fn object(members: &Map<String, Value>, out: &mut Map<String, Value>) {
    let properties = members.get("properties").and_then(Value::as_object);
    // An API server sets defaults before it checks for missing fields.
    let has_default = |name: &Value| {
        let property = name.as_str().and_then(|name| properties?.get(name));
        property.is_some_and(|property| property.get("default").is_some())
    };
    let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: Vec<Value> = required.filter(|name| !has_default(name)).cloned().collect();
    if !required.is_empty() {
        out.insert("required".to_owned(), Value::Array(required));
    }
    if let Some(properties) = properties {
        let properties = properties.iter().map(|(name, schema)| (name.clone(), converted(schema)));
        out.insert("properties".to_owned(), Value::Object(properties.collect()));
    }
    let additional = match members.get("additionalProperties") {
        Some(additional) => converted(additional),
        None => json!(flag(members, "x-kubernetes-preserve-unknown-fields")),
    };
    out.insert("additionalProperties".to_owned(), additional);
    if flag(members, "x-kubernetes-embedded-resource") {
        let text = json!({ "type": "string", "minLength": 1 });
        out.insert(
            "properties".to_owned(),
            json!({ "apiVersion": text, "kind": text, "metadata": { "type": "object" } }),
        );
        out.insert("required".to_owned(), json!(["apiVersion", "kind"]));
    }
}

fn nullable(out: &mut Map<String, Value>) {
    if let Some(Value::String(type_)) = out.get("type") {
        let types = json!([type_, "null"]);
        out.insert("type".to_owned(), types);
    }
    if let Some(Value::Array(allowed)) = out.get_mut("enum") {
        allowed.push(Value::Null);
    }
}
