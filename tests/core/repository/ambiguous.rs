//! Scalars that readers of YAML do not agree on.

use proptest::prelude::*;
use tidegate_core::repository::{Rule, Severity, load};
use tidegate_model::tree::Tree;

use super::fixture::tree;

/// An object of a kind that nobody here knows, with one value.
fn object(value: &str) -> Tree {
    tree(&[(
        "a.yaml",
        &format!("apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n  key: {value}\n"),
    )])
}

fn warnings(tree: &Tree) -> Vec<String> {
    let loaded = load(tree, "");
    for complaint in &loaded.complaints {
        assert_eq!((complaint.severity, complaint.rule), (Severity::Warning, Rule::Ambiguous), "{complaint}");
    }
    loaded.complaints.iter().map(ToString::to_string).collect()
}

#[test]
fn each_is_told_with_what_it_is_here_and_elsewhere() {
    let cases = [
        (
            "yes",
            8,
            "yes without quotes is the boolean true here, and text to readers of YAML 1.2; write true, or \"yes\" for text",
        ),
        (
            "Off # x",
            8,
            "Off without quotes is the boolean false here, and text to readers of YAML 1.2; write false, or \"Off\" for text",
        ),
        (
            "&a n",
            11,
            "n without quotes is the boolean false here, and text to readers of YAML 1.2; write false, or \"n\" for text",
        ),
        (
            "0777",
            8,
            "0777 without quotes is the number 511 here, and the number 777 to readers of YAML 1.2; write 511, or \"0777\" for text",
        ),
        (
            "089",
            8,
            "089 without quotes is the number 89 here, and text to readers of YAML 1.1; write 89, or \"089\" for text",
        ),
        (
            "1_000",
            8,
            "1_000 without quotes is the number 1000 here, and text to readers of YAML 1.2; write 1000, or \"1_000\" for text",
        ),
        (
            "12:30:45",
            8,
            "12:30:45 without quotes is text here, and a number of base 60 to readers of YAML 1.1; write \"12:30:45\"",
        ),
        (
            "22:22",
            8,
            "22:22 without quotes is text here, and a number of base 60 to readers of YAML 1.1; write \"22:22\"",
        ),
        (
            "2026-11-05",
            8,
            "2026-11-05 without quotes is text here, and a date to readers of YAML 1.1; write \"2026-11-05\"",
        ),
        (
            "12e3",
            8,
            "12e3 without quotes is the number 12000 here, and text to readers of YAML 1.1; write 12000, or \"12e3\" for text",
        ),
    ];
    for (value, column, expected) in cases {
        assert_eq!(warnings(&object(value)), [format!("a.yaml:6:{column}: key: {expected}")], "{value}");
    }
    assert_eq!(warnings(&object("[no, [x, on]]")).len(), 2);
}

#[test]
fn what_all_readers_take_for_the_same_is_let_pass() {
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
fn a_key_is_warned_of_where_it_is_a_word_for_a_boolean() {
    let found = warnings(&object("{ on: push, y: 1, \"off\": 2 }"));
    assert_eq!(
        found,
        [
            "a.yaml:6:10: the key on without quotes is text here, and the boolean true to readers of YAML 1.1; write \"on\" in quotes"
        ]
    );
}

#[test]
fn numbers_and_booleans_are_no_text() {
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\ndata:\n  version: 1.20\n  debug: true\n  on: \"1\"\n";
    assert_eq!(
        warnings(&tree(&[("a.yaml", map)])),
        [
            "a.yaml:5:12: version: 1.20 without quotes is the number 1.2, and Kubernetes wants text; write \"1.20\"",
            "a.yaml:6:10: debug: true without quotes is the boolean true, and Kubernetes wants text; write \"true\"",
            "a.yaml:7:3: the key on without quotes is text here, and the boolean true to readers of YAML 1.1; write \"on\" in quotes",
        ]
    );
    let pod = "{ image: a, args: [--port, 80], env: [{ name: A, value: 1 }], ports: [80], nodeSelector: { a: true } }";
    assert_eq!(warnings(&object(pod)).len(), 3);
}

#[test]
fn a_place_is_warned_of_once_and_a_file_not_for_ever() {
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
    fn any_value_ends(value in "(yes|on|0[0-9]{1,3}|1_0|'|\"|\\||>|&a |\\*a|: |, |\\[|\\]|\\{|\\}|#|\n    |é|\\PC){0,12}") {
        let loaded = load(&object(&value), "");
        prop_assert!(loaded.complaints.iter().all(|complaint| complaint.place.line >= 1));
    }
}
