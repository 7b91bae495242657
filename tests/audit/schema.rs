//! Tests that the published schemas are those that the program prints, and that every written document conforms to
//! them.

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use regex::Regex;
use serde_json::Value;
use tidegate::audit::schema::{NAMES, schema};

use super::scene::journey;

/// Returns the name of the schema for the document at a path.
fn name(path: &str) -> Option<&'static str> {
    match path {
        "sync.yaml" => Some("sync"),
        _ if path.ends_with("/status.yaml") => Some("status"),
        _ if path.ends_with("/clusters.yaml") => Some("clusters"),
        _ if path.contains("/rollouts/") => Some("rollout"),
        _ => None,
    }
}

/// Fails if a document of the journal does not conform to its schema, or has a field that the schema does not list.
pub(super) fn validated(path: &str, bytes: &[u8]) {
    let Some(name) = name(path) else { return };
    let document: Value = serde_saphyr::from_str(std::str::from_utf8(bytes).unwrap()).unwrap();
    meets(name, &document);
}

/// Fails if a document does not conform to a schema.
pub(super) fn meets(name: &str, document: &Value) {
    static SCHEMAS: LazyLock<HashMap<&str, Value>> =
        LazyLock::new(|| NAMES.iter().map(|name| (*name, schema(name).unwrap())).collect());
    let root = &SCHEMAS[name];
    let mut wrong = Vec::new();
    check(root, root, document, "", &mut wrong);
    assert!(wrong.is_empty(), "{name}: {wrong:#?}");
}

/// Returns `true` if a pattern of a schema matches a text. Each pattern is compiled once.
fn is_match(pattern: &str, text: &str) -> bool {
    static COMPILED: LazyLock<Mutex<HashMap<String, Arc<Regex>>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = compiled.entry(pattern.to_owned()).or_insert_with(|| Arc::new(Regex::new(pattern).unwrap())).clone();
    drop(compiled);
    known.is_match(text)
}

/// Checks the subset of JSON Schema that the schemas use. It is stricter in one respect: fields that are not described
/// are not allowed.
fn check(root: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target =
            root.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference} does not resolve"));
        return check(root, target, value, at, wrong);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = schema.get(key).and_then(Value::as_array) {
            let fits = |choice: &&Value| {
                let mut wrong = Vec::new();
                check(root, choice, value, at, &mut wrong);
                wrong.is_empty()
            };
            if !choices.iter().any(|choice| fits(&choice)) {
                wrong.push(format!("{at}: {value} matches none of {choices:?}"));
            }
            return;
        }
    }
    if let Some(wanted) = schema.get("const").filter(|wanted| *wanted != value) {
        wrong.push(format!("{at}: {value} is not {wanted}"));
    }
    if schema.get("enum").and_then(Value::as_array).is_some_and(|all| !all.contains(value)) {
        wrong.push(format!("{at}: {value} is not one of {}", schema["enum"]));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = match schema.get("type") {
        Some(Value::String(wanted)) => wanted == kind,
        Some(Value::Array(wanted)) => wanted.iter().any(|wanted| wanted == kind),
        _ => true,
    };
    if !is_kind {
        wrong.push(format!("{at}: {value} is not of type {}", schema["type"]));
        return;
    }
    if let (Some(pattern), Some(text)) = (schema.get("pattern").and_then(Value::as_str), value.as_str())
        && !is_match(pattern, text)
    {
        wrong.push(format!("{at}: {text:?} does not match {pattern}"));
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        values.iter().enumerate().for_each(|(n, item)| check(root, items, item, &format!("{at}/{n}"), wrong));
    }
    let Some(members) = value.as_object() else { return };
    for required in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !members.contains_key(required) {
            wrong.push(format!("{at}: {required} is missing"));
        }
    }
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    for (name, member) in members {
        let by_pattern =
            patterns.into_iter().flatten().find(|(pattern, _)| is_match(pattern, name)).map(|(_, known)| known);
        let known = schema.get("properties").and_then(|all| all.get(name)).or(by_pattern);
        match known.or(schema.get("additionalProperties").filter(|rest| rest.is_object())) {
            Some(described) => check(root, described, member, &format!("{at}/{name}"), wrong),
            None => wrong.push(format!("{at}/{name} is not described")),
        }
    }
}

#[test]
fn the_published_schemas_match_what_the_program_prints() {
    for name in NAMES {
        let printed = format!("{}\n", serde_json::to_string_pretty(&schema(name).unwrap()).unwrap());
        let path = format!("docs/schemas/{name}.json");
        let published = fs::read_to_string(&path).unwrap_or_default();
        assert!(published == printed, "{path} is out of date; run tidegate schema all --dir docs/schemas");
    }
}

#[test]
fn a_schema_states_its_version() {
    for name in NAMES {
        let schema = schema(name).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["$id"], format!("https://tidegate.io/v1alpha1/{name}.json"));
    }
    assert!(schema("nothing").is_none());
}

#[test]
fn every_written_document_conforms_to_its_schema() {
    for link in journey().links {
        for change in link.changes {
            if let tidegate_model::chain::Content::File(bytes) = change.after {
                validated(&change.path, &bytes);
            }
        }
    }
}
