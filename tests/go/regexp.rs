//! Regular expressions have Go's syntax.

use proptest::prelude::*;
use tidegate_go::regexp::Pattern;

#[test]
fn expressions_match_as_in_go() {
    let cases = [
        ("^a+$", "aaa", true),
        // `$` matches only at the end, and `.` no line break.
        ("a$", "a\n", false),
        ("(?m)a$", "a\n", true),
        ("a.b", "a\nb", false),
        ("(?s)a.b", "a\nb", true),
        // Classes of one letter, and word boundaries, are ASCII only.
        (r"^\w$", "\u{e9}", false),
        (r"\d", "\u{663}", false),
        (r"\s", "\u{b}", false),
        (r"a\b", "a\u{e9}", true),
        (r"^\p{Greek}\pL$", "\u{3b1}b", true),
        (r"^[[:alpha:]_-]+$", "a-_", true),
        (r"^\Qa.b\E$", "a.b", true),
        (r"^\x41\x{1F600}\101$", "A\u{1f600}A", true),
        ("(?i)ab(?-i)c", "ABc", true),
        ("(?i)ab(?-i)c", "ABC", false),
        ("^(?P<x>a)(?<y>b)$", "ab", true),
        // A brace that starts no repetition is a character.
        ("^a{,2}$", "a{,2}", true),
        ("^[a&&b]$", "&", true),
    ];
    for (text, string, expected) in cases {
        assert_eq!(Pattern::compile(text).unwrap().regex.is_match(string), expected, "{text:?} {string:?}");
    }
}

#[test]
fn an_invalid_expression_gets_gos_error_message() {
    let cases = [
        ("(", "missing closing ): `(`"),
        ("a)", "unexpected ): `a)`"),
        ("[a", "missing closing ]: `[a`"),
        ("*a", "missing argument to repetition operator: `*`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{2,1}", "invalid repeat count: `{2,1}`"),
        ("(a{100}){100}", "invalid repeat count: `{100}`"),
        ("[z-a]", "invalid character class range: `z-a`"),
        (r"\p{Nosuch}", r"invalid character class range: `\p{Nosuch}`"),
        (r"\8", r"invalid escape sequence: `\8`"),
        (r"a\", "trailing backslash at end of expression: ``"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?P<n)", "invalid named capture: `(?P<n)`"),
    ];
    for (text, expected) in cases {
        assert_eq!(Pattern::compile(text).unwrap_err(), format!("error parsing regexp: {expected}"), "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_expression_is_accepted_or_rejected_without_panic(text in r"([ab(){}\[\]|*+?^$.,:0-9\\-]|\(\?|\PC){0,24}") {
        let _ = Pattern::compile(&text);
    }

    #[test]
    fn a_quoted_string_matches_itself(text in "[^\\\\]{0,16}") {
        let pattern = Pattern::compile(&format!(r"^\Q{text}\E$")).unwrap();
        prop_assert!(pattern.regex.is_match(&text));
    }
}
