//! Reading and writing of the metadata that a server keeps on every object.

use serde_json::{Map, Value};

/// The finalizer of a deletion that waits for the dependants.
pub(crate) const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of a deletion that leaves the dependants without an owner.
pub(crate) const ORPHAN: &str = "orphan";

/// Returns a text of the metadata; empty if it is not there.
pub(crate) fn text<'a>(object: &'a Value, member: &str) -> &'a str {
    metadata(object, member).and_then(Value::as_str).unwrap_or_default()
}

/// Returns a member of the metadata.
pub(crate) fn metadata<'a>(object: &'a Value, member: &str) -> Option<&'a Value> {
    object.get("metadata")?.get(member)
}

/// Returns the metadata for writing; makes it if it is not there.
pub(crate) fn metadata_mut(object: &mut Value) -> &mut Map<String, Value> {
    let metadata = members_mut(object).entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    members_mut(metadata)
}

/// Returns the members for writing; anything that is not an object becomes an empty one.
pub(crate) fn members_mut(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("made an object in the line above")
}

/// Sets a member of the metadata, or removes it.
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

/// Returns `true` if the object waits for its finalizers to end.
pub(crate) fn is_being_deleted(object: &Value) -> bool {
    metadata(object, "deletionTimestamp").is_some()
}

/// Returns the uids of the owners.
pub(crate) fn owners(object: &Value) -> impl Iterator<Item = &str> {
    let list = metadata(object, "ownerReferences").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|owner| owner.get("uid")?.as_str())
}
