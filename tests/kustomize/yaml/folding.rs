//! Long lines, and folded blocks (`>`).

use serde_json::json;

use super::{value, written};

const LONG: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";

#[test]
fn lines_are_folded_at_the_first_space_after_80_columns() {
    assert_eq!(
        written(&json!({ "a": LONG })),
        "a: one two three four five six seven eight nine ten eleven twelve thirteen fourteen\n  fifteen sixteen\n"
    );
    assert_eq!(
        written(&json!({ "a": format!("it's: {LONG}") })),
        "a: 'it''s: one two three four five six seven eight nine ten eleven twelve thirteen\n  fourteen fifteen sixteen'\n"
    );
    assert_eq!(
        written(&json!({ "a": format!("\t{LONG}") })),
        "a: \"\\tone two three four five six seven eight nine ten eleven twelve thirteen fourteen\n  fifteen sixteen\"\n"
    );
    assert_eq!(
        written(&json!({ "a": [[LONG]] })),
        "a:\n- - one two three four five six seven eight nine ten eleven twelve thirteen fourteen\n    fifteen sixteen\n"
    );
}

#[test]
fn lines_without_a_single_space_are_not_folded() {
    let word = "x".repeat(100);
    assert_eq!(written(&json!({ "a": word })), format!("a: {word}\n"));
    assert_eq!(written(&json!({ "a": format!("{word}  y z") })), format!("a: {word}  y\n  z\n"));
    assert_eq!(written(&json!({ "a": format!("\t{word}  y") })), format!("a: \"\\t{word}\n  \\ y\"\n"));
    assert_eq!(written(&json!({ "a": format!("{word}\ny z") })), format!("a: |-\n  {word}\n  y z\n"));
}

#[test]
fn keys_are_not_folded() {
    let key = format!("{LONG} x");
    assert_eq!(written(&json!({ key.clone(): 1 })), format!("{key}: 1\n"));
}

#[test]
fn line_breaks_of_folded_blocks_grow_as_in_kustomize() {
    let cases = [
        ("a: >\n  b\n  c\n\n  d\n", "b c\nd\n"),
        ("a: >\n  b\n    c\n  d\n", "b\n\n  c\nd\n"),
        ("a: >\n  b\n\n    c\n", "b\n\n\n  c\n"),
        ("a: >-\n  b\n    c\n", "b\n\n  c"),
        ("a: >+\n  b\n\n\n", "b\n\n\n\n"),
        ("a: >+2\n    b\n  c\n\n", "  b\nc\n\n\n"),
        ("a: >2\n    b\n    c\n", "  b\n  c\n"),
        ("a: |\n  b\n    c\n", "b\n  c\n"),
        ("a: >\n  b \n    c\n", "b \n  c\n"),
    ];
    for (text, folded) in cases {
        assert_eq!(value(text)["a"], folded, "{text:?}");
    }
}
