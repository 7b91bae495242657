//! The policies of an application.

use std::collections::BTreeMap;

use serde_json::Value;

use super::schema::{conform, listed};
use crate::application::{PLACEMENT, placements};
use crate::check::strategy::STRATEGY_SCHEMA;
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::path::Path;
use tidegate_model::name::NamespacedName;
use tidegate_model::near::remedy;

/// Adds the problems of the policies.
pub(super) fn check(notes: &mut Notes<'_>) {
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
