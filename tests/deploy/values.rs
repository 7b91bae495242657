//! What a user may set.

use serde_json::{Value, json};
use tidegate_api::schema::Schema;
use tidegate_api::schema::check::violations;

use super::chart::{defaults, rendered};

/// Returns what the schema of the values says, as Helm checks it before it renders.
fn complaints(changes: Value) -> Vec<String> {
    let text = std::fs::read_to_string("deploy/chart/tidegate/values.schema.json").unwrap();
    let schema = Schema::compile(&serde_json::from_str(&text).unwrap());
    let values = defaults(changes);
    violations(&values, &schema).into_iter().map(|(path, why)| format!("{path}: {why:?}")).collect()
}

#[test]
fn the_defaults_fit_their_schema() {
    assert_eq!(complaints(json!({})), Vec::<String>::new());
}

#[test]
fn every_value_has_a_default_and_a_type() {
    fn compare(value: &Value, schema: &Value, path: &str) {
        let (Some(fields), Some(properties)) = (value.as_object(), schema["properties"].as_object()) else { return };
        let known = properties.keys().filter(|name| *name != "global");
        assert_eq!(fields.keys().collect::<Vec<_>>(), known.collect::<Vec<_>>(), "{path}");
        for (name, value) in fields {
            compare(value, &properties[name], &format!("{path}.{name}"));
        }
    }
    let text = std::fs::read_to_string("deploy/chart/tidegate/values.schema.json").unwrap();
    compare(&defaults(json!({})), &serde_json::from_str(&text).unwrap(), "");
}

#[test]
fn values_that_cannot_work_are_refused_by_the_schema() {
    let cases = [
        (json!({ "delivery": "both" }), "delivery"),
        (json!({ "delivery": ["native", "upstream"] }), "delivery"),
        (json!({ "placement": "ocm" }), "placement"),
        (json!({ "replicas": "2" }), "replicas"),
        (json!({ "replicas": -1 }), "replicas"),
        (json!({ "source": { "url": "git@git.example.com:platform/fleet.git" } }), "source.url"),
        (json!({ "source": { "url": "ssh://git@git.example.com/platform/fleet.git" } }), "source.url"),
        (json!({ "source": { "url": "" } }), "source.url"),
        (json!({ "source": { "url": "https://ada:secret@git.example.com/platform/fleet.git" } }), "source.url"),
        (json!({ "podSecurityContext": { "runAsNonRoot": false } }), "podSecurityContext.runAsNonRoot"),
        (json!({ "image": { "digest": "0123" } }), "image.digest"),
        (json!({ "image": { "tag": "a b" } }), "image.tag"),
        (json!({ "webhook": { "port": 70_000 } }), "webhook.port"),
        (json!({ "webhooks": {} }), "webhooks"),
    ];
    for (changes, path) in cases {
        let found = complaints(changes.clone());
        assert!(matches!(&found[..], [only] if only.contains(path)), "{changes}: {found:?}");
    }
}

#[test]
fn settings_that_contradict_a_value_are_refused() {
    let refused = |changes: Value| rendered(&changes).unwrap_err();
    let message = "config contains [delivery], which the value `delivery` sets: remove it from `config`";
    for config in
        ["[delivery]\nmode = \"native\"\n", "poll = \"1m\"\n\n [ delivery ]\n", "delivery.mode = \"native\"\n"]
    {
        assert_eq!(refused(json!({ "config": config, "delivery": "upstream" })), message);
    }
    assert_eq!(
        refused(json!({ "webhook": { "port": 8081 } })),
        "webhook.port is set, and config has no [webhook]: add it, with `listen` on this port and the secret"
    );
    for config in ["# [webhook]\n", "[webhooks]\n"] {
        assert!(refused(json!({ "config": config, "webhook": { "port": 8081 } })).contains("config has no [webhook]"));
    }
    assert_eq!(
        refused(json!({ "config": "[ webhook ]\nlisten = \"0.0.0.0:8081\"\n" })),
        "config has [webhook], and webhook.port is 0: set it to the port of `listen`"
    );
    assert_eq!(
        refused(json!({ "config": "[webhook]\n", "webhook": { "port": 8080 } })),
        "webhook.port is 8080, where probes and metrics are: choose another port, also in `listen`"
    );
    rendered(&json!({ "config": "# [delivery] is a value\n[webhook]\n", "webhook": { "port": 8081 } })).unwrap();
}
