//! What Tidegate adds to a declared object before it is applied: the mark of ownership, the hash of what is applied, and on an add-on
//! who manages it. Where OCM's add-on manager delivers an add-on, Tidegate carries out its install strategy, and the hub has `Manual` and
//! no default configurations: the manager would deliver a new default to all clusters at once.

use serde_json::{Value, json};

use tidegate_api::key;
use tidegate_delivery::upstream::Delivery;
use tidegate_go::canonical::{go_json, sha256_hex};
use tidegate_model::instance::Instance;
use tidegate_model::object::ObjectKey;

/// Returns a declared object as it is applied.
pub(crate) fn stamped(declared: &Value, key: &ObjectKey, instance: &Instance, delivery: Delivery) -> Value {
    let mut object = marked(declared, key, delivery);
    set(&mut object, "labels", key::INSTANCE_LABEL, instance.id.as_str());
    if !instance.name.is_empty() {
        set(&mut object, "annotations", key::INSTANCE_NAME, &instance.name);
    }
    let hash = hash(&object);
    set(&mut object, "annotations", key::APPLIED_HASH, &hash);
    object
}

fn marked(declared: &Value, key: &ObjectKey, delivery: Delivery) -> Value {
    let mut object = declared.clone();
    set(&mut object, "labels", key::OWNED_LABEL, "true");
    match (key.kind.as_str(), delivery) {
        ("ClusterManagementAddOn", Delivery::Native) => {
            set(&mut object, "annotations", key::LIFECYCLE, key::LIFECYCLE_SELF);
        }
        ("ClusterManagementAddOn", Delivery::Upstream) => {
            set(&mut object, "annotations", key::LIFECYCLE, key::LIFECYCLE_ADDON_MANAGER);
            if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
                let declared = spec.insert("installStrategy".to_owned(), json!({ "type": "Manual" }));
                set(
                    &mut object,
                    "annotations",
                    key::INSTALL_STRATEGY,
                    &go_json(&declared.unwrap_or_else(|| json!({}))),
                );
            }
            if let Some(declared) = without_defaults(&mut object) {
                set(&mut object, "annotations", key::DEFAULT_CONFIGS, &go_json(&declared));
            }
        }
        _ => {}
    }
    object
}

/// Lets the default configurations of an add-on name their kinds only, and returns them as they were. The manager serves an add-on whose
/// default configurations list AddOnTemplates, whether or not they name one.
fn without_defaults(object: &mut Value) -> Option<Value> {
    let configs = object.pointer_mut("/spec/defaultConfigs").filter(|configs| configs.is_array())?;
    let declared = configs.clone();
    for config in configs.as_array_mut()?.iter_mut().filter_map(Value::as_object_mut) {
        config.remove("namespace");
        config.insert("name".to_owned(), json!(key::RESERVED_NO_DEFAULT));
    }
    Some(declared)
}

fn hash(object: &Value) -> String {
    sha256_hex(go_json(object).as_bytes())
}

/// Sets a label or annotation. In a kind without a schema, the value may not be a map; then nothing is set, and the hub refuses the object.
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
