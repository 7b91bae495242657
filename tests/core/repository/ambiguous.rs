//! Tests of scalars that YAML parsers read differently.

use proptest::prelude::*;
use tidegate_model::diagnostic::Severity;
use tidegate_model::tree::Tree;
use tidegate_repository::Rule;

use super::fixture::{load_plain, tree};
use crate::transcript::transcript;

/// Creates an object of an unknown kind, with one value.
fn object(value: &str) -> Tree {
    tree(&[(
        "a.yaml",
        &format!("apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n  key: {value}\n"),
    )])
}

fn warnings(tree: &Tree) -> Vec<String> {
    let loaded = load_plain(tree);
    for complaint in &loaded.complaints {
        assert_eq!(
            (complaint.diagnostic.severity, complaint.rule),
            (Severity::Warning, Rule::Ambiguous),
            "{complaint}"
        );
    }
    loaded.complaints.iter().map(ToString::to_string).collect()
}

#[test]
fn each_ambiguous_scalar_is_reported_with_both_readings() {
    let cases = ["yes", "Off # x", "&a n", "0777", "089", "1_000", "12:30:45", "22:22", "2026-11-05", "12e3"];
    insta::assert_snapshot!(transcript(cases, |value| warnings(&object(value)).join("\n")));
    assert_eq!(warnings(&object("[no, [x, on]]")).len(), 2);
}

#[test]
fn unambiguous_scalars_are_not_reported() {
    let same = [
        "\"yes\"",
        "'on'",
        "true",
        "12",
        "1.5",
        "0",
        "-7",
        "0x1F",
        "1.2.3",
        "v1",
        "yes please",
        "on-call",
        "|-\n    yes",
        ">-\n    0777",
        "|\n    on",
        "!!str yes",
        "10.0.0.1",
        "12:99",
        "1:2:x",
        "2026-11-05T10:00:00Z",
        "\"0777\"",
        "{ mode: 0644 }",
        "a:no",
        "~",
        "yes\n    no",
        "'\n    yes'",
        "1.50",
    ];
    for value in same {
        assert_eq!(warnings(&object(value)), Vec::<String>::new(), "{value}");
    }
    let json = tree(&[(
        "a.json",
        "{\"apiVersion\": \"example.com/v1\", \"kind\": \"T\", \"metadata\": {\"name\": \"a\"}, \"on\": \"yes\"}",
    )]);
    assert_eq!(warnings(&json), Vec::<String>::new());
}

#[test]
fn a_key_that_is_a_boolean_elsewhere_is_reported() {
    let reported = |column: u32, raw: &str, key: &str| {
        format!(
            "a.yaml:6:{column}: the key {raw} without quotes is \"{key}\" here, but \"{raw}\" to YAML 1.2 parsers; write \"{raw}\" in quotes"
        )
    };
    assert_eq!(warnings(&object("{ on: push, \"off\": 2 }")), [reported(10, "on", "true")]);
    assert_eq!(warnings(&object("{ n: 1, true: 2 }")), [reported(10, "n", "false")]);
}

#[test]
fn numbers_and_booleans_are_reported_where_kubernetes_expects_strings() {
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\ndata:\n  version: 1.20\n  debug: true\n  on: \"1\"\n";
    insta::assert_snapshot!(warnings(&tree(&[("a.yaml", map)])).join("\n"));
    let pod = "{ image: a, args: [--port, 80], env: [{ name: A, value: 1 }], ports: [80], nodeSelector: { a: true } }";
    assert_eq!(warnings(&object(pod)).len(), 3);
}

#[test]
fn each_place_is_reported_once_and_warnings_per_file_are_limited() {
    let aliases = "[&a [yes], *a, *a]";
    assert_eq!(warnings(&object(aliases)).len(), 1);
    let many = format!("[{}]", "no, ".repeat(200));
    assert_eq!(warnings(&object(&many)).len(), 20);
    let file = |n: usize| {
        let text = format!("apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a{n}\nspec: {many}\n");
        (format!("{n}.yaml"), text.into_bytes())
    };
    let tree = Tree { files: (0..30).map(file).collect(), ..Tree::default() };
    assert_eq!(warnings(&tree).len(), 200);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_checked_without_a_panic(value in "(yes|on|0[0-9]{1,3}|1_0|'|\"|\\||>|&a |\\*a|: |, |\\[|\\]|\\{|\\}|#|\n    |é|\\PC){0,12}") {
        let loaded = load_plain(&object(&value));
        prop_assert!(loaded.complaints.iter().all(|complaint| complaint.diagnostic.place.line >= 1));
    }
}
