//! Validation rules (CEL) of schemas.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, json};
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;

use super::support::*;

const WORKS: &str = "/apis/work.open-cluster-management.io/v1/namespaces/default/manifestworks";
const PROFILES: &str = "/apis/multicluster.x-k8s.io/v1alpha1/namespaces/default/clusterprofiles";
const THINGS: &str = "/apis/example.com/v1/things";

/// Returns a CRD whose spec has this schema.
pub(super) fn things(spec: Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "things.example.com" },
        "spec": {
            "group": "example.com", "scope": "Cluster", "names": { "kind": "Thing", "plural": "things" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": spec } } },
            }],
        },
    })
}

fn serving(spec: Value) -> Sandbox {
    let crd: CustomResourceDefinition = serde_json::from_value(things(spec)).unwrap();
    Sandbox::new(&[crd], || "2026-08-11T12:00:00Z".parse::<Timestamp>().unwrap())
}

fn told(answer: &Answer) -> String {
    answer.text("/message").split_once(" is invalid: ").unwrap_or_default().1.to_owned()
}

#[tokio::test]
async fn the_rules_of_the_ocm_kinds_are_enforced() {
    let hub = hub();
    let rule = json!({ "type": "CEL", "condition": "", "celExpressions": ["true"] });
    let config = json!({ "resourceIdentifier": { "name": "n", "resource": "r" }, "conditionRules": [rule] });
    let refused =
        ask(&hub, "POST", WORKS, json!({ "metadata": { "name": "a" }, "spec": { "manifestConfigs": [config] } })).await;
    assert_eq!(
        told(&refused),
        "spec.manifestConfigs[0].conditionRules[0]: Invalid value: Condition is required for CEL rules"
    );
    let profile =
        |manager: &str| json!({ "metadata": { "name": "p" }, "spec": { "clusterManager": { "name": manager } } });
    assert_eq!(ask(&hub, "POST", PROFILES, profile("one")).await.code, 201);
    let changed = ask(&hub, "PATCH merge", &format!("{PROFILES}/p"), profile("two")).await;
    assert_eq!(told(&changed), "spec.clusterManager: Invalid value: ClusterManager is immutable");
    assert_eq!(ask(&hub, "PATCH merge", &format!("{PROFILES}/p"), profile("one")).await.code, 200);
}

#[tokio::test]
async fn rules_have_messages_reasons_and_fields() {
    let hub = serving(json!({
        "type": "object",
        "x-kubernetes-validations": [
            { "rule": "self.least <= self.most" },
            { "rule": "self.most < 100", "message": "too much", "fieldPath": ".most", "reason": "FieldValueForbidden" },
            { "rule": "self.least > 0", "messageExpression": "'not ' + string(self.least)" },
        ],
        "properties": {
            "least": { "type": "integer" },
            "most": { "type": "integer", "x-kubernetes-validations": [{ "rule": "self % 2 == 0", "message": "odd" }] },
            "name-space": { "type": "string" },
        },
    }));
    let body = json!({ "metadata": { "name": "a" }, "spec": { "least": 200, "most": 101 } });
    assert_eq!(
        told(&ask(&hub, "POST", THINGS, body).await),
        "[spec: Invalid value: failed rule: self.least <= self.most, spec.most: Forbidden: too much, \
         spec.most: Invalid value: 101: odd]"
    );
    let body = json!({ "metadata": { "name": "a" }, "spec": { "least": 0, "most": 2 } });
    assert_eq!(told(&ask(&hub, "POST", THINGS, body).await), "spec: Invalid value: not 0");
    let missing = ask(&hub, "POST", THINGS, json!({ "metadata": { "name": "a" }, "spec": { "most": "x" } })).await;
    assert!(told(&missing).contains("some validation rules were not checked"), "{:?}", missing.body);
}

#[tokio::test]
async fn transition_rules_compare_with_the_old_value() {
    let hub = serving(json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "x-kubernetes-validations": [
                { "rule": "self == oldSelf", "message": "is fixed" },
                { "rule": "!oldSelf.hasValue() || self.size() >= oldSelf.value().size()", "optionalOldSelf": true, "message": "shrinks" },
            ] },
            "items": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"],
                "items": { "type": "object", "required": ["key"], "properties": {
                    "key": { "type": "string" },
                    "size": { "type": "integer", "x-kubernetes-validations": [{ "rule": "self >= oldSelf", "message": "only grows" }] },
                } },
            },
        },
    }));
    let thing = |spec: Value| json!({ "metadata": { "name": "a" }, "spec": spec });
    let items = |sizes: [(&str, i64); 2]| json!(sizes.map(|(key, size)| json!({ "key": key, "size": size })));
    let first = thing(json!({ "name": "abc", "items": items([("x", 1), ("y", 2)]) }));
    assert_eq!(ask(&hub, "POST", THINGS, first).await.code, 201);
    let path = format!("{THINGS}/a");
    let shrunk = ask(&hub, "PATCH merge", &path, json!({ "spec": { "name": "ab" } })).await;
    assert_eq!(
        told(&shrunk),
        "[spec.name: Invalid value: \"ab\": is fixed, spec.name: Invalid value: \"ab\": shrinks]"
    );
    // Items are correlated by their key, regardless of their position.
    let moved = ask(&hub, "PATCH merge", &path, json!({ "spec": { "items": items([("y", 3), ("x", 0)]) } })).await;
    assert_eq!(told(&moved), "spec.items[1].size: Invalid value: 0: only grows");
    assert_eq!(ask(&hub, "PATCH merge", &path, json!({ "metadata": { "labels": { "l": "1" } } })).await.code, 200);
}
