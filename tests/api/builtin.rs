//! Tests of the schemas of Kubernetes' own kinds.

use serde_json::{Value, json};
use tidegate_api::schema::builtin::of_kind;
use tidegate_api::schema::check::{Violation, violations};

fn problems(group: &str, version: &str, kind: &str, value: &Value) -> Vec<String> {
    let mut value = value.clone();
    value["metadata"] = json!({ "name": "a" });
    let found = violations(&value, of_kind(group, version, kind).unwrap());
    found
        .into_iter()
        .map(|(path, violation)| {
            let name = match violation {
                Violation::Unknown { .. } => "unknown",
                Violation::Type { .. } => "type",
                Violation::Missing => "missing",
                Violation::NotOneOf { .. } => "choice",
                Violation::Pattern { .. } => "pattern",
                Violation::Range { .. } => "range",
                Violation::Length { .. } => "length",
                Violation::DuplicateKey { .. } => "duplicate",
            };
            format!("{path}: {name}")
        })
        .collect()
}

fn pod(container: &Value) -> Vec<String> {
    problems("", "v1", "Pod", &json!({ "spec": { "containers": [container] } }))
}

#[test]
fn kinds_are_found_in_their_groups() {
    let known = [
        ("", "v1", "Pod"),
        ("apps", "v1", "Deployment"),
        ("autoscaling", "v2", "HorizontalPodAutoscaler"),
        ("rbac.authorization.k8s.io", "v1", "Role"),
        ("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
        ("apiregistration.k8s.io", "v1", "APIService"),
    ];
    for (group, version, kind) in known {
        assert!(of_kind(group, version, kind).is_some(), "{kind}");
    }
    let unknown = [
        ("", "v2", "Pod"),
        ("apps.example.com", "v1", "Deployment"),
        ("example.com", "v1", "Deployment"),
        ("core", "v1", "Pod"),
        ("apps", "v1", "DeploymentSpec"),
    ];
    for (group, version, kind) in unknown {
        assert!(of_kind(group, version, kind).is_none(), "{group} {kind}");
    }
}

#[test]
fn references_are_followed() {
    let found =
        pod(&json!({ "name": "a", "img": "b", "env": [{ "name": 1 }], "ports": [{}], "imagePullPolicy": "always" }));
    let expected = ["env[0].name: type", "imagePullPolicy: choice", "img: unknown", "ports[0].containerPort: missing"];
    assert_eq!(found, expected.map(|problem| format!("spec.containers[0].{problem}")));
}

#[test]
fn definitions_that_contain_themselves_are_followed() {
    let version = |schema: Value| {
        let spec = json!({
            "group": "g", "scope": "Cluster", "names": { "kind": "K", "plural": "ks" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        });
        problems("apiextensions.k8s.io", "v1", "CustomResourceDefinition", &json!({ "spec": spec }))
    };
    let nested =
        json!({ "properties": { "a": { "not": { "type": 1, "default": [1], "additionalProperties": true } } } });
    assert_eq!(version(nested), ["spec.versions[0].schema.openAPIV3Schema.properties.a.not.type: type"]);
}

#[test]
fn quantities_are_numbers_or_strings_with_a_unit() {
    let limit = |value: Value| pod(&json!({ "name": "a", "resources": { "limits": { "cpu": value } } })).len();
    for good in
        [json!("500m"), json!(0.5), json!(2), json!("1Gi"), json!("1e3"), json!("1E"), json!(".5"), json!("1. ")]
    {
        assert_eq!(limit(good.clone()), 0, "{good}");
    }
    for bad in [json!("128MB"), json!("half"), json!(""), json!("1 Gi"), json!("500mi")] {
        assert_eq!(limit(bad.clone()), 1, "{bad}");
    }
}

#[test]
fn bytes_are_base64() {
    let secret = |text: &str| problems("", "v1", "Secret", &json!({ "data": { "a": text } })).len();
    for good in ["", "aGk=", "aGk=\n", "aGVs\nbG8=", "YQ==", "YWJj"] {
        assert_eq!(secret(good), 0, "{good:?}");
    }
    for bad in ["hunter2", "aGk", "a b=", "YQ=", "YQ==YQ=="] {
        assert_eq!(secret(bad), 1, "{bad:?}");
    }
}
