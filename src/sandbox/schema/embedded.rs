//! Validation of embedded resources (`x-kubernetes-embedded-resource`): each must have an `apiVersion` and a `kind`.

use serde_json::{Map, Value};

use super::messages;
use crate::api_error::Cause;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Place;

const KIND: &str = "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric \
     characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or \
     'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/// Returns the errors in `apiVersion`, `kind` and `metadata` of the embedded resources.
///
/// # Source
/// `apiextensions-apiserver/pkg/apiserver/schema/objectmeta`.
pub(super) fn embedded(object: &Value, schema: &Schema) -> Vec<Cause> {
    let mut found = Vec::new();
    walk(object, schema, Place::Root, &mut found);
    found
}

fn walk(value: &Value, schema: &Schema, place: Place<'_>, found: &mut Vec<Cause>) {
    if let Value::Object(fields) = value
        && schema.is_embedded_resource
    {
        resource(fields, place, found);
    }
    schema.visit(value, &place, |place, value, schema| walk(value, schema, place, found));
}

fn resource(members: &Map<String, Value>, place: Place<'_>, found: &mut Vec<Cause>) {
    let at = |name| Place::Member(&place, name).to_string();
    for name in ["apiVersion", "kind"].into_iter().filter(|name| !members.contains_key(*name)) {
        found.push(messages::missing(at(name)));
    }
    for name in ["apiVersion", "kind"] {
        let Some(value) = members.get(name) else { continue };
        let why = match value.as_str() {
            None => "must be a string".to_owned(),
            Some("") => "must not be empty".to_owned(),
            Some(text) if name == "apiVersion" && text.matches('/').count() > 1 => {
                format!("unexpected GroupVersion string: {text}")
            }
            Some(text) if name == "kind" && !is_label(&text.to_lowercase()) => KIND.to_owned(),
            Some(_) => continue,
        };
        found.push(Cause::invalid(at(name), &messages::shown(value), &why));
    }
    if let Some(metadata) = members.get("metadata").filter(|metadata| !metadata.is_object() && !metadata.is_null()) {
        let type_ = match metadata {
            Value::String(_) => "string",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            _ => "array",
        };
        let why = format!("json: cannot unmarshal {type_} into Go value of type v1.ObjectMeta");
        found.push(Cause::invalid(at("metadata"), &messages::shown(metadata), &why));
    }
}

fn is_label(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= 63
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.ends_with(inner)
        && text.chars().all(|c| inner(c) || c == '-')
}
