//! Compares renderings with recorded results of kustomize itself.

use std::collections::BTreeMap;
use std::panic;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tidegate_kustomize::overlay::{self, Rendered};
use tidegate_model::tree::Tree;

use super::errors;
use crate::recorded::recorded;

/// Returns the files of a case.
pub(super) fn files(case: &Value) -> Tree {
    let members = |field: &str| case[field].as_object().cloned().unwrap_or_default();
    let text = |(path, content): (String, Value)| (path, content.as_str().unwrap().as_bytes().to_vec());
    let bytes = |(path, content): (String, Value)| (path, STANDARD.decode(content.as_str().unwrap()).unwrap());
    let files = members("files").into_iter().map(text).chain(members("filesBase64").into_iter().map(bytes));
    Tree { files: files.collect(), ..Tree::default() }
}

/// Returns `true` if two values are equal, with `1` and `1.0` being equal.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Returns the first difference between two strings.
fn first_difference(expected: &str, rendered: &str) -> String {
    let mut lines = expected.lines().zip(rendered.lines()).enumerate();
    match lines.find(|(_, (a, b))| a != b) {
        Some((at, (a, b))) => format!("line {}: expected {a:?}, rendered {b:?}", at + 1),
        None => format!("expected {} bytes, rendered {}", expected.len(), rendered.len()),
    }
}

fn compare(expected: &Value, rendered: &Rendered, knows_warnings: bool) -> Result<(), String> {
    if let Some(error) = expected["error"].as_str() {
        let is_empty = rendered.objects.is_empty();
        return if rendered.is_failed() && is_empty { Ok(()) } else { Err(format!("should fail: {error}")) };
    }
    if rendered.is_failed() {
        return Err(errors(rendered));
    }
    let objects = rendered.objects.iter().map(|object| object.node.to_value().unwrap()).collect();
    let yaml = rendered.to_yaml().unwrap();
    let expected_yaml = expected["yaml"].as_str().unwrap();
    if !is_same(&expected["documents"], &Value::Array(objects)) || yaml != expected_yaml {
        return Err(first_difference(expected_yaml, &yaml));
    }
    if !knows_warnings {
        return Ok(());
    }
    let warned = rendered.complaints.iter().any(|complaint| complaint.message.contains("deprecated"));
    let warns = expected.get("warnings").is_some();
    if warned == warns { Ok(()) } else { Err(format!("warns of deprecated fields: expected {warns}, did {warned}")) }
}

#[test]
fn kustomize_vectors_agree_byte_for_byte() {
    compare_all("kustomize", |_| true);
}

#[test]
fn more_kustomize_vectors_agree_byte_for_byte() {
    compare_all("kustomize-more", |_| true);
}

/// Compares the cases of a recording whose names are chosen.
fn compare_all(recording: &str, is_chosen: impl Fn(&str) -> bool) {
    let mut classes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut failed = Vec::new();
    for line in recorded(recording).lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        if !is_chosen(name) {
            continue;
        }
        let class = classes.entry(name.split('/').next().unwrap().to_owned()).or_default();
        class.0 += 1;
        let (tree, entry) = (files(&case), case["entry"].as_str().unwrap());
        let answered = panic::catch_unwind(|| overlay::render(&tree, entry)).map_err(|_| "crashed".to_owned());
        match answered.and_then(|rendered| compare(&case["expected"], &rendered, recording == "kustomize")) {
            Ok(()) => class.1 += 1,
            Err(difference) => failed.push(format!("{name}: {difference}")),
        }
    }
    let (mut total, mut agreed) = (0, 0);
    for (class, (cases, right)) in &classes {
        println!("{class}: {right} of {cases}");
        (total, agreed) = (total + cases, agreed + right);
    }
    println!("{recording}: {agreed} of {total} cases agree");
    assert!(total > 0, "no cases");
    let first = failed.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(failed.is_empty(), "{} of {total} cases differ, the first ones:\n{first}", failed.len());
}
