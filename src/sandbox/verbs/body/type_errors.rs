//! Type errors of applied configurations.

use serde_json::Value;

use crate::kind::metadata_schema;
use crate::request::Target;
use crate::verbs::body::decoding::at;
use tidegate_api::schema::check::{Violation, misfits};
use tidegate_api::schema::path::Path;

/// Returns the errors of an applied configuration: fields that are not declared in the schema, and values of the wrong type.
///
/// # Source
/// `validatingObjectWalker` of structured-merge-diff.
pub(in crate::verbs) fn type_errors(target: &Target, object: &Value) -> Vec<String> {
    let metadata = object.get("metadata").unwrap_or(&Value::Null);
    let in_metadata = misfits(metadata, metadata_schema());
    let lines = in_metadata.iter().filter_map(|(path, violation)| line(metadata, ".metadata", path, violation));
    let schema = target.requested_version().schema.as_ref();
    let found = schema.map(|schema| misfits(object, schema)).unwrap_or_default();
    lines.chain(found.iter().filter_map(|(path, violation)| line(object, "", path, violation))).collect()
}

fn line(value: &Value, at_: &str, path: &Path, violation: &Violation) -> Option<String> {
    let why = match violation {
        Violation::Unknown { .. } => "field not declared in schema".to_owned(),
        Violation::Type { expected } => match (expected.as_str(), at(value, path)) {
            (_, Value::Null) => return None,
            ("integer" | "number", found) => format!("expected numeric (int or float), got {}", go_dynamic_type(found)),
            ("string", found) => {
                format!("expected string, got &value.valueUnstructured{{Value:{}}}", go_printed(found))
            }
            ("boolean", found) => format!("expected boolean, got &{{{}}}", go_printed(found)),
            ("array", found) => format!("expected list, got &{{{}}}", go_printed(found)),
            ("object", found) => format!("expected map, got &{{{}}}", go_printed(found)),
            _ => return None,
        },
        _ => return None,
    };
    Some(format!("{at_}.{path}: {why}"))
}

/// Returns the name of the Go type that holds a decoded JSON value.
fn go_dynamic_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// Formats a value like Go's `%v`.
fn go_printed(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(go_printed).collect::<Vec<_>>().join(" ")),
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| format!("{name}:{}", go_printed(member)));
            format!("map[{}]", members.collect::<Vec<_>>().join(" "))
        }
        other => other.to_string(),
    }
}
