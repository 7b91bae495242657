//! JSON is parsed as Go parses it.

use proptest::prelude::*;
use serde_json::{Value, json};
use tidegate_go::canonical::go_json;
use tidegate_go::json::Json;

fn read(text: &str) -> Value {
    Json::parse(text).unwrap().to_value().unwrap()
}

#[test]
fn unpaired_surrogates_become_replacement_characters() {
    let cases = [
        (r#""\ud83d\ude00""#, "\u{1f600}"),
        (r#""\ud800""#, "\u{fffd}"),
        (r#""\udc00x""#, "\u{fffd}x"),
        (r#""\ud800\u0041""#, "\u{fffd}A"),
        (r#""\ud800\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
        (r#""\ud83d\n""#, "\u{fffd}\n"),
        (r#""\/\"\\\b\f\n\r\t\u00e9""#, "/\"\\\u{8}\u{c}\n\r\t\u{e9}"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), expected, "{text}");
    }
    assert_eq!(read(r#"{"\ud800": 1}"#), json!({ "\u{fffd}": 1 }));
}

#[test]
fn the_last_of_duplicate_keys_wins() {
    assert_eq!(read(r#"{"a": {"x": 1}, "b": 2, "\u0061": {"y": 3}}"#), json!({ "a": { "y": 3 }, "b": 2 }));
}

#[test]
fn integers_of_64_bits_stay_integers() {
    let cases = [
        ("-0", "0"),
        ("-0.0", "-0"),
        ("1.0", "1"),
        ("1E2", "100"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709552000"),
        ("5e-324", "5e-324"),
        ("1e-400", "0"),
    ];
    for (text, expected) in cases {
        assert_eq!(go_json(&read(text)), expected, "{text}");
    }
    let error = Json::parse(r#"{"a": [1, 1e400]}"#).unwrap().to_value().unwrap_err();
    assert_eq!(error.to_string(), "json: cannot unmarshal number 1e400 into Go value of type float64");
}

#[test]
fn invalid_json_gets_gos_error_message() {
    let deep = "[".repeat(100_000);
    let cases = [
        ("", "unexpected end of JSON input"),
        (r#"{"a": 1"#, "unexpected end of JSON input"),
        (r#""abc"#, "unexpected end of JSON input"),
        ("tru", "invalid character ' ' in literal true (expecting 'e')"),
        ("fase", "invalid character 's' in literal false (expecting 'l')"),
        ("nil", "invalid character 'i' in literal null (expecting 'u')"),
        (r#"{"a": 01}"#, "invalid character '1' after object key:value pair"),
        ("[01]", "invalid character '1' after array element"),
        ("1 x", "invalid character 'x' after top-level value"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        (r#"{"a":1,}"#, "invalid character '}' looking for beginning of object key string"),
        (r#"{"a"}"#, "invalid character '}' after object key"),
        ("-", "invalid character ' ' in numeric literal"),
        ("1.e", "invalid character 'e' after decimal point in numeric literal"),
        ("1e+]", "invalid character ']' in exponent of numeric literal"),
        (r#""\x""#, "invalid character 'x' in string escape code"),
        (r#""\u12g4""#, "invalid character 'g' in \\u hexadecimal character escape"),
        ("\"\n\"", "invalid character '\\n' in string literal"),
        ("'a'", r"invalid character '\'' looking for beginning of value"),
        (r#"["a" "b"]"#, r#"invalid character '"' after array element"#),
        ("\u{e9}", "invalid character '\u{c3}' looking for beginning of value"),
        (&deep, "invalid character '[' exceeded max depth"),
    ];
    for (text, expected) in cases {
        assert_eq!(Json::parse(text).unwrap_err().to_string(), expected, "{text:.20}");
    }
}

proptest! {
    #[test]
    fn any_string_is_accepted_or_rejected_without_panic(text in ".*") {
        let _ = Json::parse(&text).map(|json| json.to_value());
    }

    #[test]
    fn written_json_parses_back_unchanged(value in value()) {
        let text = go_json(&value);
        prop_assert_eq!(go_json(&read(&text)), text);
    }

    #[test]
    fn valid_json_is_parsed_as_by_serde_json(value in value()) {
        let text = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(go_json(&read(&text)), go_json(&value));
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("Go reads -0 as an integer", |n| *n != 0.0).prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        let members = prop::collection::btree_map(".*", inner.clone(), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            members.prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
