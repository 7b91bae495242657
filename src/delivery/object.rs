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

/// Says whether an API server that was given `wanted` holds `observed`: a null member is as good as none, and a number has
/// many spellings.
pub(super) fn same(observed: &Value, wanted: &Value) -> bool {
    match (observed, wanted) {
        (Value::Object(observed), Value::Object(wanted)) => {
            let is_there = |(name, wanted)| same(observed.get(name).unwrap_or(&Value::Null), wanted);
            let is_wanted = |(name, value): (&String, &Value)| value.is_null() || wanted.contains_key(name);
            wanted.iter().all(is_there) && observed.iter().all(is_wanted)
        }
        (Value::Array(observed), Value::Array(wanted)) => {
            observed.len() == wanted.len()
                && observed.iter().zip(wanted).all(|(observed, wanted)| same(observed, wanted))
        }
        (Value::Number(observed), Value::Number(wanted)) => observed == wanted || observed.as_f64() == wanted.as_f64(),
        (observed, wanted) => observed == wanted,
    }
}
