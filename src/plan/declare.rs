//! Declared objects: applied where the hub has them not or otherwise, pruned where the repository has them no longer.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::input::Input;
use crate::api::key;
use crate::model::action::{Lane, Precondition, Stage, Write};
use crate::model::canonical::{go_json, sha256_hex};
use crate::model::name::AddonName;
use crate::model::object::{ObjectKey, contains};

/// Writes for declared objects, and what a person should know of them.
#[derive(Debug, Default)]
pub struct Declared {
    /// The writes.
    pub lanes: Vec<Lane>,
    /// A pruning that was held back.
    pub notices: Vec<String>,
}

/// Returns the writes that make the hub hold what the repository declares, the objects of `refused` add-ons apart.
pub fn declared(input: &Input<'_>, refused: &BTreeSet<AddonName>) -> Declared {
    let lanes = input
        .repository
        .objects
        .iter()
        // Overrides are written with the add-ons of their clusters: an add-on is not installed by declaring one.
        .filter(|(key, _)| key.kind != "ManagedClusterAddOn" && !is_refused(key, refused))
        // What cannot be seen would be written again and again.
        .filter(|(key, _)| !input.unobserved.contains(&(key.group.clone(), key.kind.clone())))
        .filter_map(|(key, declared)| {
            let object = stamped(&declared.object, key);
            let stage = if key.kind == "Namespace" { Stage::Prepare } else { Stage::Declare };
            let is_there = input.fleet.declared.get(key).is_some_and(|observed| is_as_declared(observed, &object));
            (!is_there).then(|| Lane { stage, writes: vec![Write::Apply { object }] })
        })
        .collect();
    let mut declared = Declared { lanes, notices: Vec::new() };
    prune(input, &mut declared);
    declared
}

fn is_refused(key: &ObjectKey, refused: &BTreeSet<AddonName>) -> bool {
    key.kind == "ClusterManagementAddOn" && refused.contains(key.name.as_str())
}

/// Adds the ownership label, the hash of what is applied, and to an add-on the mark that Tidegate drives it.
fn stamped(declared: &Value, key: &ObjectKey) -> Value {
    let mut object = declared.clone();
    mark(&mut object, "labels", key::OWNED_LABEL, "true");
    if key.kind == "ClusterManagementAddOn" {
        mark(&mut object, "annotations", key::LIFECYCLE, key::LIFECYCLE_SELF);
    }
    let hash = sha256_hex(go_json(&object).as_bytes());
    mark(&mut object, "annotations", key::APPLIED_HASH, &hash);
    object
}

/// Sets a label or annotation. Of a kind without a schema, anything may stand where a map belongs; the hub will refuse it.
fn mark(object: &mut Value, map: &str, name: &str, value: &str) {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let marks = metadata.entry(map).or_insert_with(|| json!({}));
    if marks.is_null() {
        *marks = json!({});
    }
    if let Some(marks) = marks.as_object_mut() {
        marks.insert(name.to_owned(), json!(value));
    }
}

/// The hash tells that a member was dropped from the declaration, the comparison that somebody changed the object.
fn is_as_declared(observed: &Value, object: &Value) -> bool {
    let without_version = |object: &Value| {
        let mut object = object.clone();
        object.as_object_mut().map(|members| members.remove("apiVersion"));
        object
    };
    contains(observed, &without_version(object))
}

fn prune(input: &Input<'_>, declared: &mut Declared) {
    let settings = &input.repository.settings.prune;
    let owned = input.fleet.declared.iter().filter(|(key, object)| {
        key.kind != "ManagedClusterAddOn"
            && object.pointer("/metadata/labels").and_then(|l| l.get(key::OWNED_LABEL)) == Some(&json!("true"))
    });
    let owned: Vec<_> = owned.collect();
    let left: Vec<_> = owned
        .iter()
        .filter(|(key, object)| {
            !input.repository.objects.contains_key(key) && object.pointer("/metadata/deletionTimestamp").is_none()
        })
        .collect();
    if left.is_empty() || !settings.enabled {
        return;
    }
    if !input.repository.may_prune {
        declared.notices.push(format!(
            "{} objects are no longer in the repository; they are not pruned while the revision has complaints",
            left.len()
        ));
        return;
    }
    // Rounded up, so that a small repository can lose an object at all.
    let most = (owned.len() * settings.max_percent as usize).div_ceil(100);
    if left.len() > most {
        declared.notices.push(format!(
            "{} of {} objects are no longer in the repository; at most {most} ({} %) are pruned at once, so none is: \
             remove them in smaller steps, or raise prune.max_percent in tidegate.toml",
            left.len(),
            owned.len(),
            settings.max_percent,
        ));
        return;
    }
    declared.lanes.extend(left.into_iter().filter_map(|(key, object)| {
        let uid = object.pointer("/metadata/uid")?.as_str()?.to_owned();
        let precondition = Precondition { uid, resource_version: None };
        Some(Lane { stage: Stage::Prune, writes: vec![Write::Delete { key: (*key).clone(), precondition }] })
    }));
}
