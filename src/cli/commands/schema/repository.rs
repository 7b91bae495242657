//! One schema for every file of objects in a repository, so that an editor needs one line of settings.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::kinds::{Groups, Kind};

/// Returns the schema: an object of an OCM kind must match the schema of its kind and version; objects of other kinds are allowed.
pub(super) fn schema(kinds: &[Kind], groups: &Groups) -> Value {
    let definitions: Map<String, Value> = kinds.iter().map(|kind| (kind.name.clone(), kind.schema.clone())).collect();
    let mut rules: Vec<Value> = kinds.iter().map(of_kind).collect();
    rules.extend(groups.iter().map(|(api_version, kinds)| {
        json!({
            "if": { "type": "object", "properties": { "apiVersion": { "const": api_version } }, "required": ["apiVersion"] },
            "then": { "properties": { "kind": { "enum": kinds } } },
        })
    }));
    // A known group with a version that is not served is a typing mistake, or too old.
    rules.push(json!({
        "if": {
            "type": "object",
            "properties": { "apiVersion": { "type": "string", "pattern": pattern(groups) } },
            "required": ["apiVersion"],
        },
        "then": { "properties": { "apiVersion": { "enum": groups.keys().collect::<Vec<_>>() } } },
    }));
    rules.push(json!({
        "if": { "type": "object", "properties": { "kind": { "type": "string", "pattern": "List$" } }, "required": ["kind", "items"] },
        "then": { "properties": { "items": { "type": "array", "items": { "$ref": "#" } } } },
    }));
    json!({
        "title": "An object in a repository of Tidegate",
        "type": ["object", "null"],
        "properties": {
            "apiVersion": {
                "description": "Version of the schema of this object.",
                "anyOf": [{ "enum": groups.keys().collect::<Vec<_>>() }, { "type": "string", "minLength": 1 }],
            },
            "kind": { "description": "Kind of this object.", "type": "string", "minLength": 1 },
        },
        "allOf": rules,
        "definitions": definitions,
    })
}

fn of_kind(kind: &Kind) -> Value {
    json!({
        "if": {
            "type": "object",
            "properties": { "apiVersion": { "const": kind.api_version }, "kind": { "const": kind.kind } },
            "required": ["apiVersion", "kind"],
        },
        "then": { "$ref": format!("#/definitions/{}", kind.name) },
    })
}

/// Returns the pattern of an `apiVersion` of one of the groups.
fn pattern(groups: &Groups) -> String {
    let names: BTreeSet<&str> = groups.keys().filter_map(|version| Some(version.split_once('/')?.0)).collect();
    let names: Vec<String> = names.into_iter().map(|name| name.replace('.', "[.]")).collect();
    format!("^({})/", names.join("|"))
}
