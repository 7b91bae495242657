//! Declared objects: applied wherever the hub differs from the declaration. Objects of other instances are left alone.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::drift;
use super::ownership::{Owner, remedy};
use super::stamp::stamped;
use crate::hub_objects::unassigned::Followed;
use crate::input::{Drifts, Input};
use crate::kept_declared::KeptDeclared;
use crate::rules;
use tidegate_api::key;
use tidegate_api::ocm::is_declaration;
use tidegate_api::rollout_policy::is_of_hub;
use tidegate_consent::RulesInForce;
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::UnitName;
use tidegate_model::object::{GroupKind, ObjectKey, contains};

/// Writes for declared objects, and what people should know about them.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// The writes.
    pub lanes: Vec<Lane>,
    /// Objects that the repository declares but another instance owns, each with its location and what to do about it.
    pub collisions: Vec<String>,
    /// Fields that others have added to declared objects and that are removed, each with its field manager.
    pub repairs: Vec<String>,
    /// Fields that others have added, with the number of times in a row that they were removed.
    pub drifts: Drifts,
}

/// A field that comes back this many times in a row is no longer removed: two fighting writers would fill the hub's
/// audit log.
const TRIES: u32 = 5;

/// Returns the writes that bring the hub in line with the repository, except for the objects of `refused` add-ons and what waits until
/// the rules of the repository are in force.
pub(crate) fn declared(
    input: &Input<'_>,
    in_force: &RulesInForce,
    refused: &BTreeSet<UnitName>,
    kept: &mut KeptDeclared,
) -> Declared {
    let ownership = input.ownership();
    let followed = Followed::of(input);
    let mut declared = Declared::default();
    for (key, wanted) in &input.repository.objects {
        // Overrides are written together with the add-ons of their clusters; `membership` decides where those are
        // installed.
        if key.kind == "ManagedClusterAddOn" || !is_of_hub(key) {
            continue;
        }
        // An object that cannot be observed would be written again and again.
        if input.unobserved.contains(&GroupKind::of(key)) {
            continue;
        }
        let observed = input.fleet.declared.get(key);
        let owner = observed.map(|observed| ownership.of_object(observed));
        if let Some(mark) = owner.as_ref().and_then(|owner| owner.other()) {
            let place = &wanted.place;
            declared.collisions.push(format!("{place}: {key} belongs to {mark}; it is not changed: {}", remedy(mark)));
            continue;
        }
        if is_refused(key, refused) {
            continue;
        }
        let Some(writable) = rules::writable(input, in_force, key, &wanted.object) else { continue };
        let is_declared = matches!(writable, Cow::Borrowed(_));
        if is_declared && kept.has(key, &wanted.object, observed) {
            continue;
        }
        let object = stamped(&writable, key, input.instance, input.delivery);
        if observed.is_some() && followed.contains(key) {
            continue;
        }
        let stage = if key.kind == "Namespace" { Stage::Prepare } else { Stage::Declare };
        let added = observed.filter(|_| is_declaration(key)).and_then(|observed| drift::drift(observed, &object));
        let mut writes = Vec::new();
        if !observed.is_some_and(|observed| is_as_declared(observed, &object)) {
            let unnamed = observed.and_then(|observed| unnamed(key, observed, &object));
            let may_replace = owner == Some(Owner::Ours) || ownership.takes_over(key);
            writes.push(if may_replace { Write::Apply { object } } else { Write::Declare { object } });
            writes.extend(unnamed);
        }
        if let Some((added, precondition)) = added.zip(observed.and_then(|observed| precondition(observed))) {
            let before = input.past.drifts.get(key).filter(|(fields, _)| *fields == added.fields);
            let tries = before.map_or(0, |(_, tries)| *tries);
            if tries < TRIES {
                declared.repairs.push(format!("{key}: {added}; it is not declared and is removed"));
                writes.push(Write::Patch { key: key.clone(), precondition, patch: added.patch.into() });
            } else {
                let place = &wanted.place;
                let stubborn =
                    format!("{place}: {key}: {added}, and comes back whenever it is removed; stop what sets it");
                declared.collisions.push(stubborn);
            }
            declared.drifts.insert(key.clone(), (added.fields, (tries + 1).min(TRIES)));
        }
        if !writes.is_empty() {
            declared.lanes.push(Lane { stage, writes });
        } else if let Some(observed) = observed.filter(|_| is_declared && !declared.drifts.contains_key(key)) {
            kept.keep(key, &wanted.object, observed);
        }
    }
    declared
}

/// Returns the state of an object as observed, in JSON.
pub(crate) fn precondition(observed: &Value) -> Option<Precondition> {
    let text = |pointer: &str| observed.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    Some(Precondition { uid: text("/metadata/uid")?, resource_version: text("/metadata/resourceVersion") })
}

/// Returns the write that removes the names from the default configurations of an add-on where they are declared without. Server-side
/// apply does not do that on a hub that serves two versions: in v1beta1 a kind without a default has a reserved name, so the field is
/// still there, and keeps its value.
fn unnamed(key: &ObjectKey, observed: &Value, object: &Value) -> Option<Write> {
    let is_named = |config: &Value| config["name"] != key::RESERVED_NO_DEFAULT;
    let configs = |object: &Value| object.pointer("/spec/defaultConfigs").and_then(Value::as_array).cloned();
    let (is, declared) = (configs(observed)?, configs(object)?);
    let is_kept = key.kind != "ClusterManagementAddOn" || declared.iter().any(is_named) || !is.iter().any(is_named);
    // The write before it changes the version.
    let precondition = Precondition { resource_version: None, ..precondition(observed)? };
    let patch = json!({ "spec": { "defaultConfigs": declared } });
    (!is_kept).then(|| Write::Patch { key: key.clone(), precondition, patch: patch.into() })
}

fn is_refused(key: &ObjectKey, refused: &BTreeSet<UnitName>) -> bool {
    key.kind == "ClusterManagementAddOn" && refused.contains(key.name.as_str())
}

/// Returns `true` if the hub has an object as declared. The hash reveals a field that was dropped from the declaration,
/// the comparison reveals changes by others.
pub(crate) fn is_as_declared(observed: &Value, object: &Value) -> bool {
    let without_version = |object: &Value| {
        let mut object = object.clone();
        object.as_object_mut().map(|members| members.remove("apiVersion"));
        object
    };
    contains(observed, &without_version(object))
}
