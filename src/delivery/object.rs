//! Reading single members of an object in JSON.

use serde_json::Value;

/// Returns the text at a JSON pointer, or an empty one if there is none.
pub(super) fn text<'a>(object: &'a Value, pointer: &str) -> &'a str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

/// Says whether an object bears an annotation, whatever its value.
pub(super) fn has_annotation(object: &Value, name: &str) -> bool {
    object.pointer("/metadata/annotations").and_then(|annotations| annotations.get(name)).is_some()
}

/// Says whether an object bears a label, whatever its value.
pub(super) fn has_label(object: &Value, name: &str) -> bool {
    object.pointer("/metadata/labels").and_then(|labels| labels.get(name)).is_some()
}
