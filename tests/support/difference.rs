//! The difference of two JSON values.

use serde_json::Value;

/// Returns the first location where two values differ, as a JSON pointer, with both values.
pub(crate) fn difference(expected: &Value, answered: &Value) -> Option<String> {
    let below = |step: String, found: Option<String>| found.map(|found| format!("/{step}{found}"));
    match (expected, answered) {
        (Value::Object(a), Value::Object(b)) => {
            let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
            names.into_iter().find_map(|name| match (a.get(name), b.get(name)) {
                (Some(a), Some(b)) => below(name.clone(), difference(a, b)),
                (Some(a), None) => Some(format!("/{name}: expected {a}, answered nothing")),
                (None, b) => Some(format!("/{name}: expected nothing, answered {}", b.unwrap_or(&Value::Null))),
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(at, (a, b))| below(at.to_string(), difference(a, b)))
        }
        (a, b) => (a != b).then(|| format!(": expected {a}, answered {b}")),
    }
}

#[test]
fn a_difference_is_reported_with_its_location() {
    let told = |expected: &str, answered: &str| {
        difference(&serde_json::from_str(expected).unwrap(), &serde_json::from_str(answered).unwrap())
    };
    assert_eq!(told(r#"{"a": [1, {"b": null}]}"#, r#"{"a": [1, {"b": null}]}"#), None);
    let cases = [
        (r#"{"a": [1, {"b": 2}]}"#, r#"{"a": [1, {"b": 3}]}"#, "/a/1/b: expected 2, answered 3"),
        ("[1, 2]", "[2, 1]", "/0: expected 1, answered 2"),
        ("[1]", "[1, 2]", ": expected [1], answered [1,2]"),
        (r#"{"a": null}"#, "{}", "/a: expected null, answered nothing"),
        ("{}", r#"{"a": []}"#, "/a: expected nothing, answered []"),
        ("1", "1.0", ": expected 1, answered 1.0"),
    ];
    for (expected, answered, difference) in cases {
        assert_eq!(told(expected, answered).as_deref(), Some(difference));
    }
}
