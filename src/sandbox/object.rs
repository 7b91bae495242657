//! Access to the `metadata` of objects.

use serde_json::{Map, Value};

/// The finalizer of a foreground deletion: the object waits for its dependents.
pub(crate) const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an orphaning deletion: the dependents lose their owner and stay.
pub(crate) const ORPHAN: &str = "orphan";

/// Returns a string field of the metadata; empty if it is absent or not a string.
pub(crate) fn text<'a>(object: &'a Value, member: &str) -> &'a str {
    metadata(object, member).and_then(Value::as_str).unwrap_or_default()
}

/// Returns a field of the metadata.
pub(crate) fn metadata<'a>(object: &'a Value, member: &str) -> Option<&'a Value> {
    object.get("metadata")?.get(member)
}

/// Returns the metadata for writing; creates it if it is absent.
pub(crate) fn metadata_mut(object: &mut Value) -> &mut Map<String, Value> {
    let metadata = members_mut(object).entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    members_mut(metadata)
}

/// Returns the fields for writing; a value that is not an object is replaced with an empty one.
pub(crate) fn members_mut(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("replaced with an object above")
}

/// Sets a field of the metadata, or removes it.
pub(crate) fn set(object: &mut Value, member: &str, value: Option<Value>) {
    let metadata = metadata_mut(object);
    match value {
        Some(value) => metadata.insert(member.to_owned(), value),
        None => metadata.remove(member),
    };
}

/// Returns the finalizers.
pub(crate) fn finalizers(object: &Value) -> Vec<&str> {
    let list = metadata(object, "finalizers").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns `true` if the object is being deleted.
pub(crate) fn is_being_deleted(object: &Value) -> bool {
    metadata(object, "deletionTimestamp").is_some()
}

/// Returns the UIDs of the owners.
pub(crate) fn owners(object: &Value) -> impl Iterator<Item = &str> {
    let list = metadata(object, "ownerReferences").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|owner| owner.get("uid")?.as_str())
}

/// Adds the fields of `defaults` that are absent.
pub(crate) fn fill_absent(object: &mut Value, defaults: &Value) {
    let fields = members_mut(object);
    for (name, default) in defaults.as_object().into_iter().flatten() {
        fields.entry(name).or_insert_with(|| default.clone());
    }
}
