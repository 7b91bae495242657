//! CRDs that are created while the hub runs.

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
async fn a_kind_is_removed_with_its_definition() {
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
    // After it is defined again, no objects exist.
    ask(&hub, "POST", DEFINITIONS, things(spec())).await;
    assert!(get(&hub, THINGS).await.names().is_empty());
}

#[tokio::test]
async fn an_invalid_definition_is_refused() {
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
            change("/spec/group", json!("apps.k8s.io")),
            "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups".to_owned(),
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

#[tokio::test]
async fn stored_objects_are_read_under_the_new_definition() {
    let hub = hub();
    let open = json!({ "type": "object", "properties": { "size": { "type": "integer" }, "note": { "type": "string" }, "old": { "type": "string" } } });
    ask(&hub, "POST", DEFINITIONS, things(open)).await;
    ask(&hub, "POST", THINGS, thing(json!({ "size": 5, "old": "x" }))).await;
    let strict = json!({ "type": "object", "required": ["must"], "properties": {
        "size": { "type": "integer", "maximum": 3 }, "note": { "type": "string" }, "must": { "type": "string" },
        "fresh": { "type": "string", "default": "yes" },
    } });
    let patch = json!({ "spec": things(strict)["spec"] });
    let path = format!("{DEFINITIONS}/things.example.com");
    assert_eq!(ask(&hub, "PATCH merge", &path, patch).await.code, 200);
    let one = format!("{THINGS}/t");
    assert_eq!(get(&hub, &one).await.body["spec"], json!({ "size": 5, "fresh": "yes" }));
    // Existing errors in unchanged fields are ignored, new errors are not.
    let label = json!({ "metadata": { "labels": { "a": "b" } } });
    assert_eq!(ask(&hub, "PATCH merge", &one, label).await.code, 200);
    let larger = ask(&hub, "PATCH merge", &one, json!({ "spec": { "size": 6, "must": "m" } })).await;
    assert!(larger.text("/message").contains("less than or equal to 3"), "{:?}", larger.body);
    let noted = ask(&hub, "PATCH merge", &one, json!({ "spec": { "note": "n", "must": "m" } })).await;
    assert_eq!(noted.code, 200, "{:?}", noted.body);
}

#[tokio::test]
async fn schema_keywords_are_checked() {
    let hub = hub();
    let text = |format: &str| json!({ "type": "string", "format": format });
    let schema = json!({ "type": "object", "properties": {
        "one": { "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
            "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] },
        "not": { "type": "integer", "not": { "minimum": 5 } },
        "all": { "type": "string", "allOf": [{ "minLength": 2 }, { "pattern": "^x" }] },
        "set": { "type": "array", "items": { "type": "string" }, "x-kubernetes-list-type": "set" },
        "map": { "type": "object", "maxProperties": 1, "additionalProperties": { "type": "integer", "multipleOf": 2 } },
        "above": { "type": "number", "minimum": 0.5, "exclusiveMinimum": true },
        "ip": text("ipv4"), "id": text("uuid"), "span": text("duration"), "host": text("hostname"), "bytes": text("byte"),
        "day": text("date"), "mail": text("email"), "any": text("nosuch"),
    } });
    ask(&hub, "POST", DEFINITIONS, things(schema)).await;
    let wrong = [
        (
            json!({ "one": {} }),
            vec![
                r#"<nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found none valid"#,
                "spec.one.a: Required value",
            ],
        ),
        (
            json!({ "one": { "a": "", "b": "" } }),
            vec![
                r#"<nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found 2 valid alternatives"#,
            ],
        ),
        (json!({ "not": 7 }), vec![r#"<nil>: Invalid value: "": "spec.not" must not validate the schema (not)"#]),
        (
            json!({ "all": "y" }),
            vec![
                r#"spec.all: Invalid value: "y": spec.all in body should be at least 2 chars long"#,
                r#"spec.all: Invalid value: "y": spec.all in body should match '^x'"#,
                r#"<nil>: Invalid value: "": "spec.all" must validate all the schemas (allOf). None validated"#,
            ],
        ),
        (json!({ "set": ["a", "b", "a", "a"] }), vec![r#"spec.set[2]: Duplicate value: "a""#]),
        (
            json!({ "map": { "k": 3, "l": 4 } }),
            vec![
                "spec.map: Too many: 2: must have at most 1 item",
                "spec.map.k: Invalid value: 3: spec.map.k in body should be a multiple of 2",
            ],
        ),
        (
            json!({ "above": 0.5 }),
            vec!["spec.above: Invalid value: 0.5: spec.above in body should be greater than 0.5"],
        ),
        (
            json!({ "ip": "1.2.3" }),
            vec![r#"spec.ip: Invalid value: "1.2.3": spec.ip in body must be of type ipv4: "1.2.3""#],
        ),
        (json!({ "id": "x" }), vec![r#"spec.id: Invalid value: "x": spec.id in body must be of type uuid: "x""#]),
        (
            json!({ "span": "x", "day": "2026-02-30" }),
            vec![
                r#"spec.day: Invalid value: "2026-02-30": spec.day in body must be of type date: "2026-02-30""#,
                r#"spec.span: Invalid value: "x": spec.span in body must be of type duration: "x""#,
            ],
        ),
    ];
    for (spec, lines) in wrong {
        let refused = ask(&hub, "POST", THINGS, thing(spec.clone())).await;
        let told = if let [only] = lines.as_slice() { (*only).to_owned() } else { format!("[{}]", lines.join(", ")) };
        assert_eq!(refused.text("/message"), format!("Thing.example.com \"t\" is invalid: {told}"), "{spec}");
    }
    let right = json!({ "one": { "a": "" }, "not": 4, "all": "xy", "set": ["a", "b"], "map": { "k": 4 }, "above": 0.6,
        "ip": "1.2.3.4", "id": "123e4567-e89b-12d3-a456-426614174000", "span": "1h30m", "host": "a.example.com", "bytes": "YQ==",
        "day": "2026-02-28", "mail": "a@b.c", "any": "thing" });
    let taken = ask(&hub, "POST", THINGS, thing(right)).await;
    assert_eq!(taken.code, 201, "{:?}", taken.body);
}

#[tokio::test]
async fn applying_the_crds_of_the_types_changes_nothing() {
    let hub = hub();
    for crd in tidegate_api::ocm::crds::all().unwrap() {
        let name = crd.metadata.name.clone().unwrap();
        // Clients write numbers without a fraction as integers.
        let body = serde_json::to_string(&crd).unwrap().replace(".0,", ",").replace(".0}", "}");
        let path = format!("{DEFINITIONS}/{name}?fieldManager=test");
        let applied = ask(&hub, "PATCH apply", &path, serde_json::from_str(&body).unwrap()).await;
        assert_eq!(
            (applied.code, &applied.body["metadata"]["generation"]),
            (200, &json!(1)),
            "{name}: {:?}",
            applied.body
        );
    }
}
