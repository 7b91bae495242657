//! Tests of the public API of `go`.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod base64;
mod float;
mod json;
mod label_selector;
mod regexp;

use jiff::SignedDuration;
use proptest::prelude::*;
use serde_json::{Value, json};
use tidegate_go::canonical::{go_json, spec_hash};
use tidegate_go::duration::{GoDuration, parse_go_duration};
use tidegate_go::json_length::json_length;
use tidegate_go::quote::go_quoted;

#[test]
fn durations_are_parsed_as_in_go() {
    let nanos = |text: &str| parse_go_duration(text).map(|d| d.as_nanos()).ok();
    let cases = [
        ("0", Some(0)),
        ("5m", Some(300_000_000_000)),
        ("1h30m", Some(5_400_000_000_000)),
        ("1.5h", Some(5_400_000_000_000)),
        ("-2s", Some(-2_000_000_000)),
        ("100ms", Some(100_000_000)),
        (".5s", Some(500_000_000)),
        ("1\u{b5}s", Some(1_000)),
        ("5", None),
        ("", None),
        ("-", None),
        ("s", None),
        (".s", None),
        ("1d", None),
        ("1 s", None),
        ("1.2.3s", None),
        ("9223372036854775808ns", None),
        ("-9223372036854775808ns", Some(i128::from(i64::MIN))),
        ("99999999999999999999s", None),
        ("0000000000000000000000001s", Some(1_000_000_000)),
        ("0.3333333333333333333h", Some(1_200_000_000_000)),
        ("0.99999999999999999999999999ns", Some(1)),
        ("9223372036854775808ns9223372036854775808ns", None),
    ];
    for (text, expected) in cases {
        assert_eq!(nanos(text), expected, "{text:?}");
    }
}

#[test]
fn durations_are_printed_as_in_go() {
    let cases = [
        (0, "0s"),
        (1, "1ns"),
        (1_500, "1.5\u{b5}s"),
        (250_000_000, "250ms"),
        (60_000_000_000, "1m0s"),
        (3_630_500_000_000, "1h0m30.5s"),
        (-1_000_000_000, "-1s"),
    ];
    for (nanos, expected) in cases {
        assert_eq!(GoDuration(SignedDuration::from_nanos(nanos)).to_string(), expected);
    }
}

#[test]
fn an_invalid_duration_gets_gos_error_message() {
    let cases = [
        ("5", "time: missing unit in duration \"5\""),
        ("5m1\u{b5}", "time: unknown unit \"\\xc2\\xb5\" in duration \"5m1\\xc2\\xb5\""),
        ("1m99999999999999999999x", "time: invalid duration \"1m99999999999999999999x\""),
        ("a\"b", "time: invalid duration \"a\\\"b\""),
    ];
    for (text, expected) in cases {
        assert_eq!(parse_go_duration(text).unwrap_err().go_text(), expected);
    }
}

#[test]
fn strings_are_quoted_as_in_go() {
    let cases = [
        ("plain '\u{bd}'", "\"plain '\u{bd}'\""),
        ("a\"\\\n\t\u{7}\u{b}", "\"a\\\"\\\\\\n\\t\\a\\v\""),
        ("\0\u{7f}\u{200b}\u{e0001}e\u{301}", "\"\\x00\\x7f\\u200b\\U000e0001e\u{301}\""),
    ];
    for (text, expected) in cases {
        assert_eq!(go_quoted(text), expected);
    }
}

proptest! {
    #[test]
    fn a_printed_duration_parses_back(nanos in any::<i64>()) {
        let duration = SignedDuration::from_nanos(nanos);
        prop_assert_eq!(parse_go_duration(&GoDuration(duration).to_string()), Ok(duration));
    }

    #[test]
    fn any_string_is_accepted_or_rejected_without_panic(text in ".*") {
        let _ = parse_go_duration(&text);
    }
}

#[test]
fn json_is_written_as_in_go() {
    let object: Value = serde_json::from_str(
        r#"{"z":"<a>&b","b":"\u2028\u2029\u007f\b\f\n\r\t\u0001\"\\/é😀","A":1,"a":2,"é":3,"_":4}"#,
    )
    .unwrap();
    let expected = "{\"A\":1,\"_\":4,\"a\":2,\"b\":\"\\u2028\\u2029\u{7f}\\b\\f\\n\\r\\t\\u0001\\\"\\\\/é😀\",\"z\":\"\\u003ca\\u003e\\u0026b\",\"é\":3}";
    assert_eq!(go_json(&object), expected);
}

#[test]
fn json_strings_are_escaped_as_in_go() {
    let cases = [
        ("", r#""""#),
        ("\u{2027}\u{2028}\u{2029}\u{202a}€–", "\"\u{2027}\\u2028\\u2029\u{202a}€–\""),
        ("<<a<b", r#""\u003c\u003ca\u003cb""#),
        ("a\n", r#""a\n""#),
    ];
    for (text, expected) in cases {
        assert_eq!(go_json(&text.into()), expected, "{text:?}");
    }
}

#[test]
fn json_numbers_are_written_as_in_go() {
    let cases = [
        ("1.0", "1"),
        ("1e3", "1000"),
        ("1e21", "1e+21"),
        ("1e20", "100000000000000000000"),
        ("1e-6", "0.000001"),
        ("1e-7", "1e-7"),
        ("0.1", "0.1"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854776000"),
        ("1.5e-9", "1.5e-9"),
        ("3.0e+25", "3e+25"),
        ("-0.0", "-0"),
    ];
    for (text, expected) in cases {
        assert_eq!(go_json(&serde_json::from_str(text).unwrap()), expected, "{text}");
    }
}

#[test]
fn spec_hashes_match_upstream() {
    let config = json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1",
        "kind": "AddOnDeploymentConfig",
        "metadata": { "name": "x", "labels": { "not": "hashed" } },
        "spec": {
            "customizedVariables": [{ "name": "LOG_LEVEL", "value": "4" }],
            "agentInstallNamespace": "open-cluster-management-agent-addon",
        },
    });
    assert_eq!(spec_hash(&config), "9814be4f96112e139006c75ccc41a29fef85a114a84c32c9c8fcacca23ec3997");
    assert_eq!(spec_hash(&json!({})), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    assert_eq!(spec_hash(&json!({ "spec": {} })), "53aa778a9b137a0ca7ab79937d069870b14440dae5922f51d940ffa4b178d5cb");
}

#[test]
fn json_length_is_the_number_of_bytes_written() {
    let texts = "\"\\\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}<>&/\u{2027}\u{2028}\u{2029}\u{202a}é😀";
    let numbers = json!([0, 9, 10, -1, 99, 100, i64::MAX, i64::MIN, u64::MAX, 1.0, 1e21, 1e-7, 0.1, -0.0]);
    for value in
        [json!([]), json!({}), json!([[], {}]), json!({"a": null, "<b>": [true, false]}), json!(texts), numbers]
    {
        assert_eq!(json_length(&value), go_json(&value).len(), "{value}");
    }
}
