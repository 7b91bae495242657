//! The engine against what upstream's own code answered. `tests/vectors/README.md` says what is compared.

use std::env;
use std::fs;
use std::io::Read as _;
use std::panic;
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

/// Returns the lines of a recording: those of `TIDEGATE_VECTORS` if that names a folder.
pub(crate) fn recorded(name: &str) -> String {
    if let Some(folder) = env::var_os("TIDEGATE_VECTORS") {
        let path = Path::new(&folder).join(format!("{name}.jsonl"));
        return fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let mut text = String::new();
    let file = fs::File::open(format!("tests/vectors/{name}.jsonl.gz")).unwrap();
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

/// Returns `true` if upstream crashes, or quotes one of Go's parsers: any error is right then, in any words.
fn is_error_of_chance(expected: &Value) -> bool {
    let is_panic = expected["error"].as_str().is_some_and(|text| text.starts_with("panic: "));
    is_panic || expected["errorKind"] == "syntax" || expected["errorKind"] == "panic"
}

/// Takes the words out of an error.
fn without_words(answer: &mut Value) {
    let Some(members) = answer.as_object_mut() else { return };
    members.remove("errorKind");
    if let Some(error) = members.get_mut("error").filter(|error| **error != "") {
        *error = Value::from("some error");
    }
}

/// Returns the first place where two values differ, as a JSON pointer, and what stands there.
pub(crate) fn difference(expected: &Value, answered: &Value) -> Option<String> {
    let below = |step: String, found: Option<String>| found.map(|found| format!("/{step}{found}"));
    match (expected, answered) {
        (Value::Object(a), Value::Object(b)) => {
            let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
            names.into_iter().find_map(|name| match (a.get(name), b.get(name)) {
                (Some(a), Some(b)) => below(name.clone(), difference(a, b)),
                (Some(a), None) => Some(format!("/{name}: expected {a}, answered nothing")),
                (None, b) => Some(format!("/{name}: expected nothing, answered {}", b.unwrap_or(&Value::Null))),
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(at, (a, b))| below(at.to_string(), difference(a, b)))
        }
        (a, b) => (a != b).then(|| format!(": expected {a}, answered {b}")),
    }
}

/// Asks one case. A crash is a difference, and does not hide the cases behind it.
fn asked(area: Area, input: &Value, expected: &Value) -> Result<(), String> {
    let answered = panic::catch_unwind(|| answer(area, input)).map_err(|_| ": crashed".to_owned())?;
    let mut answered = answered.map_err(|error| format!(": no case of this area: {error}"))?;
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

#[test]
fn a_difference_is_told_by_its_place() {
    let told = |expected: &str, answered: &str| {
        difference(&serde_json::from_str(expected).unwrap(), &serde_json::from_str(answered).unwrap())
    };
    assert_eq!(told(r#"{"a": [1, {"b": null}]}"#, r#"{"a": [1, {"b": null}]}"#), None);
    let cases = [
        (r#"{"a": [1, {"b": 2}]}"#, r#"{"a": [1, {"b": 3}]}"#, "/a/1/b: expected 2, answered 3"),
        ("[1, 2]", "[2, 1]", "/0: expected 1, answered 2"),
        ("[1]", "[1, 2]", ": expected [1], answered [1,2]"),
        (r#"{"a": null}"#, "{}", "/a: expected null, answered nothing"),
        ("{}", r#"{"a": []}"#, "/a: expected nothing, answered []"),
        ("1", "1.0", ": expected 1, answered 1.0"),
    ];
    for (expected, answered, difference) in cases {
        assert_eq!(told(expected, answered).as_deref(), Some(difference));
    }
}
