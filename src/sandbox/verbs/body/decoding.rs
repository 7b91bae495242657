//! Decoding of bodies like a Go server: unknown fields, type errors, pruning and defaulting.

use serde_json::Value;

use crate::kind::metadata_schema;
use crate::object;
use crate::request::Target;
use crate::schema::coerce;
use crate::verbs::patches::json_patch::depth;
use tidegate_api::schema::check::{Violation, misfits};
use tidegate_api::schema::path::{Path, Step};
use tidegate_api::schema::{defaulting, pruning};
use tidegate_go::base64;

/// Maximum nesting depth of an object. A real server accepts more, but no object needs it.
const DEPTH_LIMIT: usize = 110;

/// Decodes an object into its kind: prunes unknown fields, fills in defaults, and returns the paths of the unknown fields.
///
/// # Errors
/// Go's message for the first field that cannot be decoded.
pub(in crate::verbs) fn decode(target: &Target, object: &mut Value) -> Result<Vec<String>, String> {
    if depth(object) > DEPTH_LIMIT {
        return Err("exceeded max depth".to_owned());
    }
    if object.get("metadata").is_some_and(|metadata| !metadata.is_object() && !metadata.is_null()) {
        return Err(mistyped_metadata(target, object, &Path::default(), "object"));
    }
    // `managedFields` is handled separately.
    object::metadata_mut(object).retain(|name, member| !member.is_null() && name != "managedFields");
    let mut unknown = Vec::new();
    for (path, violation) in misfits(object.get("metadata").unwrap_or(&Value::Null), metadata_schema()) {
        match violation {
            Violation::Unknown { .. } => unknown.push(format!("metadata.{path}")),
            Violation::Type { expected } => return Err(mistyped_metadata(target, object, &path, &expected)),
            _ => {}
        }
    }
    if let Some(metadata) = object.get_mut("metadata") {
        pruning::prune(metadata, metadata_schema(), false);
        drop_empty(metadata);
    }
    if let Some(schema) = &target.requested_version().schema {
        let found = misfits(object, schema);
        unknown.extend(unknown_members(&found));
        if !target.kind.custom {
            bytes_are_readable(object)?;
        }
        if !target.kind.custom
            && let Some((path, expected)) = found.iter().find_map(|(path, violation)| match violation {
                Violation::Type { expected } => Some((path, expected)),
                _ => None,
            })
        {
            return Err(mistyped(target, object, path, expected));
        }
        pruning::prune(object, schema, true);
        if target.kind.custom {
            defaulting::drop_nulls(object, schema);
        }
        defaulting::fill(object, schema);
    }
    if let Some(schema) = target.requested_version().schema.as_ref().filter(|_| target.kind.custom) {
        coerce(object, schema, metadata_schema());
    }
    Ok(unknown)
}

/// Checks the base64 fields of the core kinds.
fn bytes_are_readable(object: &Value) -> Result<(), String> {
    let is_secret = object.get("kind").and_then(Value::as_str) == Some("Secret");
    let members = object.get(if is_secret { "data" } else { "binaryData" }).and_then(Value::as_object);
    for text in members.into_iter().flatten().filter_map(|(_, value)| value.as_str()) {
        base64::decode(text).map_err(|illegal| illegal.to_string())?;
    }
    Ok(())
}

fn unknown_members(found: &[(Path, Violation)]) -> Vec<String> {
    let unknown = found.iter().filter(|(_, violation)| matches!(violation, Violation::Unknown { .. }));
    unknown.map(|(path, _)| path.to_string()).collect()
}

/// Removes the empty fields of the metadata, as Go's `omitempty` does.
fn drop_empty(metadata: &mut Value) {
    let is_empty = |value: &Value| match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    if let Value::Object(members) = metadata {
        members.retain(|_, member| !is_empty(member));
    }
}

/// Returns Go's name for the type of a JSON value in decoding errors.
pub(crate) fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Returns the value at a path, or null if the path does not exist.
pub(in crate::verbs) fn at<'a>(value: &'a Value, path: &Path) -> &'a Value {
    let step = |value: &'a Value, step: &Step| match step {
        Step::Member(name) => value.get(name),
        Step::Item(index) => value.get(index),
    };
    path.0.iter().try_fold(value, step).unwrap_or(&Value::Null)
}

/// Returns Go's message for a type error in the metadata. Go decodes core kinds as a whole, but of custom resources only the
/// metadata, so the field paths start at different structs.
fn mistyped_metadata(target: &Target, object: &Value, path: &Path, expected: &str) -> String {
    let metadata = object.get("metadata").unwrap_or(&Value::Null);
    let found = go_type(at(metadata, path));
    let members: Vec<&str> = path.0.iter().filter_map(member).collect();
    let expected = match members.as_slice() {
        [] => "v1.ObjectMeta",
        ["labels" | "annotations"] => "map[string]string",
        ["finalizers"] if path.0.len() == 1 => "[]string",
        ["ownerReferences"] if path.0.len() == 1 => "[]v1.OwnerReference",
        ["ownerReferences"] => "v1.OwnerReference",
        ["uid"] | ["ownerReferences", "uid"] => "types.UID",
        _ => go_name(expected),
    };
    let owner =
        if members.len() > 1 && members.first() == Some(&"ownerReferences") { "OwnerReference" } else { "ObjectMeta" };
    // Go does not name the keys of a map in the path.
    let fields = match members.as_slice() {
        [map @ ("labels" | "annotations"), ..] => vec![*map],
        fields => fields.to_vec(),
    };
    match (target.kind.custom, fields.is_empty()) {
        (true, true) => format!("json: cannot unmarshal {found} into Go value of type {expected}"),
        (true, false) => {
            format!(
                "json: cannot unmarshal {found} into Go struct field {owner}.{} of type {expected}",
                fields.join(".")
            )
        }
        (false, true) => {
            let kind = &target.kind.kind;
            format!("json: cannot unmarshal {found} into Go struct field {kind}.metadata of type {expected}")
        }
        (false, false) => {
            let fields = fields.join(".");
            format!("json: cannot unmarshal {found} into Go struct field {owner}.metadata.{fields} of type {expected}")
        }
    }
}

fn member(step: &Step) -> Option<&str> {
    match step {
        Step::Member(name) => Some(name),
        Step::Item(_) => None,
    }
}

fn go_name(expected: &str) -> &str {
    match expected {
        "integer" => "int64",
        "boolean" => "bool",
        other => other,
    }
}

/// Returns Go's message for a type error in a core kind; the schema contains the names of the Go structs.
fn mistyped(target: &Target, object: &Value, path: &Path, expected: &str) -> String {
    let found = go_type(at(object, path));
    let mut schema = target.requested_version().schema_source.as_ref();
    let (mut owner, mut fields) = (target.kind.kind.as_str(), Vec::new());
    for step in &path.0 {
        let here = schema;
        schema = match step {
            Step::Item(_) => here.and_then(|schema| schema.get("items")),
            Step::Member(name) => {
                let property = here.and_then(|schema| schema.pointer("/properties")?.get(name));
                if property.is_some() {
                    owner = here.and_then(|schema| schema.get("x-go-struct")?.as_str()).unwrap_or(owner);
                    fields.push(name.as_str());
                }
                property.or_else(|| here.and_then(|schema| schema.get("additionalProperties")))
            }
        };
    }
    let expected = schema.and_then(|schema| schema.get("x-go-type")?.as_str()).unwrap_or(go_name(expected));
    format!("json: cannot unmarshal {found} into Go struct field {owner}.{} of type {expected}", fields.join("."))
}
