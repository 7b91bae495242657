//! What is wrong with an application, with the place of each mistake.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::manifest::check_manifests;
use super::strategy::STRATEGY_SCHEMA;
use super::template::identity;
use super::wording::wording;
use crate::application;
use crate::application::{
    OBJECTS, PLACEMENT, PUBLISH_VERSION, component_schema, component_types, missing_workload, placements, trait_schema,
    trait_types,
};
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::key;
use tidegate_api::schema::Schema;
use tidegate_api::schema::check::{Violation, violations};
use tidegate_api::schema::path::Path;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::near::remedy;
use tidegate_model::object::ObjectKey;
use tidegate_model::semantics::{Rules, Semantics};

/// Fields of a component that are known and refused.
const REFUSED: [(&str, &str); 6] = [
    ("dependsOn", "is not supported yet, since the objects of all components are applied at once; remove it"),
    ("inputs", "is not supported: what a step finds out while it runs cannot be planned; write the value"),
    ("outputs", "is not supported: what a step finds out while it runs cannot be planned; remove it"),
    ("externalRevision", "is not supported yet; remove it"),
    ("scopes", "was removed from KubeVela; remove it"),
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
    for (member, name) in [("name", &object.key.name), ("namespace", &object.key.namespace)] {
        if let Some(why) = misnamed(name).filter(|_| !name.is_empty()) {
            let message = format!("metadata.{member} {name:?} is not a valid name: {why}");
            notes.error(object.origin_of(&["metadata", member]), message);
        }
    }
    version(notes);
    let workflow = path(&["spec", "workflow"]);
    if object.value.pointer("/spec/workflow").is_some() {
        let message = "spec.workflow is not supported yet; write a policy of type placement for each group of clusters, in their order";
        notes.error(object.key_origin(&workflow), message);
    }
    policies(notes);
    for (index, component) in listed(&object.value, "/spec/components") {
        self::component(notes, &path(&["spec", "components"]).item(index), component);
    }
    rendered(notes);
}

/// Returns what is wrong with a name that becomes a part of the names of works.
fn misnamed(name: &str) -> Option<&'static str> {
    let is_label = name.parse::<ClusterName>().is_ok() && !name.contains('.');
    match name.len() {
        64.. => Some("it is longer than 63 characters"),
        _ if !is_label => Some("write lower-case letters, digits and '-', with a letter or digit at both ends"),
        _ => None,
    }
}

/// Adds a complaint about a version that is not the value of a label.
fn version(notes: &mut Notes<'_>) {
    let at = path(&["metadata", "annotations"]).member(PUBLISH_VERSION);
    let annotations = notes.object.value.pointer("/metadata/annotations");
    let Some(version) = annotations.and_then(|annotations| annotations.get(PUBLISH_VERSION)?.as_str()) else { return };
    let is_edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let is_valid = version.len() <= 63
        && is_edge(version.chars().next())
        && is_edge(version.chars().last())
        && version.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if !is_valid {
        let message = format!(
            "{at} is {version:?}; write letters, digits, '-', '_' and '.', with a letter or digit at both ends, and at most 63 characters"
        );
        notes.error(notes.object.value_origin(&at), message);
    }
}

/// Adds the problems of the objects that an application renders: an object that is rendered twice, and what an API server refuses.
fn rendered(notes: &mut Notes<'_>) {
    if !notes.complaints.is_empty() {
        // What it renders is not what it means.
        return;
    }
    let mut objects = application::rendered(notes.object);
    repeated(notes, &objects);
    if !notes.complaints.is_empty() {
        return;
    }
    // An application has no variables, and a text that looks like one is checked like any other.
    objects.iter_mut().for_each(|(_, object)| without_variables(object));
    let manifest = |(index, object): &'_ (usize, Value)| {
        let key = ObjectKey::of(object).map(|key| format!("({} {})", key.kind, key.name)).unwrap_or_default();
        path(&["spec", "components"]).item(*index).member(&key)
    };
    let manifests: Vec<(Path, &Value)> = objects.iter().map(|object| (manifest(object), &object.1)).collect();
    check_manifests(notes, &manifests);
}

