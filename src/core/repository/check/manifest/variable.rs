//! `{{VARIABLES}}` in manifests.

use serde_json::Value;

/// Returns `true` if a string may contain a variable.
pub(super) fn is_in(text: &str) -> bool {
    text.contains("{{")
}

/// Returns `true` if a value is a string that may contain a variable.
pub(super) fn is_value(value: &Value) -> bool {
    value.as_str().is_some_and(is_in)
}

/// Returns `true` if a key of an object may contain a variable, so that it can become any field.
pub(super) fn is_key_of(object: &Value) -> bool {
    object.as_object().is_some_and(|fields| fields.keys().any(|key| is_in(key)))
}
