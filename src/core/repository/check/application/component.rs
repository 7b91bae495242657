//! The components of an application.

use std::collections::BTreeSet;

use serde_json::Value;

use super::rendered::{has_errors, hook};
use super::schema::{listed, properties};
use super::traits::Basis;
use super::workflow::{INPUTS, OUTPUTS};
use super::{traits, volume};
use crate::application::sources::chart::{self, HELM, elsewhere};
use crate::application::sources::overlay::{self, KUSTOMIZE};
use crate::application::variant::Variant;
use crate::application::{COMPONENTS, OBJECTS, Parsed, longest_name, namespaces};
use crate::check::manifest::check_manifests;
use crate::check::template::identity;
use crate::definition::Definitions;
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::path::Path;

/// Fields of a component that are known and refused.
const REFUSED: [(&str, &str); 4] = [
    INPUTS,
    OUTPUTS,
    ("scopes", "was removed from KubeVela; remove it"),
    ("replicaKey", "is written by KubeVela and not by people; remove it"),
];

/// Adds the problems of the components.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    let object = notes.object;
    let basis = Basis { definitions, namespaces: namespaces(&object.value, &object.key.namespace) };
    for (index, component) in listed(&notes.object.value, "/spec/components") {
        let at = path(&["spec", "components"]).item(index);
        let traits = traits::places(&at, component);
        self::component(notes, (&at, &traits), component, &basis);
    }
    if has_errors(notes) {
        return;
    }
    // What overrides make of them.
    let Ok(parsed) = Parsed::read(&notes.object.value) else { return };
    for Variant { at, traits, component } in parsed.variants() {
        if let Ok(component) = serde_json::to_value(&component) {
            self::component(notes, (&at, &traits), &component, &basis);
        }
    }
    for (at, message) in elsewhere(&parsed, &object.key.namespace) {
        notes.error(object.value_origin(&at), message);
    }
}

/// Adds the problems of a component at a path, with the paths of its traits.
fn component(notes: &mut Notes<'_>, (at, of_traits): (&Path, &[Path]), component: &Value, basis: &Basis<'_>) {
    let object = notes.object;
    for (member, why) in REFUSED {
        if component.get(member).is_some() {
            let at = at.member(member);
            notes.error(object.key_origin(&at), format!("{at} {why}"));
        }
    }
    let type_ = component.get("type").and_then(Value::as_str).unwrap_or_default();
    let before = notes.complaints.len();
    properties(notes, (at, component), &COMPONENTS, basis.definitions);
    let name = component.get("name").and_then(Value::as_str).unwrap_or_default();
    if let Some(longest) = longest_name(type_).filter(|longest| name.len() > *longest) {
        let at = at.member("name");
        let message =
            format!("{at} has {} characters; a {type_} has at most {longest}, so write a shorter name", name.len());
        notes.error(object.value_origin(&at), message);
    }
    if COMPONENTS.schema(type_).is_some() {
        let given = component.get("properties").unwrap_or(&Value::Null);
        ports(notes, &at.member("properties"), given);
        volume::check(notes, &at.member("properties"), given);
    }
    let remote: &[(&str, &str)] = match type_ {
        KUSTOMIZE => &overlay::REMOTE,
        HELM => &chart::REMOTE,
        _ => &[],
    };
    for (member, why) in remote.iter().filter(|(member, _)| component["properties"].get(member).is_some()) {
        let at = at.member("properties").member(member);
        notes.error(object.key_origin(&at), format!("{at} {why}"));
    }
    if type_ == OBJECTS {
        let at = at.member("properties").member("objects");
        let manifests = listed(component, "/properties/objects").map(|(index, object)| (at.item(index), object));
        let manifests: Vec<_> = manifests.filter(|(_, object)| object.is_object()).collect();
        manifests.iter().for_each(|(at, object)| identity(notes, at, object));
        manifests.iter().for_each(|(at, object)| hook(notes, at, object));
        check_manifests(notes, &manifests);
    }
    let is_sound = notes.complaints.iter().skip(before).all(|complaint| !complaint.diagnostic.is_error());
    traits::check(notes, (at, of_traits, component), is_sound, basis);
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
