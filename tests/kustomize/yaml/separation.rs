//! The text between values: tabs, anchors, and colons on lines of their own.

use serde_json::json;

use super::{complaint, value};

#[track_caller]
fn refused(text: &str, place: &str, why: &str) {
    let found = complaint(text);
    assert!(found.starts_with(place) && found.contains(why), "{text:?}: {found}");
}

#[test]
fn tabs_where_a_key_could_start_are_refused() {
    let why = "use spaces";
    for (text, place) in [
        ("a:\n\t{}\n", "2:2:"),
        ("a:\n  \tb\n", "2:3:"),
        ("a:\n  -\tb\n", "2:4:"),
        ("a:\n  ?\tb\n", "2:4:"),
        ("a: {}\n\t\n", "2:1:"),
        ("a: {}\n \t# comment\n", "2:2:"),
        ("a: 'b'\n\t\nc: d\n", "2:1:"),
        ("a: |\n  b\nc:\n\t\n", "4:1:"),
    ] {
        refused(text, place, why);
    }
}

#[test]
fn tabs_that_indent_a_string_without_quotes_less_than_its_key_are_refused() {
    let why = "use spaces";
    refused("a: b\n\t\n", "2:1:", why);
    refused("a:\n  b: c\n  \t\n    d\n", "3:3:", why);
    refused("a: [b\n\t, c]\n", "1:5:", "indent with spaces");
    assert_eq!(value("a:\n  b: c\n   \t\n"), json!({ "a": { "b": "c" } }));
}

#[test]
fn tabs_between_other_tokens_are_spaces() {
    let expected = json!({ "a": "b", "c": ["d", "e"], "f": "g" });
    assert_eq!(value("a:\tb\nc: [d,\te\t]\t# comment\nf:\t&f\tg\t\n"), expected);
}

#[test]
fn names_of_anchors_consist_of_letters_digits_hyphens_and_underscores() {
    let why = "in the name of an anchor; rename it";
    refused("a: &b:c 1\n", "1:4:", why);
    refused("a: &: 1\n", "1:4:", why);
    refused("a: &b.c 1\nd: *b.c\n", "1:4:", why);
    assert_eq!(value("a: &b-c_1 1\nd: *b-c_1\ne: [*b-c_1]\n"), json!({ "a": 1, "d": 1, "e": [1] }));
}

#[test]
fn a_colon_between_braces_is_on_the_line_of_its_key() {
    let why = "the : on the line of its key";
    refused("a: {b\n  : c}\n", "2:3:", why);
    refused("a: {\"b\"\n  : c}\n", "2:3:", why);
    refused("a: {\"b\n  c\": d}\n", "2:5:", why);
    refused("a: [b\n  : c]\n", "2:3:", "a \":\" is not allowed here");
    assert_eq!(value("a: {? b\n  : c, d:\n  e}\n"), json!({ "a": { "b": "c", "d": "e" } }));
}
