//! How scalars are resolved and written back.

use serde_json::{Value, json};

use super::value;

/// Returns the value of a plain scalar, and how it is written back.
fn through(text: &str) -> (Value, String) {
    let value = value(&format!("a: {text}\n"));
    let line = super::written(&value);
    let line = line.strip_prefix("a: ").and_then(|line| line.strip_suffix('\n')).unwrap();
    (value["a"].clone(), line.to_owned())
}

#[test]
fn plain_scalars_are_resolved_as_in_go() {
    let cases = [
        ("0", json!(0), "0"),
        ("-0", json!(0), "0"),
        ("+12", json!(12), "12"),
        ("9223372036854775807", json!(i64::MAX), "9223372036854775807"),
        ("-9223372036854775808", json!(i64::MIN), "-9223372036854775808"),
        ("18446744073709551615", json!(u64::MAX), "18446744073709551615"),
        ("+18446744073709551615", json!(18446744073709551616.0), "1.8446744073709552e+19"),
        ("18446744073709551616", json!(18446744073709551616.0), "1.8446744073709552e+19"),
        ("0x2A", json!(42), "42"),
        ("-0x2A", json!(-42), "-42"),
        ("0o52", json!(42), "42"),
        ("052", json!(42), "42"),
        ("0b101010", json!(42), "42"),
        ("4_2", json!(42), "42"),
        ("0x_2_A", json!(42), "42"),
        ("09", json!(9), "9"),
        ("1.0", json!(1), "1"),
        ("-2.50", json!(-2.5), "-2.5"),
        (".25", json!(0.25), "0.25"),
        ("7.", json!(7), "7"),
        ("2e3", json!(2000), "2000"),
        ("1e20", json!(100_000_000_000_000_000_000.0), "1e+20"),
        ("1e15", json!(1_000_000_000_000_000_u64), "1000000000000000"),
        ("1E+22", json!(1e22), "1e+22"),
        ("0.0001", json!(0.0001), "0.0001"),
        ("0.00001", json!(0.00001), "1e-05"),
        ("123456.5", json!(123_456.5), "123456.5"),
        ("1234567.5", json!(1_234_567.5), "1.2345675e+06"),
        ("-0.0", json!(0), "0"),
        ("1e999", json!("1e999"), "1e999"),
        ("0x", json!("0x"), "0x"),
        ("0x1.8p1", json!("0x1.8p1"), "0x1.8p1"),
        ("1.2.3", json!("1.2.3"), "1.2.3"),
        ("--1", json!("--1"), "--1"),
        ("True", json!(true), "true"),
        ("FALSE", json!(false), "false"),
        ("tRUE", json!("tRUE"), "tRUE"),
        ("~", Value::Null, "null"),
        ("", Value::Null, "null"),
        ("Null", Value::Null, "null"),
        ("yes", json!("yes"), "\"yes\""),
        ("Off", json!("Off"), "\"Off\""),
        ("n", json!("n"), "\"n\""),
        ("nO", json!("nO"), "nO"),
        ("2026-11-21", json!("2026-11-21T00:00:00Z"), "\"2026-11-21T00:00:00Z\""),
        ("2026-1-2", json!("2026-01-02T00:00:00Z"), "\"2026-01-02T00:00:00Z\""),
        ("2026-11-21 1:2:3", json!("2026-11-21T01:02:03Z"), "\"2026-11-21T01:02:03Z\""),
        ("2026-11-21T01:02:03.4500+02:00", json!("2026-11-21T01:02:03.45+02:00"), "\"2026-11-21T01:02:03.45+02:00\""),
        ("2026-11-21t01:02:03+00:00", json!("2026-11-21T01:02:03Z"), "\"2026-11-21T01:02:03Z\""),
        ("2024-02-29", json!("2024-02-29T00:00:00Z"), "\"2024-02-29T00:00:00Z\""),
        ("2026-02-29", json!("2026-02-29"), "2026-02-29"),
        ("2026-11-21T01:02:03", json!("2026-11-21T01:02:03"), "2026-11-21T01:02:03"),
        ("12:30:45", json!("12:30:45"), "\"12:30:45\""),
        ("<<", json!("<<"), "<<"),
        ("=", json!("="), "="),
        ("!!str 0777", json!("0777"), "\"0777\""),
        ("!!int \"0777\"", json!(511), "511"),
        ("!!float 3", json!(3), "3"),
        ("!!bool 'true'", json!(true), "true"),
        ("!!null ''", Value::Null, "null"),
        ("!!timestamp '2026-11-21'", json!("2026-11-21T00:00:00Z"), "\"2026-11-21T00:00:00Z\""),
        ("!!binary YmxhdQ==", json!("blau"), "blau"),
        ("!own 12", json!("12"), "\"12\""),
        ("'12'", json!("12"), "\"12\""),
    ];
    for (text, value, line) in cases {
        assert_eq!(through(text), (value, line.to_owned()), "{text}");
    }
}

#[test]
fn numbers_that_json_cannot_represent_are_rejected() {
    for text in [".inf", "-.INF", ".nan"] {
        let message =
            format!("2:6: {text} is a number that Kubernetes cannot store; put quotes around it if it is a string");
        assert_eq!(super::complaint(&format!("a: 1\nb:   {text}\n")), message);
    }
}

#[test]
fn tags_that_do_not_fit_are_rejected() {
    assert_eq!(super::complaint("a: !!int x"), "1:10: \"x\" is not a valid value for the tag !!int; remove the tag");
    assert_eq!(
        super::complaint("a: !!binary =="),
        "1:13: the value of the tag !!binary is not base64; fix it, or remove the tag"
    );
}

#[test]
fn missing_values_have_no_text() {
    let node = &super::read("a:\nb: ~\nc: [null]\n").unwrap()[0];
    let text = |key| node.get(key).unwrap().as_scalar().unwrap().text();
    assert_eq!((text("a"), text("b")), ("", "~"));
}
