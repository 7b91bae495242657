//! Tests of parsing kustomization files.

use serde_json::json;
use tidegate_kustomize::yaml::{Kind, Style};

use super::{read_kustomization, said};

fn value(text: &str) -> serde_json::Value {
    read_kustomization(text).unwrap().unwrap().to_value().unwrap()
}

#[test]
fn yaml_1_1_words_are_booleans_and_dates_are_strings() {
    let text = "[yes, y, On, no, N, off, true, 'yes', 017, 1.20, 2026-11-21, 0.4.0, 12e4, ~]";
    let values =
        json!([true, true, true, false, false, false, true, "yes", 15, 1.2, "2026-11-21", "0.4.0", 120_000, null]);
    assert_eq!(value(text), values);
}

#[test]
fn the_last_of_duplicate_keys_wins() {
    assert_eq!(value("a: 1\nb: 2\na: 3\n"), json!({"a": 3, "b": 2}));
    assert_eq!(
        value("x: &x {a: 1, b: 1}\nz: {a: 2, <<: *x, b: 2}\n")["z"],
        json!({"a": 1, "b": 2}),
        "merged keys as well"
    );
}

#[test]
fn a_key_overrides_one_that_was_merged_before_it() {
    let text = "x: &x {a: 1, b: 1}\nz:\n  <<: *x\n  a: 2\n";
    let mut warnings = Vec::new();
    let node = tidegate_kustomize::yaml::kustomization_with(super::input(text), &mut warnings).unwrap().unwrap();
    assert_eq!(node.to_value().unwrap()["z"], json!({"a": 2, "b": 1}));
    assert!(warnings.is_empty(), "{warnings:?}");
    let manifest = |text: &str| tidegate_kustomize::yaml::manifests(super::input(text));
    assert_eq!(manifest(text).unwrap()[0].to_value().unwrap()["z"], json!({"a": 2, "b": 1}));
    // A list of sources, and a second merge.
    let several = "x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz:\n  <<: [*x, *y]\n  <<: {c: 1}\n  b: 3\n";
    assert_eq!(manifest(several).unwrap()[0].to_value().unwrap()["z"], json!({"a": 1, "b": 3, "c": 1}));
    let twice = "x: &x {a: 1}\nz:\n  <<: *x\n  a: 2\n  a: 3\n";
    assert_eq!(said(manifest(twice).unwrap_err()), "5:3: \"a\" is given twice in one mapping; remove one of the two");
    // kubectl takes the merged value here, and other parsers do not.
    let after = "x: &x {a: 1, b: 1}\nz:\n  a: 2\n  <<: *x\n";
    assert_eq!(
        said(manifest(after).unwrap_err()),
        "4:3: \"<<\" would replace \"a\", which is written before it; write \"<<\" as the first key of the mapping"
    );
}

#[test]
fn keys_become_strings() {
    assert_eq!(
        value("{y: 1, off: 2, 12: 3, 0x10: 4, 1.5: 5, '7': 6}"),
        json!({"true": 1, "false": 2, "12": 3, "16": 4, "1.5": 5, "7": 6})
    );
    let error = read_kustomization("~: 1").unwrap_err();
    assert_eq!(said(error), "1:1: the key ~ is null, and keys must be strings; put it in quotes");
}

#[test]
fn only_the_first_document_is_parsed() {
    assert_eq!(value("---\n# x\na: 1\n---\nb: 2\n"), json!({"a": 1}));
    assert_eq!(value("a: 1\n--- [\n"), json!({"a": 1}));
    assert!(read_kustomization("").unwrap().is_none());
    assert!(read_kustomization("# nothing\n").unwrap().is_none_or(|node| node.is_null()));
}

#[test]
fn scalars_keep_their_style_and_text() {
    let node = read_kustomization("a: yes\nb: \"yes\"\nc: 1.20\nd: |-\n  yes\n").unwrap().unwrap();
    let scalar = |key| node.get(key).unwrap().as_scalar().unwrap();
    let seen = ["a", "b", "c", "d"].map(|key| (scalar(key).text(), scalar(key).kind(), scalar(key).style()));
    assert_eq!(
        seen,
        [
            ("yes", Kind::Bool, Style::Plain),
            ("yes", Kind::String, Style::Double),
            ("1.20", Kind::Float, Style::Plain),
            ("yes", Kind::String, Style::Literal),
        ]
    );
}
