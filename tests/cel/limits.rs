//! Expressions that are too long or too deep are rejected with a message, on the stack of an ordinary thread.

use std::thread;

use tidegate_cel::Program;

use super::ask;

fn refused(text: String) -> String {
    // The threads that evaluate placements have this stack size.
    let small = thread::Builder::new().stack_size(2 << 20);
    let compiled = small.spawn(move || Program::compile(&text).map(|_| ())).unwrap();
    compiled.join().unwrap().expect_err("too deep").message
}

fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn depth_is_bounded() {
    for (open, inner, close) in [
        ("(", "true", ")"),
        ("[", "1", "]"),
        ("{1: ", "1", "}"),
        ("!(", "true", ")"),
        ("-(", "1", ")"),
        ("true ? (", "true", ") : false"),
        ("size([", "1", "])"),
        ("[1].all(x, ", "true", ")"),
        ("a[", "1", "]"),
    ] {
        for depth in [1_000, 10_000] {
            let message = refused(nested(depth, open, inner, close));
            assert!(message.starts_with("compilation failed: "), "{open}: {message}");
        }
    }
    refused(format!("managedCluster{}", ".a".repeat(40_000)));
    refused(format!("1{}", " + 1".repeat(20_000)));
}

#[test]
fn expressions_that_upstream_accepts_fit_the_stack() {
    let texts = [
        nested(240, "(", "true", ")"),
        nested(240, "[", "1", "]"),
        nested(240, "[1].all(x, ", "true", ")"),
        nested(120, "!!(", "true", ")"),
        nested(120, "size([", "1", "])"),
        nested(240, "true ? (", "true", ") : false"),
        nested(60, "[", "1", "].map(x, x)"),
        format!("1{} > 0", " + 1".repeat(240)),
        format!("true{}", " && true".repeat(5_000)),
        format!("'a' == 'a'{}", " || 'a' == 'b'".repeat(2_000)),
    ];
    for text in texts {
        let small = thread::Builder::new().stack_size(2 << 20);
        small.spawn(move || ask(&text)).unwrap().join().unwrap();
    }
}

#[test]
fn length_is_bounded() {
    let message = refused(format!("'{}' == ''", "a".repeat(100_000)));
    assert_eq!(
        message,
        "compilation failed: ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100008, limit 100000"
    );
}
