//! Tests of finding the end of a token in its line.

use proptest::prelude::*;
use tidegate_repository::token;

#[test]
fn quotes_brackets_and_plain_scalars_have_their_ends() {
    let cases = [
        ("name: hello # a", 1, "name"),
        ("name: hello # a", 7, "hello"),
        ("name: a b#c ", 7, "a b#c"),
        ("x: 'it''s', y", 4, "'it''s'"),
        (r#"x: "a \" b" "#, 4, r#""a \" b""#),
        ("x: 'open", 4, "'open"),
        ("[yes, no]", 2, "yes"),
        ("[yes, no]", 1, "["),
        ("{a: b}", 5, "b"),
        ("url: http://a:80/b", 6, "http://a:80/b"),
        ("key:", 1, "key"),
        ("x: | # block", 4, "|"),
        ("x: &a yes", 4, "&a"),
        ("é: ü", 4, "ü"),
        ("a", 5, ""),
        ("", 1, ""),
        (": a", 1, ":"),
    ];
    for (line, column, expected) in cases {
        assert_eq!(token(line, column), expected, "{line:?} at {column}");
    }
}

proptest! {
    #[test]
    fn the_token_of_any_line_is_part_of_it(line in "\\PC*", column in 0_u32..80) {
        prop_assert!(line.contains(token(&line, column)));
    }
}
