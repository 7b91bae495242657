//! The engine against what upstream's own code answered. `tests/vectors/README.md` says what is compared.

use std::env;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;
use tidegate::oracle::{Area, answer};

/// Members that only tell upstream's inner steps.
fn inner(area: Area) -> &'static [&'static str] {
    match area {
        Area::Placement => &["actions", "decisionsAfterSync", "syncFailed", "syncError"],
        Area::AddonConfig | Area::AddonProgress => &["changed"],
        _ => &[],
    }
}

fn cases(area: Area) -> String {
    if let Some(folder) = env::var_os("TIDEGATE_VECTORS") {
        return fs::read_to_string(Path::new(&folder).join(format!("{area}.jsonl"))).unwrap();
    }
    let mut text = String::new();
    let file = fs::File::open(format!("tests/vectors/{area}.jsonl.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// Drops what is not compared, on both sides alike.
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

/// Says whether upstream crashes, or quotes one of Go's parsers: any error is right then, in any words.
fn is_error_of_chance(expected: &Value) -> bool {
    let is_panic = expected["error"].as_str().is_some_and(|text| text.starts_with("panic: "));
    is_panic || expected["errorKind"] == "syntax" || expected["errorKind"] == "panic"
}

fn agrees(area: Area, input: &Value, expected: &Value) -> Result<(), String> {
    let mut answered = answer(area, input).map_err(|error| error.to_string())?;
    let mut expected = expected.clone();
    if is_error_of_chance(&expected) {
        for side in [&mut answered, &mut expected] {
            if let Some(error) = side.get_mut("error").filter(|error| **error != "") {
                *error = Value::from("some error");
            }
            side.as_object_mut().unwrap().remove("errorKind");
        }
    }
    let (answered, expected) = (bare(&answered, inner(area)), bare(&expected, inner(area)));
    if answered == expected {
        return Ok(());
    }
    Err(format!("expected {expected}\n  answered {answered}"))
}

fn check(area: Area) {
    let (mut asked, mut failed) = (0_usize, Vec::new());
    for line in cases(area).lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        asked += 1;
        if let Err(difference) = agrees(area, &case["input"], &case["expected"]) {
            failed.push(format!("{}: {difference}", case["name"]));
        }
    }
    let agreed = asked - failed.len();
    println!("{area}: {agreed} of {asked} cases agree ({:.1} %)", agreed as f64 * 100.0 / asked.max(1) as f64);
    assert!(asked > 0, "{area}: no cases");
    let first = failed.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    assert!(failed.is_empty(), "{area}: {} of {asked} cases differ, the first ones:\n{first}", failed.len());
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

#[test]
fn spechash() {
    check(Area::SpecHash);
}
