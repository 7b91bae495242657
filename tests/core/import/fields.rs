//! No field is dropped without a word.

use serde_json::Value;
use tidegate_import::Outcome;
use tidegate_kustomize::yaml::{Input, SourceId, manifests};

use crate::samples::{SAMPLES, described, imported};

/// Fields that do not change a rollout.
const WITHOUT_EFFECT: [&str; 9] = [
    "spec.profileSpec.syncMode",
    "metadata.",
    "spec.goTemplate",
    "spec.strategy.type",
    "spec.targets[0].name",
    "trigger.manual.approved",
    "trigger.manual.automaticReset",
    "spec.enable",
    "spec.policy.placementType",
];

/// Returns the paths of all values that contain no other ones.
fn leaves(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                leaves(value, format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (at, value) in items.iter().enumerate() {
                leaves(value, format!("{path}/{at}"), found);
            }
        }
        _ => found.push(path),
    }
}

fn remove(value: &mut Value, pointer: &str) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match value.pointer_mut(parent).unwrap() {
        Value::Object(fields) => drop(fields.remove(&name.replace("~1", "/").replace("~0", "~"))),
        Value::Array(items) => drop(items.remove(name.parse().unwrap())),
        _ => panic!("{pointer}"),
    }
}

/// Returns a pointer as the path of a report.
fn readable(pointer: &str) -> String {
    pointer.split('/').skip(1).fold(String::new(), |path, part| match part.parse::<usize>() {
        Ok(at) => format!("{path}[{at}]"),
        Err(_) if path.is_empty() => part.to_owned(),
        Err(_) => format!("{path}.{}", part.replace("~1", "/").replace("~0", "~")),
    })
}

/// Returns the objects of a text as a stream, which is YAML as well.
fn stream(objects: &[Value]) -> String {
    objects.iter().map(|object| format!("---\n{object}\n")).collect()
}

/// Returns what an import results in, without places: those differ between two texts.
fn outcome(objects: &[Value]) -> (String, Vec<(String, Outcome)>) {
    let (imported, report) = imported(&stream(objects));
    let entries = report.entries.iter().map(|entry| (entry.path.clone(), entry.outcome.clone())).collect();
    (described(imported.as_ref(), &Default::default()), entries)
}

#[test]
fn each_field_changes_the_result_or_is_reported() {
    let mut checked = 0;
    for (tool, text) in SAMPLES {
        let nodes = manifests(Input::of_file(SourceId::default(), text.as_bytes())).unwrap();
        let objects: Vec<Value> = nodes.iter().map(|node| node.to_value().unwrap()).collect();
        let before = outcome(&objects);
        for (at, object) in objects.iter().enumerate() {
            let mut all = Vec::new();
            leaves(object, String::new(), &mut all);
            for pointer in all {
                let path = readable(&pointer);
                let value = object.pointer(&pointer).unwrap();
                let is_empty = matches!(value, Value::Bool(false) | Value::Null);
                let is_reported = before.1.iter().any(|(reported, outcome)| {
                    path.starts_with(reported.as_str()) && matches!(outcome, Outcome::LeftOut(_) | Outcome::Content)
                });
                if is_empty || is_reported || WITHOUT_EFFECT.iter().any(|known| path.contains(known)) {
                    continue;
                }
                let mut changed = objects.clone();
                remove(&mut changed[at], &pointer);
                assert_ne!(outcome(&changed), before, "{tool}: {path} has no effect, and is not reported");
                checked += 1;
            }
        }
    }
    assert!(checked > 70, "{checked}");
}

#[test]
fn a_field_that_is_not_known_is_reported_wherever_it_is() {
    for (tool, text) in SAMPLES {
        let nodes = manifests(Input::of_file(SourceId::default(), text.as_bytes())).unwrap();
        let objects: Vec<Value> = nodes.iter().map(|node| node.to_value().unwrap()).collect();
        let (_, report) = imported(text);
        for (at, object) in objects.iter().enumerate() {
            let mut places = Vec::new();
            mappings(object, String::new(), &mut places);
            for place in places {
                let path = readable(&place);
                let is_free = ["metadata", "matchLabels", "labels", "Ref"].iter().any(|free| path.contains(free));
                let is_content = report.entries.iter().any(|entry| {
                    path.starts_with(entry.path.as_str())
                        && matches!(entry.outcome, Outcome::LeftOut(_) | Outcome::Content)
                });
                if is_free || is_content {
                    continue;
                }
                let mut changed = objects.clone();
                let target = changed[at].pointer_mut(&place).unwrap().as_object_mut().unwrap();
                target.insert("surprise".to_owned(), Value::from(1));
                let (_, report) = imported(&stream(&changed));
                let is_named = report.entries.iter().any(|entry| entry.path.ends_with("surprise"));
                assert!(is_named, "{tool}: a new field of {path:?} is not reported");
            }
        }
    }
}

/// Returns the paths of all mappings.
fn mappings(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(path.clone());
            for (name, value) in fields {
                mappings(value, format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                mappings(value, format!("{path}/{at}"), found);
            }
        }
        _ => {}
    }
}
