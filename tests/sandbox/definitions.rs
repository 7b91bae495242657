//! Kinds that are defined while the hub runs.

use serde_json::{Value, json};

use super::rules::things;
use super::support::*;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS: &str = "/apis/example.com/v1/things";

fn spec() -> Value {
    json!({ "type": "object", "properties": { "size": { "type": "integer", "default": 1 } } })
}

fn thing(spec: Value) -> Value {
    json!({ "metadata": { "name": "t" }, "spec": spec })
}

#[tokio::test(start_paused = true)]
async fn a_kind_is_served_as_soon_as_it_is_defined() {
    let hub = hub();
    assert_eq!(get(&hub, THINGS).await.code, 404);
    let created = ask(&hub, "POST", DEFINITIONS, things(spec())).await;
    assert_eq!(created.code, 201, "{:?}", created.body);
    assert_eq!(created.body["spec"]["names"]["listKind"], json!("ThingList"));
    let established = created.body["status"]["conditions"].as_array().unwrap().iter().all(|c| c["status"] == "True");
    assert!(established);
    assert_eq!(get(&hub, "/apis/example.com/v1").await.body["resources"][0]["name"], json!("things"));
    assert!(get(&hub, "/openapi/v3").await.body["paths"].get("apis/example.com/v1").is_some());
    let mut watching = watch(&hub, &format!("{THINGS}?watch=true")).await;
    let made = ask(&hub, "POST", THINGS, thing(json!({ "odd": 1 }))).await;
    assert_eq!((made.code, &made.body["spec"]), (201, &json!({ "size": 1 })));
    assert_eq!(watching.next().await.unwrap()["type"], json!("ADDED"));

    let mut changed =
        things(json!({ "type": "object", "properties": { "size": { "type": "integer", "maximum": 3 } } }));
    changed["metadata"]["resourceVersion"] = created.body["metadata"]["resourceVersion"].clone();
    let replaced = ask(&hub, "PUT", &format!("{DEFINITIONS}/things.example.com"), changed).await;
    assert_eq!((replaced.code, &replaced.body["metadata"]["generation"]), (200, &json!(2)), "{:?}", replaced.body);
    let patch = json!({ "spec": { "size": 4 } });
    assert_eq!(ask(&hub, "PATCH merge", &format!("{THINGS}/t"), patch).await.refusal(), (422, "Invalid"));
}

#[tokio::test(start_paused = true)]
async fn with_its_definition_a_kind_goes() {
    let hub = hub();
    ask(&hub, "POST", DEFINITIONS, things(spec())).await;
    ask(&hub, "POST", THINGS, thing(json!({}))).await;
    let mut held = thing(json!({}));
    held["metadata"] = json!({ "name": "held", "finalizers": ["example.com/hold"] });
    ask(&hub, "POST", THINGS, held).await;
    let path = format!("{DEFINITIONS}/things.example.com");
    let waiting = ask(&hub, "DELETE", &path, Value::Null).await;
    assert_eq!(waiting.code, 200);
    assert_eq!(get(&hub, THINGS).await.names(), ["held"]);
    let patch = json!({ "metadata": { "finalizers": null } });
    ask(&hub, "PATCH merge", &format!("{THINGS}/held"), patch).await;
    assert_eq!(get(&hub, &path).await.refusal(), (404, "NotFound"));
    assert_eq!(get(&hub, THINGS).await.code, 404);
    assert_eq!(get(&hub, "/apis/example.com").await.code, 404);
    // Defined anew, it begins empty.
    ask(&hub, "POST", DEFINITIONS, things(spec())).await;
    assert!(get(&hub, THINGS).await.names().is_empty());
}

#[tokio::test]
async fn a_definition_that_cannot_be_is_refused() {
    let hub = hub();
    let change = |pointer: &str, value: Value| {
        let mut definition = things(spec());
        *definition.pointer_mut(pointer).unwrap() = value;
        definition
    };
    let at = "spec.versions[0].schema.openAPIV3Schema";
    let cases = [
        (
            change("/metadata/name", json!("others.example.com")),
            r#"metadata.name: Invalid value: "others.example.com": must be spec.names.plural+"."+spec.group"#
                .to_owned(),
        ),
        (
            change("/spec/scope", json!("World")),
            r#"spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced""#.to_owned(),
        ),
        (change("/spec/versions/0/schema", json!({})), format!("{at}: Required value: schemas are required")),
        (
            change("/spec/versions/0/schema/openAPIV3Schema", json!({ "type": "string" })),
            format!(r#"{at}.type: Invalid value: "string": must be object at the root"#),
        ),
        (
            change("/spec/versions/0/schema/openAPIV3Schema/properties/spec", json!({})),
            format!("{at}.properties[spec].type: Required value: must not be empty for specified object fields"),
        ),
    ];
    for (definition, why) in cases {
        let refused = ask(&hub, "POST", DEFINITIONS, definition).await;
        assert_eq!(refused.refusal(), (422, "Invalid"), "{:?}", refused.body);
        assert!(refused.text("/message").contains(&why), "{}", refused.text("/message"));
    }
    let broken = change(
        "/spec/versions/0/schema/openAPIV3Schema",
        json!({
            "type": "object", "x-kubernetes-validations": [{ "rule": "self +" }],
        }),
    );
    assert_eq!(ask(&hub, "POST", DEFINITIONS, broken).await.refusal(), (422, "Invalid"));
    let unreadable = change("/spec/versions", json!("v1"));
    assert_eq!(ask(&hub, "POST", DEFINITIONS, unreadable).await.refusal(), (400, "BadRequest"));
}
