//! The policies of an application that change components on some clusters.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

use super::schema::{conform, listed};
use crate::application::sources::chart::{self, HELM};
use crate::application::sources::overlay::{self, KUSTOMIZE};
use crate::application::variant::is_about;
use crate::application::{Component, ComponentChange, Parsed};
use crate::read::notes::Notes;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_model::near::remedy;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let properties = || json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let of_trait = json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": { "type": "string", "minLength": 1 },
            "properties": properties(),
            "disable": { "type": "boolean" },
        },
    });
    let component = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "maxLength": 63, "pattern": "^([a-z0-9]([a-z0-9-]*[a-z0-9])?)?$" },
            "type": { "type": "string" },
            "properties": properties(),
            "traits": { "type": "array", "items": of_trait },
        },
    });
    Schema::compile(&json!({
        "type": "object",
        "properties": {
            "components": { "type": "array", "items": component },
            "selector": { "type": "array", "items": { "type": "string", "minLength": 1 } },
        },
    }))
});

/// Adds the problems of a policy of type `override`.
pub(super) fn check(notes: &mut Notes<'_>, at: &Path, properties: &Value) {
    let before = notes.complaints.len();
    conform(notes, (at, properties), &SCHEMA);
    if notes.complaints.len() > before {
        return;
    }
    // An application with other mistakes is checked again once they are fixed.
    let Ok(parsed) = Parsed::read(&notes.object.value) else { return };
    let all = parsed.all_components();
    for (index, given) in listed(properties, "/components") {
        let at = at.member("components").item(index);
        let Ok(change) = ComponentChange::deserialize(given) else { continue };
        component(notes, &at, &all, &change);
        made(notes, &at, &all, &change);
    }
    for (index, name) in listed(properties, "/selector") {
        let at = at.member("selector").item(index);
        let Some(name) = name.as_str() else { continue };
        if !all.iter().any(|known| known.name == name) {
            let known = all.iter().map(|known| known.name.as_str());
            let message = format!("{at} is {name:?}, which is not a component; {}", remedy(name, known));
            notes.error(notes.object.value_origin(&at), message);
        }
    }
}

/// Adds the problems of a change that would replace what an overlay or a chart renders to.
fn made(notes: &mut Notes<'_>, at: &Path, all: &[Component], change: &ComponentChange) {
    let overlays = overlay::MADE.map(|member| (KUSTOMIZE, member, overlay::made as fn(&Path) -> String));
    let charts = chart::MADE.map(|member| (HELM, member, chart::made as fn(&Path) -> String));
    for (type_, member, made) in overlays.into_iter().chain(charts) {
        let is_made = |component: &Component| component.type_ == type_ && is_about(change, component);
        if change.properties.contains_key(member) && all.iter().any(is_made) {
            let at = at.member("properties").member(member);
            notes.error(notes.object.key_origin(&at), made(&at));
        }
    }
}

/// Adds the problems of a change that is about no component, or removes a trait that none of its components has.
fn component(notes: &mut Notes<'_>, at: &Path, all: &[Component], change: &ComponentChange) {
    let object = notes.object;
    let names: Vec<&str> = all.iter().map(|component| component.name.as_str()).collect();
    let about: Vec<&Component> = all.iter().filter(|component| is_about(change, component)).collect();
    if about.is_empty() {
        let is_known = names.contains(&change.name.as_str());
        let message = match change.name.as_str() {
            "" => format!("{at} is about no component; name one of {}", names.join(", ")),
            name if is_known => {
                format!("{at}.type is {:?}, but {name} has another type; leave the type out", change.type_)
            }
            name => {
                let remedy = remedy(name, names.iter().copied());
                format!("{at} is about {name:?}, which is not a component (a new one needs a type); {remedy}")
            }
        };
        return notes.error(object.value_origin(at), message);
    }
    for (index, changed) in change.traits.iter().enumerate() {
        let of_type =
            |component: &&Component| component.traits.iter().filter(|known| known.type_ == changed.type_).count() > 1;
        if let Some(component) = about.iter().copied().find(of_type) {
            let at = at.member("traits").item(index);
            let (type_, name) = (&changed.type_, &component.name);
            let message = format!(
                "{at} is about {type_}, of which component {name} has several; an override changes a trait only if there is one"
            );
            notes.error(object.value_origin(&at), message);
        }
    }
    for (index, removed) in change.traits.iter().enumerate().filter(|(_, change)| change.disable) {
        let types = || about.iter().flat_map(|component| &component.traits).map(|of| of.type_.as_str());
        if !types().any(|type_| type_ == removed.type_) {
            let at = at.member("traits").item(index);
            let known: BTreeSet<&str> = types().collect();
            let remedy = match known.is_empty() {
                true => "remove this".to_owned(),
                false => remedy(&removed.type_, known),
            };
            let message = format!("{at} disables {}, a trait that no component has here; {remedy}", removed.type_);
            notes.error(object.value_origin(&at), message);
        }
    }
}
