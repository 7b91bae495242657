//! Copies of configurations that never change.
//!
//! The add-on manager moves a cluster as soon as an object that it names is edited. So clusters name copies, whose names contain the hash
//! of their content: an edit of the original reaches no cluster before its turn.

use serde_json::{Map, Value, json};

use crate::status::Desired;
use tidegate_api::key;

/// Number of digits of the hash in a name.
const DIGITS: usize = 8;
/// The longest name of an object.
const LONGEST: usize = 253;

/// Returns the name of the copy of a configuration with this content.
pub fn name(original: &Desired) -> String {
    let digest: String = original.spec_hash.chars().take(DIGITS).collect();
    let kept: String = original.reference.name.chars().take(LONGEST - DIGITS - 1).collect();
    format!("{kept}-{digest}")
}

/// Returns the copy of a configuration: the same content under another name, with the original in an annotation.
pub fn object(content: &Value, original: &Desired) -> Value {
    let members = content.as_object().cloned().unwrap_or_default();
    let mut copy: Map<String, Value> =
        members.into_iter().filter(|(name, _)| name != "metadata" && name != "status").collect();
    let mut metadata = json!({ "name": name(original), "annotations": { key::COPY_OF: json!(original).to_string() } });
    if !original.reference.namespace.is_empty() {
        metadata["namespace"] = json!(original.reference.namespace);
    }
    copy.insert("metadata".to_owned(), metadata);
    Value::Object(copy)
}

/// Returns the configuration that an object is a copy of; `None` if it is not a copy.
pub fn original(object: &Value) -> Option<Desired> {
    let text = object.pointer("/metadata/annotations")?.get(key::COPY_OF)?.as_str()?;
    serde_json::from_str(text).ok()
}
