//! Reads the schema of parameters: a structural schema as in a CRD.
//!
//! Keywords that would not be checked are refused. A rule in CEL can check everything that they can.
//!
//! # Source
//! Kubernetes "Specifying a structural schema".

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::rules;
use super::values::Parameters;
use crate::definition::mistake::Reader;
use tidegate_api::schema::Schema;
use tidegate_api::schema::check::{Violation, violations_of_value};
use tidegate_api::schema::path::Path;

/// Maximum size of a schema, in bytes of JSON. Defaults are a part of it.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum depth of a schema.
const MAX_DEPTH: usize = 16;
/// The types of values.
const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// The keywords of one level. What is below a schema is checked on its own.
static LEVEL: LazyLock<Schema> = LazyLock::new(|| {
    let any = || json!({ "x-kubernetes-preserve-unknown-fields": true });
    let [text, flag, number] = ["string", "boolean", "number"].map(|type_| json!({ "type": type_ }));
    let count = || json!({ "type": "integer", "minimum": 0 });
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let map = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let list_type = json!({ "type": "string", "enum": ["atomic", "map"] });
    let rule = json!({
        "type": "object",
        "required": ["rule"],
        "properties": {
            "rule": { "type": "string", "minLength": 1 },
            "message": text, "messageExpression": text, "reason": text,
            "fieldPath": { "type": "string", "pattern": r"^(\.[A-Za-z_][A-Za-z0-9_-]*)+$" },
        },
    });
    Schema::compile(&json!({
        "type": "object",
        "properties": {
            "type": { "type": "string", "enum": TYPES },
            "format": { "type": "string", "enum": ["int32", "int64", "float", "double"] },
            "title": text, "description": text, "example": any(),
            "properties": map, "additionalProperties": any(), "items": any(),
            "required": texts(), "default": any(), "enum": { "type": "array", "minItems": 1, "items": any() },
            "nullable": flag, "pattern": text,
            "minimum": number, "maximum": number, "exclusiveMinimum": flag, "exclusiveMaximum": flag,
            "minLength": count(), "maxLength": count(), "minItems": count(), "maxItems": count(),
            "x-kubernetes-int-or-string": flag,
            "x-kubernetes-preserve-unknown-fields": flag,
            "x-kubernetes-list-type": list_type,
            "x-kubernetes-list-map-keys": texts(),
            "x-kubernetes-map-type": text,
            "x-kubernetes-validations": { "type": "array", "maxItems": 50, "items": rule },
        },
    }))
});

/// Keywords of a CRD that are refused, because nothing here checks them.
const REFUSED: [&str; 9] = [
    "allOf",
    "anyOf",
    "maxProperties",
    "minProperties",
    "multipleOf",
    "not",
    "oneOf",
    "uniqueItems",
    "x-kubernetes-embedded-resource",
];

/// Reads the schema of parameters at a path of a definition; nothing if it has mistakes, which are noted.
pub(in crate::definition) fn compile(reader: &mut Reader<'_>, at: &Path, schema: &Value) -> Option<Parameters> {
    let before = reader.mistakes.len();
    if schema.to_string().len() > MAX_BYTES {
        reader.mistake(at, format!("{at} is larger than {} KiB; shorten it", MAX_BYTES / 1024));
        return None;
    }
    level(reader, at, schema, 0);
    if reader.mistakes.len() == before && schema.get("type").and_then(Value::as_str) != Some("object") {
        reader.mistake(at, format!("{at}.type must be object, since parameters have names"));
    }
    if reader.mistakes.len() > before {
        return None;
    }
    let compiled = Schema::compile(schema);
    let rules = rules::compile(reader, at, schema, &compiled);
    (reader.mistakes.len() == before).then(|| Parameters::new(compiled, rules))
}

/// Notes the mistakes of a schema and of those below it.
fn level(reader: &mut Reader<'_>, at: &Path, schema: &Value, depth: usize) {
    if depth > MAX_DEPTH {
        return reader.mistake(at, format!("{at} is deeper than {MAX_DEPTH} levels; write a simpler schema"));
    }
    let before = reader.mistakes.len();
    for member in REFUSED.into_iter().filter(|member| schema.get(member).is_some_and(|value| *value != json!(false))) {
        let at = at.member(member);
        reader.mistake_of_key(&at, format!("{at} is not supported; write it as a rule in x-kubernetes-validations"));
    }
    for (below, violation) in violations_of_value(schema, &LEVEL) {
        let is_refused = below.0.len() == 1 && REFUSED.iter().any(|member| below == Path::default().member(member));
        let found = Path(at.0.iter().chain(&below.0).cloned().collect());
        if !(is_refused && matches!(violation, Violation::Unknown { .. })) {
            reader.violation(found, violation);
        }
    }
    if reader.mistakes.len() > before {
        return;
    }
    own(reader, at, schema);
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (name, property) in properties {
        level(reader, &at.member("properties").member(name), property, depth + 1);
    }
    for member in ["items", "additionalProperties"] {
        match schema.get(member) {
            None => {}
            Some(Value::Bool(_)) if member == "additionalProperties" => {
                let at = at.member(member);
                let why = "must be a schema; for any value, write x-kubernetes-preserve-unknown-fields: true";
                reader.mistake(&at, format!("{at} {why}"));
            }
            Some(below) => level(reader, &at.member(member), below, depth + 1),
        }
    }
}

/// Notes the mistakes of one level that its keywords have together.
fn own(reader: &mut Reader<'_>, at: &Path, schema: &Value) {
    let flag = |member: &str| schema.get(member) == Some(&Value::Bool(true));
    let type_ = schema.get("type").and_then(Value::as_str);
    let is_free = flag("x-kubernetes-int-or-string") || flag("x-kubernetes-preserve-unknown-fields");
    match type_ {
        None if !is_free => return reader.mistake(at, format!("{at}.type is missing; add it")),
        Some("array") if schema.get("items").is_none() => {
            return reader.mistake(at, format!("{at}.items is missing; add the schema of the items"));
        }
        _ => {}
    }
    if schema.get("properties").is_some() && schema.get("additionalProperties").is_some() {
        let at = at.member("additionalProperties");
        reader.mistake_of_key(&at, format!("{at} and properties exclude each other; remove one of the two"));
    }
    let compiled = Schema::compile(schema);
    if compiled.pattern.as_ref().is_some_and(|pattern| !pattern.is_valid()) {
        let at = at.member("pattern");
        reader.mistake(&at, format!("{at} is not a regular expression; correct it"));
    }
    for (index, name) in compiled.required.iter().enumerate() {
        if !compiled.properties.contains_key(name) && compiled.additional.is_none() && !compiled.keeps_unknown {
            let at = at.member("required").item(index);
            let remedy = tidegate_model::near::remedy(name, compiled.properties.keys().map(String::as_str));
            reader.mistake(&at, format!("{at} is {name:?}, which is not a property; {remedy}"));
        }
    }
    let Some(default) = &compiled.default else { return };
    for (below, violation) in violations_of_value(default, &compiled) {
        let found = Path(at.member("default").0.into_iter().chain(below.0.iter().cloned()).collect());
        reader.violation(found, violation);
    }
}
