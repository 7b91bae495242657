//! The policies of an application with components that are there several times.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::schema::{conform, listed};
use crate::application::Parsed;
use crate::read::notes::Notes;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_model::near::remedy;

/// The longest name of a component.
const LONGEST: usize = 63;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let key = json!({ "type": "string", "maxLength": 63, "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" });
    Schema::compile(&json!({
        "type": "object",
        "required": ["keys"],
        "properties": {
            "keys": { "type": "array", "minItems": 1, "maxItems": 100, "items": key },
            "selector": { "type": "array", "items": { "type": "string", "minLength": 1 } },
        },
    }))
});

/// Adds the problems of a policy of type `replication`.
pub(super) fn check(notes: &mut Notes<'_>, at: &Path, properties: &Value) {
    let object = notes.object;
    let before = notes.complaints.len();
    conform(notes, (at, properties), &SCHEMA);
    if notes.complaints.len() > before {
        return;
    }
    // An application with other mistakes is checked again once they are fixed.
    let Ok(parsed) = Parsed::read(&object.value) else { return };
    let all = parsed.all_components();
    let mut selected = BTreeSet::new();
    for (index, name) in listed(properties, "/selector") {
        let at = at.member("selector").item(index);
        let Some(name) = name.as_str() else { continue };
        selected.insert(name);
        if !all.iter().any(|known| known.name == name) {
            let known = all.iter().map(|known| known.name.as_str());
            let message = format!("{at} is {name:?}, which is not a component; {}", remedy(name, known));
            notes.error(object.value_origin(&at), message);
        }
    }
    let names = all.iter().map(|component| component.name.as_str());
    let replicated: Vec<&str> = names.filter(|name| selected.is_empty() || selected.contains(name)).collect();
    let mut seen = BTreeSet::new();
    for (index, key) in listed(properties, "/keys") {
        let at = at.member("keys").item(index);
        let Some(key) = key.as_str() else { continue };
        if !seen.insert(key) {
            notes.error(object.value_origin(&at), format!("{at} is {key:?}, which is in the list already; remove it"));
        }
        for name in replicated.iter().map(|name| format!("{name}-{key}")) {
            if name.len() > LONGEST {
                let message = format!(
                    "{at} makes component {name}, whose name has more than {LONGEST} characters; shorten one of the two"
                );
                notes.error(object.value_origin(&at), message);
            }
            if all.iter().any(|known| known.name == name) {
                let message =
                    format!("{at} makes component {name}, which the application has already; choose another key");
                notes.error(object.value_origin(&at), message);
            }
        }
    }
}
