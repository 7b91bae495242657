//! Tests of the public API of `model`.

mod shared;

use proptest::prelude::*;
use serde_json::json;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::contains;

proptest! {
    #[test]
    fn any_string_is_a_name_or_rejected(text in ".*") {
        let _ = text.parse::<ClusterName>();
    }
}

#[test]
fn names_are_validated_when_parsed() {
    for good in ["a", "east-1", "a.b-c.d", "0"] {
        assert!(good.parse::<ClusterName>().is_ok(), "{good:?}");
    }
    for bad in ["", "East", "-a", "a-", "a..b", "a_b", "ä", &"a".repeat(254)] {
        assert!(bad.parse::<UnitName>().is_err(), "{bad:?}");
    }
    let error = "East".parse::<ClusterName>().unwrap_err().to_string();
    assert_eq!(error, "\"East\" is not a valid cluster name: only lower-case letters, digits, '-' and '.' are allowed");
}

#[test]
fn an_object_contains_its_wanted_fields_and_may_have_more() {
    let actual = json!({ "a": 1, "b": { "c": [1, { "d": 2, "e": 3 }] } });
    assert!(contains(&actual, &json!({ "b": { "c": [1, { "d": 2 }] } })));
    assert!(contains(&actual, &json!({ "missing": null })));
    assert!(!contains(&actual, &json!({ "a": 2 })));
    assert!(!contains(&actual, &json!({ "b": { "c": [1] } })));
    assert!(!contains(&actual, &json!({ "missing": {} })));
}

#[test]
fn a_digest_is_the_whole_sha256_and_shown_with_twelve_digits() {
    let digest = Digest::of(b"");
    assert_eq!(digest.short(), "e3b0c44298fc");
    assert_eq!(digest.to_string().parse(), Ok(digest.clone()));
    assert_eq!(serde_json::from_value::<Digest>(json!(digest)).unwrap(), digest);
    for bad in ["e3b0c44298fc", &"g".repeat(64), &digest.to_string().to_uppercase(), ""] {
        assert!(bad.parse::<Digest>().is_err() && serde_json::from_value::<Digest>(json!(bad)).is_err(), "{bad:?}");
    }
}
