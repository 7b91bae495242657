//! Expressions that do not compile: the messages and positions of errors.

use tidegate_cel::Program;

#[test]
fn error_messages_match_upstream() {
    let cases = [
        (
            "nosuchvar == 1",
            "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nosuchvar' (in container '')\n | nosuchvar == 1\n | ^",
        ),
        (
            "1 + 'a' == 2",
            "compilation failed: ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | 1 + 'a' == 2\n | ..^",
        ),
        (
            "managedCluster.nosuchfunction()",
            "compilation failed: ERROR: <input>:1:30: undeclared reference to 'nosuchfunction' (in container '')\n | managedCluster.nosuchfunction()\n | .............................^",
        ),
        ("'a'.find('(')", "instantiation failed: error parsing regexp: missing closing ): `(`"),
    ];
    for (text, message) in cases {
        assert_eq!(Program::compile(text).unwrap_err().message, message, "{text}");
    }
}

#[test]
fn the_first_error_has_a_position() {
    let cases = [
        ("nosuchvar == 1", Some((1, 1)), "undeclared reference to 'nosuchvar' (in container '')"),
        ("true &&\n  nosuchvar", Some((2, 3)), "undeclared reference to 'nosuchvar' (in container '')"),
        ("1 + 'a' == 2", Some((1, 3)), "found no matching overload for '_+_' applied to '(int, string)'"),
        ("'a'.find('(')", None, "error parsing regexp: missing closing ): `(`"),
    ];
    for (text, place, summary) in cases {
        let refusal = Program::compile(text).unwrap_err();
        assert_eq!((refusal.place, refusal.summary.as_str()), (place, summary), "{text}");
    }
}

#[test]
fn invalid_expressions_are_rejected() {
    for text in [
        "",
        " ",
        "1 +",
        "(",
        ")",
        "'",
        "a b",
        "1 = 1",
        "has(1)",
        "[1,",
        "{1: }",
        "x.all(1, true)",
        "\u{0}",
        "'\\q'",
        "0xg",
    ] {
        let refusal = Program::compile(text).unwrap_err();
        assert!(refusal.message.starts_with("compilation failed: ERROR: <input>:"), "{text}: {}", refusal.message);
        assert!(!refusal.summary.is_empty(), "{text}");
    }
}
