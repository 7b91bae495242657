//! Keys: order, quoting and length.

use serde_json::{Map, Value, json};

use super::{complaint, value, written};
use crate::transcript::transcript;

#[test]
fn keys_are_sorted_as_in_go() {
    let order = [
        "", "-x", "_u", "1", "2", "10", "A", "A1", "B", "a", "a-b", "a.b", "a1", "a2", "a2b", "a10", "a100", "a10b",
        "ab", "b", "z", "é", "集",
    ];
    let mapping: Map<String, Value> = order.iter().map(|key| ((*key).to_owned(), json!(0))).collect();
    let text = written(&Value::Object(mapping));
    let keys: Vec<&str> =
        text.lines().map(|line| line.strip_suffix(": 0").unwrap().trim_matches(['"', '\''])).collect();
    assert_eq!(keys, order);
}

#[test]
fn zeros_matter_only_inside_numbers() {
    let text = written(&json!({"a01": 0, "a1": 0, "a001": 0, "a10": 0, "a100": 0, "a1000": 0, "a0": 0}));
    let keys: Vec<&str> = text.lines().map(|line| line.strip_suffix(": 0").unwrap()).collect();
    assert_eq!(keys, ["a0", "a1", "a01", "a001", "a10", "a100", "a1000"]);
}

#[test]
fn keys_are_quoted_like_values() {
    let text = written(&json!({"y": 0, "1": 0, "": 0, "a: b": 0, "null": 0, "#": 0, "\t": 0}));
    assert_eq!(text, "\"\": 0\n\"\\t\": 0\n'#': 0\n\"1\": 0\n'a: b': 0\n\"null\": 0\n\"y\": 0\n");
}

#[test]
fn long_and_multiline_keys_use_the_complex_form() {
    let key = "k".repeat(129);
    let text = written(&json!({ key.clone(): [1], "a\nb": {"c": 1} }));
    assert_eq!(text, format!("? |-\n  a\n  b\n: c: 1\n? {key}\n: - 1\n"));
    assert_eq!(value(&text), json!({ key: [1], "a\nb": {"c": 1} }));
}

#[test]
fn keys_of_resources_must_be_strings() {
    let cases = [
        "1: a",
        "a:\n  0.5: a",
        "true: a",
        "~: a",
        "2026-11-21: a",
        "? [a]\n: b",
        "a: &a [b]\n*a : c",
        "a:\n  b: {{ C }}",
        "a: 1\nb: 2\na: 3",
        "a: 1\n\"a\": 3",
    ];
    insta::assert_snapshot!(transcript(cases, complaint));
    assert_eq!(value("yes: a\n'1': b\n!!str 2: c\n? d\n: e\n"), json!({"yes": "a", "1": "b", "2": "c", "d": "e"}));
    assert_eq!(value("a: &a b\n*a : c\n"), json!({"a": "b", "b": "c"}));
}
