//! What is wrong with an application, with the place of each mistake.

use std::collections::BTreeMap;

use serde_json::Value;

use super::manifest::check_manifests;
use super::strategy::STRATEGY_SCHEMA;
use super::template::identity;
use super::wording::wording;
use crate::application::{
    OBJECTS, PLACEMENT, component_schema, component_types, lack, placements, trait_schema, trait_types, written,
};
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::key;
use tidegate_api::schema::Schema;
use tidegate_api::schema::check::{Violation, violations};
use tidegate_api::schema::path::Path;
use tidegate_model::near::remedy;
use tidegate_model::object::ObjectKey;
use tidegate_model::semantics::{Rules, Semantics};

/// Fields of a component that are known and refused.
const REFUSED: [(&str, &str); 5] = [
    ("dependsOn", "is not supported yet; the objects of all components are applied at once"),
    ("inputs", "is not supported: what a step finds out while it runs cannot be planned; write the value"),
    ("outputs", "is not supported: what a step finds out while it runs cannot be planned; remove it"),
    ("externalRevision", "is not supported yet; remove it"),
    ("replicaKey", "is written by KubeVela and not by people; remove it"),
];

/// Adds the problems of an application that its schema does not show.
pub(super) fn check(notes: &mut Notes<'_>, rules: &Rules) {
    let object = notes.object;
    if rules.engine == Semantics::Compat {
        let message = "an Application is rolled out with the semantics strict only, but tidegate.toml says compat; upstream has no rules for it";
        notes.error(object.origin_of(&["kind"]), message);
    }
    if object.key.namespace.is_empty() {
        let message = "metadata.namespace is missing; add it: it is also the namespace of the objects on the clusters";
        notes.error(object.origin_of(&["metadata"]), message);
    }
    if object.key.name.len() > 63 || object.key.name.contains('.') {
        let message = format!(
            "metadata.name {:?} is not a valid name for an Application: at most 63 characters and no '.'",
            object.key.name
        );
        notes.error(object.origin_of(&["metadata", "name"]), message);
    }
    let workflow = path(&["spec", "workflow"]);
    if object.value.pointer("/spec/workflow").is_some() {
        let message = "spec.workflow is not supported yet; write a policy of type placement for each group of clusters, in their order";
        notes.error(object.key_origin(&workflow), message);
    }
    policies(notes);
    for (index, component) in listed(&object.value, "/spec/components") {
        self::component(notes, &path(&["spec", "components"]).item(index), component);
    }
    repeated(notes);
}

/// Adds a complaint about each object that an application renders twice: only the last one would reach the clusters.
fn repeated(notes: &mut Notes<'_>) {
    if !notes.complaints.is_empty() {
        // What it renders is not what it means.
        return;
    }
    let mut first: BTreeMap<ObjectKey, usize> = BTreeMap::new();
    for (index, key) in written(notes.object) {
        let at = path(&["spec", "components"]).item(index);
        match first.get(&key) {
            Some(earlier) => {
                let message =
                    format!("{at} renders {key}, and so does spec.components[{earlier}]; remove or rename one");
                notes.error(notes.object.value_origin(&at), message);
            }
            None => drop(first.insert(key, index)),
        }
    }
}

fn listed<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = (usize, &'v Value)> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten().enumerate()
}

fn policies(notes: &mut Notes<'_>) {
    let object = notes.object;
    for (index, policy) in listed(&object.value, "/spec/policies") {
        let at = path(&["spec", "policies"]).item(index);
        match policy.get("type").and_then(Value::as_str) {
            Some(PLACEMENT) => match policy.get("properties") {
                Some(properties) => placement(notes, &at.member("properties"), properties),
                None => notes.error(object.value_origin(&at), format!("{at}.properties is missing; name a Placement")),
            },
            Some(other) => {
                let at = at.member("type");
                let message = format!(
                    "{at} is {other:?}, which is not supported; write {PLACEMENT}, with the name of a Placement"
                );
                notes.error(object.value_origin(&at), message);
            }
            None => {}
        }
    }
    if placements(&object.value).is_empty() && listed(&object.value, "/spec/policies").next().is_none() {
        let message = format!("the application has no cluster; add a policy of type {PLACEMENT}");
        notes.error(object.origin_of(&["spec"]), message);
    }
}

