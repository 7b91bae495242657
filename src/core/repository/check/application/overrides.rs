//! The policies of an application that change components on some clusters.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

use super::schema::{conform, listed};
use crate::application::{ComponentChange, Parsed, component_schema, component_types, trait_schema, trait_types};
use crate::read::notes::Notes;
use tidegate_api::schema::Schema;
use tidegate_api::schema::check::violations;
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
    for (index, given) in listed(properties, "/components") {
        let at = at.member("components").item(index);
        let Ok(change) = ComponentChange::deserialize(given) else { continue };
        component(notes, &at, &parsed, &change);
    }
    let names = parsed.names();
    for (index, name) in listed(properties, "/selector") {
        let at = at.member("selector").item(index);
        let Some(name) = name.as_str() else { continue };
        if !names.iter().any(|known| known == name) {
            let known = names.iter().map(String::as_str);
            let message = format!("{at} is {name:?}, which is not a component; {}", remedy(name, known));
            notes.error(notes.object.value_origin(&at), message);
        }
    }
}

/// Adds the problems of a change: of what it makes of each component that it is about.
fn component(notes: &mut Notes<'_>, at: &Path, parsed: &Parsed, change: &ComponentChange) {
    let object = notes.object;
    let mut found = parsed.after(change);
    if found.is_empty() {
        let names = parsed.names();
        let message = match change.name.as_str() {
            "" => format!("{at} is about no component; name one of {}", names.join(", ")),
            name => {
                let remedy = remedy(name, names.iter().map(String::as_str));
                format!("{at} is about {name:?}, which is not a component (a new one needs a type); {remedy}")
            }
        };
        notes.error(object.value_origin(at), message);
    }
    found.dedup();
    for (type_, properties) in &found {
        let Some(schema) = component_schema(type_) else {
            let message = format!("{at} has type {type_:?}, which is not known; {}", remedy(type_, component_types()));
            notes.error(object.value_origin(&at.member("type")), message);
            continue;
        };
        if !violations(properties, schema).is_empty() {
            conform(notes, (&at.member("properties"), properties), schema);
        }
    }
    for (index, (type_, properties)) in parsed.traits_after(change).into_iter().enumerate() {
        let at = at.member("traits").item(index);
        match trait_schema(&type_) {
            Some(schema) => properties.iter().for_each(|properties| {
                conform(notes, (&at.member("properties"), properties), schema);
            }),
            None => {
                let message =
                    format!("{at} is {type_:?}, which is not a known trait type; {}", remedy(&type_, trait_types()));
                notes.error(object.value_origin(&at.member("type")), message);
            }
        }
    }
}
