//! Tests of writing trees.

use serde_json::{Value, json};
use tidegate_kustomize::yaml::{self, Node, Origin};

use super::written;

/// Asserts that a string is written as `line` as the value of a key.
fn is_written(text: &str, line: &str) {
    assert_eq!(written(&json!({ "a": text })), format!("a: {line}\n"), "{text:?}");
}

#[test]
fn ambiguous_strings_are_quoted() {
    let words = [
        "y",
        "NO",
        "On",
        "off",
        "true",
        "~",
        "Null",
        "",
        "12",
        "-1.5",
        "+.5",
        "0b11",
        "08",
        "1_0",
        "1e-5",
        ".inf",
        "2026-11-21",
    ];
    for text in words.into_iter().chain(["1:30", "190:20:30.5", "-1:2", "0o17", "0xF"]) {
        is_written(text, &format!("\"{text}\""));
    }
    for text in [
        "yep",
        "1e",
        "0x",
        "NaN",
        "Infinity",
        "0.4.0",
        "1,5",
        "1:60",
        "a:b",
        "-a",
        ":a",
        "a]",
        "x#y",
        "=",
        "<<",
        "$(A)",
        "back\\slash",
    ] {
        is_written(text, text);
    }
    for text in [
        " a", "a ", "a: b", "a:", "a #b", "#a", "- a", "-", "? a", "*a", "&a", "!a", "%a", "@a", "`a", "[a", "{a",
        ">a", "|a", "---x", "...", "\"a",
    ] {
        is_written(text, &format!("'{text}'"));
    }
    is_written("'a", "'''a'");
    is_written("it's", "it's");
}

#[test]
fn unprintable_characters_are_escaped() {
    is_written("a\tb", "\"a\\tb\"");
    is_written("\0\u{7}\u{8}\u{b}\u{c}\r\u{1b}\"\\\u{1}", "\"\\0\\a\\b\\v\\f\\r\\e\\\"\\\\\\x01\"");
    is_written("größe – 集", "größe – 集");
    is_written("a\u{a0}b", "a\u{a0}b");
    is_written("go 🚀", "\"go \\U0001F680\"");
    is_written("a\u{feff}b", "\"a\\uFEFFb\"");
    is_written("\u{feff}b\u{a0}", "\"\\uFEFF\\x62\\_\"");
    is_written("a\u{2028}b", "'a\u{2028}  b'");
    is_written("a\u{85}b \u{85}\u{85} c", "|-\n  a b\n  c");
}

#[test]
fn several_lines_become_a_block() {
    is_written("a\nb", "|-\n  a\n  b");
    is_written("a\nb\n", "|\n  a\n  b");
    is_written("a\n\nb\n\n", "|+\n  a\n\n  b\n");
    is_written("\n", "|2+\n");
    is_written("\na", "|2-\n\n  a");
    is_written("  a\nb", "|2-\n    a\n  b");
    is_written("a\n\tb", "\"a\\n\\tb\"");
    is_written("a \nb", "\"a \\nb\"");
    is_written("a\nb ", "\"a\\nb \"");
    is_written("a\r\n", "\"a\\r\\n\"");
}

#[test]
fn collections_are_laid_out_as_in_go() {
    let value = json!({
        "b": [1, [2, [3], []], {"y": 1, "x": {"z": []}}, [[{"a": "b"}]], null, {}],
        "a": {"c": {}, "d": [], "e": [["x\ny"]]},
    });
    let text = "\
a:
  c: {}
  d: []
  e:
  - - |-
      x
      y
b:
- 1
- - 2
  - - 3
  - []
- x:
    z: []
  \"y\": 1
- - - a: b
- null
- {}
";
    assert_eq!(written(&value), text);
    assert_eq!(written(&json!([])), "[]\n");
    assert_eq!(written(&json!(["a", {"b": 1}])), "- a\n- b: 1\n");
    assert_eq!(written(&json!("a b")), "a b\n");
    assert_eq!(written(&Value::Null), "null\n");
}

#[test]
fn documents_are_separated_by_dashes() {
    let nodes: Vec<Node> = [json!({"a": 1}), json!({"b": "x\n\n"}), json!({})]
        .iter()
        .map(|v| Node::from_value(v, Origin::default()))
        .collect();
    assert_eq!(yaml::write_all(&nodes).unwrap(), "a: 1\n---\nb: |+\n  x\n\n---\n{}\n");
    assert_eq!(yaml::write_all(&[]).unwrap(), "");
}

#[test]
fn a_tree_that_is_too_deep_is_not_written() {
    let mut value = json!(1);
    for _ in 0..300 {
        value = json!([value]);
    }
    let error = yaml::write(&Node::from_value(&value, Origin::default())).unwrap_err();
    assert_eq!(error.message, "the object nests deeper than 256 levels; flatten it");
}