/// Replaces what would be the beginning of a variable in a template.
fn without_variables(value: &mut Value) {
    match value {
        Value::String(text) if text.contains("{{") => *text = text.replace("{{", "{ {"),
        Value::Array(items) => items.iter_mut().for_each(without_variables),
        Value::Object(members) => members.values_mut().for_each(without_variables),
        _ => {}
    }
}

/// Adds a complaint about each object that is rendered twice, since only the last one would reach the clusters, and about invalid names.
fn repeated(notes: &mut Notes<'_>, objects: &[(usize, Value)]) {
    let mut first: BTreeMap<ObjectKey, usize> = BTreeMap::new();
    for (index, key) in objects.iter().filter_map(|(index, object)| Some((*index, ObjectKey::of(object)?))) {
        let at = path(&["spec", "components"]).item(index);
        match first.get(&key) {
            Some(earlier) => {
                let message =
                    format!("{at} renders {key}, and so does spec.components[{earlier}]; remove or rename one");
                notes.error(notes.object.value_origin(&at), message);
            }
            None => {
                // Kubernetes: the name of a Service is a DNS-1035 label.
                if key.kind == "Service" && !key.name.starts_with(|first: char| first.is_ascii_lowercase()) {
                    let message =
                        format!("{at} renders {key}, but the name of a Service begins with a letter; rename it");
                    notes.error(notes.object.value_origin(&at), message);
                }
                first.insert(key, index);
            }
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
    let mut named: BTreeMap<NamespacedName, Path> = BTreeMap::new();
    for (at, name, _) in placements(&object.value) {
        match named.get(&name) {
            Some(first) => {
                let message = format!("{at} names Placement {name} again, like {first}; keep one of the two policies");
                notes.error(object.value_origin(&at), message);
            }
            None => drop(named.insert(name, at)),
        }
    }
    if listed(&object.value, "/spec/policies").next().is_none() {
        let message = format!("the application selects no clusters; add a policy of type {PLACEMENT}");
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
    ports(notes, &at.member("properties"), component.get("properties").unwrap_or(&Value::Null));
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
        if let Some(lack) = workload.and_then(|workload| missing_workload(type_, workload)) {
            let at = at.member("type");
            let message =
                format!("{at} is {type_}, which needs {lack} as the first object of its component; remove it");
            notes.error(object.value_origin(&at), message);
        }
    }
}

/// Adds the problems of ports that a schema does not show.
fn ports(notes: &mut Notes<'_>, at: &Path, properties: &Value) {
    if properties.get("port").is_some() && properties.get("ports").is_some() {
        let at = at.member("port");
        notes.error(notes.object.key_origin(&at), format!("{at} has no effect beside ports; remove it"));
    }
    let type_ = properties.get("exposeType").and_then(Value::as_str).unwrap_or("ClusterIP");
    let (mut names, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    for (index, port) in listed(properties, "/ports") {
        let at = at.member("ports").item(index);
        let is_exposed = port.get("expose") == Some(&Value::Bool(true));
        let number = port.get("port").and_then(Value::as_i64);
        if !numbers.insert((number, port.get("protocol").and_then(Value::as_str).unwrap_or("TCP"))) {
            let at = at.member("port");
            notes.error(notes.object.value_origin(&at), format!("{at} is the same as a port before it; remove one"));
        }
        if port.get("nodePort").is_some() && (!is_exposed || type_ == "ClusterIP") {
            let at = at.member("nodePort");
            let message = format!("{at} has no effect; write expose: true and exposeType: NodePort, or remove it");
            notes.error(notes.object.key_origin(&at), message);
        }
        if let Some(name) = port.get("name").and_then(Value::as_str)
            && !names.insert(name)
        {
            let at = at.member("name");
            notes.error(
                notes.object.value_origin(&at),
                format!("{at} is the name of a port before it; choose another one"),
            );
        }
    }
}

/// Adds a complaint about an object that is marked as a pre-delete hook, and so would not be delivered.
fn hook(notes: &mut Notes<'_>, at: &Path, object: &Value) {
    for member in ["annotations", "labels"] {
        if object.get("metadata").and_then(|metadata| metadata.get(member)?.get(key::PRE_DELETE)).is_some() {
            let at = at.member("metadata").member(member).member(key::PRE_DELETE);
            let message = format!("{at} marks a pre-delete hook, and applications have no hooks; remove it");
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
            let message = format!("{at} is {type_:?}, which is not a known {what} type; {}", remedy(type_, known));
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
