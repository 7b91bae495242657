//! Checks of cluster selectors by label and by claim.
//!
//! # Source
//! `k8s.io/apimachinery` labels `NewRequirement`. Its errors make a Placement misconfigured while it is scheduled.

use serde_json::Value;

use super::values::{items, one_of};
use crate::read::notes::Notes;
use tidegate_api::schema::path::Path;
use tidegate_go::label;

/// Adds the problems of a selector.
pub(super) fn check(notes: &mut Notes<'_>, at: &Path, selector: Option<&Value>) {
    for kind in ["labelSelector", "claimSelector"] {
        let Some(selector) = selector.and_then(|selector| selector.get(kind)) else { continue };
        let at = at.member(kind);
        for (name, value) in selector.get("matchLabels").and_then(Value::as_object).into_iter().flatten() {
            let at = at.member("matchLabels").member(name);
            key(notes, &at, name);
            value.as_str().into_iter().for_each(|text| self::value(notes, &at, text));
        }
        for (index, requirement) in items(selector.get("matchExpressions")) {
            let at = at.member("matchExpressions").item(index);
            expression(notes, &at, requirement);
        }
    }
}

fn expression(notes: &mut Notes<'_>, at: &Path, requirement: &Value) {
    let operators = ["In", "NotIn", "Exists", "DoesNotExist"];
    one_of(notes, at.member("operator"), requirement.get("operator"), &operators);
    let values = requirement.get("values").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let operator = requirement.get("operator").and_then(Value::as_str).unwrap_or_default();
    let problem = match operator {
        "In" | "NotIn" if values.is_empty() => Some("needs values; add them"),
        "Exists" | "DoesNotExist" if !values.is_empty() => Some("accepts no values; remove them"),
        _ => None,
    };
    if let Some(problem) = problem {
        let origin = notes.object.value_origin(&at.member("operator"));
        notes.error(origin, format!("{at}: operator {operator} {problem}"));
    }
    if let Some(text) = requirement.get("key").and_then(Value::as_str) {
        key(notes, &at.member("key"), text);
    }
    for (index, text) in values.iter().enumerate().filter_map(|(index, value)| Some((index, value.as_str()?))) {
        value(notes, &at.member("values").item(index), text);
    }
}

fn key(notes: &mut Notes<'_>, at: &Path, key: &str) {
    if !label::key_faults(key).is_empty() {
        let origin = notes.object.value_origin(at);
        let rule = "the name must be 1 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends";
        notes.error(origin, format!("{at}: {key:?} is not a valid label key; {rule}"));
    }
}

fn value(notes: &mut Notes<'_>, at: &Path, value: &str) {
    if !label::value_faults(value).is_empty() {
        let origin = notes.object.value_origin(at);
        let rule = "at most 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends";
        notes.error(origin, format!("{at}: {value:?} is not a valid label value; write {rule}"));
    }
}
