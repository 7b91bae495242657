//! Compares the engine with the answers of upstream's own code. `tests/vectors/README.md` describes what is compared.

use std::panic;

use serde_json::Value;
use tidegate_oracle::{Area, answer};

use crate::difference::difference;
use crate::recorded::recorded;

/// Fields that only show upstream's internal steps.
fn inner(area: Area) -> &'static [&'static str] {
    match area {
        Area::Placement => &["actions", "decisionsAfterSync", "syncFailed", "syncError"],
        Area::AddonConfig | Area::AddonProgress => &["changed"],
        _ => &[],
    }
}

/// Removes the fields that are not compared. Applied to both sides.
fn bare(value: &Value, inner: &[&str]) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !inner.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), bare(value, inner)))
            .collect(),
        Value::Array(list) => list.iter().map(|value| bare(value, inner)).collect(),
        value => value.clone(),
    }
}

/// Returns `true` if upstream crashes, or quotes one of Go's parsers: then any error is right, with any message.
fn is_error_of_chance(expected: &Value) -> bool {
    let is_panic = expected["error"].as_str().is_some_and(|text| text.starts_with("panic: "));
    is_panic || expected["errorKind"] == "syntax" || expected["errorKind"] == "panic"
}

/// Removes the message of an error.
fn without_words(answer: &mut Value) {
    let Some(members) = answer.as_object_mut() else { return };
    members.remove("errorKind");
    if let Some(error) = members.get_mut("error").filter(|error| **error != "") {
        *error = Value::from("some error");
    }
}

/// Checks one case. A crash counts as a difference, so that the cases after it are still checked.
fn asked(area: Area, input: &Value, expected: &Value) -> Result<(), String> {
    let answered = panic::catch_unwind(|| answer(area, input)).map_err(|_| ": crashed".to_owned())?;
    let mut answered = answered.map_err(|error| format!(": not a case of this area: {error}"))?;
    let mut expected = expected.clone();
    if is_error_of_chance(&expected) {
        without_words(&mut answered);
        without_words(&mut expected);
    }
    difference(&bare(&expected, inner(area)), &bare(&answered, inner(area))).map_or(Ok(()), Err)
}

fn check(area: Area) {
    let (mut total, mut failed) = (0_usize, Vec::new());
    for line in recorded(&area.to_string()).lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        total += 1;
        if let Err(difference) = asked(area, &case["input"], &case["expected"]) {
            failed.push(format!("{}{difference}", case["name"].as_str().unwrap()));
        }
    }
    let agreed = total - failed.len();
    let share = agreed as f64 * 100.0 / total.max(1) as f64;
    println!("{area}: {agreed} of {total} cases agree ({share:.1} %)");
    assert!(total > 0, "{area}: no cases");
    let first = failed.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(failed.is_empty(), "{area}: {} of {total} cases differ, the first ones:\n{first}", failed.len());
}

#[test]
fn rollout() {
    check(Area::Rollout);
}

#[test]
fn rollout_sequence() {
    check(Area::RolloutSequence);
}

#[test]
fn placement() {
    check(Area::Placement);
}

#[test]
fn spechash() {
    check(Area::SpecHash);
}

#[test]
fn template() {
    check(Area::Template);
}

#[test]
fn manifestwork() {
    check(Area::ManifestWork);
}

#[test]
fn addon_config() {
    check(Area::AddonConfig);
}

#[test]
fn addon_progress() {
    check(Area::AddonProgress);
}