fn placement(notes: &mut Notes<'_>, at: &Path, properties: &Value) {
    let strategy = at.member("rolloutStrategy");
    for member in properties.as_object().into_iter().flatten().map(|(name, _)| name.as_str()) {
        if !matches!(member, "name" | "namespace" | "rolloutStrategy") {
            let at = at.member(member);
            let known = ["name", "namespace", "rolloutStrategy"];
            notes.error(notes.object.key_origin(&at), format!("{at} is not known; {}", remedy(member, known)));
        }
    }
    for (member, is_required) in [("name", true), ("namespace", false)] {
        let is_text = properties.get(member).is_some_and(|value| value.as_str().is_some_and(|text| !text.is_empty()));
        if !is_text && (is_required || properties.get(member).is_some()) {
            let message = format!("{} must be the {member} of a Placement, as a string", at.member(member));
            notes.error(notes.object.value_origin(&at.member(member)), message);
        }
    }
    if let Some((given, schema)) = properties.get("rolloutStrategy").zip(*STRATEGY_SCHEMA) {
        conform(notes, (&strategy, given), schema);
    }
}

fn component(notes: &mut Notes<'_>, at: &Path, component: &Value) {
    let object = notes.object;
    for (member, why) in REFUSED {
        if component.get(member).is_some() {
            let at = at.member(member);
            notes.error(object.key_origin(&at), format!("{at} {why}"));
        }
    }
    let type_ = component.get("type").and_then(Value::as_str).unwrap_or_default();
    properties(notes, (at, component), "component", component_schema(type_), component_types());
    let is_given = type_ == OBJECTS;
    if is_given {
        let at = at.member("properties").member("objects");
        let manifests = listed(component, "/properties/objects").map(|(index, object)| (at.item(index), object));
        let manifests: Vec<_> = manifests.filter(|(_, object)| object.is_object()).collect();
        manifests.iter().for_each(|(at, object)| identity(notes, at, object));
        manifests.iter().for_each(|(at, object)| hook(notes, at, object));
        check_manifests(notes, &manifests);
    }
    for (index, of_component) in listed(component, "/traits") {
        let at = at.member("traits").item(index);
        let type_ = of_component.get("type").and_then(Value::as_str).unwrap_or_default();
        properties(notes, (&at, of_component), "trait", trait_schema(type_), trait_types());
        let workload = component.pointer("/properties/objects/0").filter(|_| is_given);
        if let Some(lack) = workload.and_then(|workload| lack(type_, workload)) {
            let at = at.member("type");
            let message =
                format!("{at} is {type_}, which needs {lack} as the first object of its component; remove it");
            notes.error(object.value_origin(&at), message);
        }
    }
}

/// Adds a complaint about an object that would be left out as a pre-delete hook of an add-on.
fn hook(notes: &mut Notes<'_>, at: &Path, object: &Value) {
    for member in ["annotations", "labels"] {
        if object.get("metadata").and_then(|metadata| metadata.get(member)?.get(key::PRE_DELETE)).is_some() {
            let at = at.member("metadata").member(member).member(key::PRE_DELETE);
            let message = format!("{at} makes a hook of an add-on, and an application has no hooks; remove it");
            notes.error(notes.object.key_origin(&at), message);
        }
    }
}

/// Adds the problems of the type and the properties of a component or trait.
fn properties<'t>(
    notes: &mut Notes<'_>,
    (at, given): (&Path, &Value),
    what: &str,
    schema: Option<&Schema>,
    known: impl Iterator<Item = &'t str> + Clone,
) {
    let type_ = given.get("type").and_then(Value::as_str).filter(|type_| !type_.is_empty());
    match (type_, schema) {
        (Some(type_), None) => {
            let at = at.member("type");
            let message = format!("{at} is {type_:?}, which is no known {what}; {}", remedy(type_, known));
            notes.error(notes.object.value_origin(&at), message);
        }
        (Some(_), Some(schema)) => {
            let none = Value::Object(serde_json::Map::new());
            conform(notes, (&at.member("properties"), given.get("properties").unwrap_or(&none)), schema);
        }
        (None, _) => {}
    }
}

/// Adds the violations of a schema by a value at a path.
fn conform(notes: &mut Notes<'_>, (at, given): (&Path, &Value), schema: &Schema) {
    let object = notes.object;
    for (below, violation) in violations(given, schema) {
        let found = Path(at.0.iter().chain(&below.0).cloned().collect());
        let origin = match violation {
            Violation::Unknown { .. } | Violation::Missing => object.key_origin(&found),
            _ => object.value_origin(&found),
        };
        notes.error(origin, wording(&object.value, &found, &violation));
    }
}
