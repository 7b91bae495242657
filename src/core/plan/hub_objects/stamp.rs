//! What Tidegate adds to a declared object before it is applied: the mark of ownership, the hash of what is applied, and on an add-on
//! the annotation that keeps upstream's manager away.

use serde_json::{Value, json};

use tidegate_api::key;
use tidegate_go::canonical::{go_json, sha256_hex};
use tidegate_model::instance::Instance;
use tidegate_model::object::ObjectKey;

/// Returns a declared object as it is applied.
pub(super) fn stamped(declared: &Value, key: &ObjectKey, instance: &Instance) -> Value {
    let mut object = marked(declared, key);
    set(&mut object, "labels", key::INSTANCE_LABEL, instance.id.as_str());
    if !instance.name.is_empty() {
        set(&mut object, "annotations", key::INSTANCE_NAME, &instance.name);
    }
    let hash = hash(&object);
    set(&mut object, "annotations", key::APPLIED_HASH, &hash);
    object
}

/// Returns the hash that an instance without an identity wrote on a declared object.
pub(super) fn unidentified_hash(declared: &Value, key: &ObjectKey) -> String {
    hash(&marked(declared, key))
}

fn marked(declared: &Value, key: &ObjectKey) -> Value {
    let mut object = declared.clone();
    set(&mut object, "labels", key::OWNED_LABEL, "true");
    if key.kind == "ClusterManagementAddOn" {
        set(&mut object, "annotations", key::LIFECYCLE, key::LIFECYCLE_SELF);
    }
    object
}

fn hash(object: &Value) -> String {
    sha256_hex(go_json(object).as_bytes())
}

/// Sets a label or annotation. In a kind without a schema, there may be another value in place of the map; the hub will refuse it.
fn set(object: &mut Value, map: &str, name: &str, value: &str) {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let marks = metadata.entry(map).or_insert_with(|| json!({}));
    if marks.is_null() {
        *marks = json!({});
    }
    if let Some(marks) = marks.as_object_mut() {
        marks.insert(name.to_owned(), json!(value));
    }
}
