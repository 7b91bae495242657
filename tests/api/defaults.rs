//! Defaults are filled in as an API server does, and removed again.

use serde_json::{Value, json};
use tidegate_api::schema::Schema;
use tidegate_api::schema::defaulting::{fill, strip};

fn schema() -> Schema {
    let named = json!({
        "type": "object", "required": ["mode"],
        "properties": {
            "group": { "type": "string", "default": "" },
            "name": { "type": "string" },
            "mode": { "type": "string", "default": "fast" },
            "size": { "type": "integer", "default": 1 },
        },
    });
    Schema::compile(&json!({
        "type": "object",
        "properties": {
            "strategy": {
                "type": "object", "default": { "type": "All" },
                "properties": { "type": { "type": "string" }, "limit": { "type": "integer", "default": 3 } },
            },
            "items": {
                "type": "array", "items": named,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["group", "name"],
            },
        },
    }))
}

fn stripped(value: &Value) -> Value {
    let mut stripped = value.clone();
    strip(&mut stripped, &schema());
    let filled = |value: &Value| {
        let mut value = value.clone();
        fill(&mut value, &schema());
        value
    };
    assert_eq!(filled(&stripped), filled(value));
    stripped
}

#[test]
fn a_value_that_equals_its_default_is_removed_whether_its_own_defaults_are_filled_in_or_not() {
    for strategy in [json!({ "type": "All" }), json!({ "type": "All", "limit": 3 })] {
        assert_eq!(stripped(&json!({ "strategy": strategy })), json!({}));
    }
    let other = json!({ "strategy": { "type": "All", "limit": 4 } });
    assert_eq!(stripped(&other), other);
    assert_eq!(
        stripped(&json!({ "strategy": { "type": "One", "limit": 3 } })),
        json!({ "strategy": { "type": "One" } })
    );
}

#[test]
fn the_keys_of_a_list_and_required_fields_are_kept() {
    let items = json!({ "items": [{ "group": "", "name": "a", "mode": "fast", "size": 1 }] });
    assert_eq!(stripped(&items), json!({ "items": [{ "group": "", "name": "a", "mode": "fast" }] }));
}
