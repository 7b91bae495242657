//! Checks of labels, annotations and the other fields of `metadata`.
//!
//! # Source
//! Kubernetes "Labels and Selectors" and ObjectMeta v1.

use serde_json::{Map, Value};

use super::wording::described;
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_go::label;
use tidegate_model::name::ClusterName;
use tidegate_model::near::remedy;

/// The fields of ObjectMeta.
const MEMBERS: [&str; 15] = [
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "labels",
    "managedFields",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Adds the problems of the metadata of any object.
pub(super) fn check(notes: &mut Notes<'_>) {
    let object = notes.object;
    let Some(metadata) = object.value.get("metadata").and_then(Value::as_object) else { return };
    for member in metadata.keys().filter(|member| !MEMBERS.contains(&member.as_str())) {
        if notes.is_full() {
            return;
        }
        let origin = object.key_origin(&path(&["metadata", member]));
        notes.error(origin, format!("metadata.{member} is not known; {}", remedy(member, MEMBERS)));
    }
    texts(notes, metadata, "labels");
    texts(notes, metadata, "annotations");
}

fn texts(notes: &mut Notes<'_>, metadata: &Map<String, Value>, member: &str) {
    let object = notes.object;
    let entries = match metadata.get(member) {
        None | Some(Value::Null) => return,
        Some(Value::Object(entries)) => entries,
        Some(other) => {
            let message = format!("metadata.{member} is {}; write a mapping", described(other));
            return notes.error(object.origin_of(&["metadata", member]), message);
        }
    };
    for (key, value) in entries {
        if notes.is_full() {
            return;
        }
        let at = path(&["metadata", member, key]);
        if let Err(why) = qualified_name(key) {
            notes.error(object.key_origin(&at), format!("the key {key:?} in metadata.{member} is not valid: {why}"));
        }
        let origin = object.value_origin(&at);
        match value {
            Value::String(text) if member == "labels" && !label::value_faults(text).is_empty() => {
                let why = "at most 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends";
                notes.error(origin, format!("the value {text:?} of label {key:?} is not valid: {why}"));
            }
            Value::String(_) => {}
            Value::Bool(_) | Value::Number(_) => {
                notes.error(origin, format!("{at} is {}; put it in quotes", described(value)));
            }
            other => notes.error(origin, format!("{at} is {}; write a string", described(other))),
        }
    }
}

fn name_part(text: &str) -> bool {
    let inner = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
    text.len() <= 63 && inner && edge(text.bytes().next()) && edge(text.bytes().last())
}

fn qualified_name(key: &str) -> Result<(), &'static str> {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    // A prefix follows the rule for the names of custom resources.
    if prefix.is_some_and(|prefix| prefix.parse::<ClusterName>().is_err()) {
        return Err("the part before the '/' must be a lowercase DNS name, such as \"example.com\"");
    }
    if !name_part(name) {
        return Err("the name must be 1 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends");
    }
    Ok(())
}
