//! The strategies of the core kinds.

use axum::http::Request;
use serde_json::{Value, json};

use super::support::*;

const CORE: &str = "/api/v1/namespaces/default";
const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const REQUESTS: &str = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

fn named(name: &str, more: Value) -> Value {
    let mut object = json!({ "metadata": { "name": name } });
    object.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    object
}

#[tokio::test]
async fn immutable_fields_of_config_maps_and_secrets_cannot_change() {
    let hub = hub();
    let why = "Forbidden: field is immutable when `immutable` is set";
    ask(&hub, "POST", CONFIG_MAPS, named("a", json!({ "data": { "k": "1" }, "immutable": true }))).await;
    let refused = ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/a"), json!({ "data": { "k": "2" } })).await;
    assert_eq!(refused.text("/message"), format!("ConfigMap \"a\" is invalid: data: {why}"));
    let secrets = format!("{CORE}/secrets");
    let created = ask(&hub, "POST", &secrets, named("s", json!({ "stringData": { "k": "hello" } }))).await;
    assert_eq!((&created.body["type"], &created.body["data"]), (&json!("Opaque"), &json!({ "k": "aGVsbG8=" })));
    let refused = ask(&hub, "PATCH merge", &format!("{secrets}/s"), json!({ "type": "x" })).await;
    assert_eq!(refused.text("/details/causes/0/message"), "Invalid value: \"x\": field is immutable");
    let bytes = named("b", json!({ "data": { "k": "!!" } }));
    let why = "Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte 0";
    assert_eq!(ask(&hub, "POST", &secrets, bytes).await.text("/message"), why);
}

#[tokio::test]
async fn role_bindings_are_defaulted_and_their_role_cannot_change() {
    let hub = hub();
    let bindings = format!("{RBAC}/rolebindings");
    let subjects = json!([{ "kind": "User", "name": "u" }]);
    let binding = named("b", json!({ "roleRef": { "kind": "Role", "name": "r" }, "subjects": subjects }));
    let created = ask(&hub, "POST", &bindings, binding).await;
    assert_eq!(created.text("/roleRef/apiGroup"), "rbac.authorization.k8s.io");
    assert_eq!(created.text("/subjects/0/apiGroup"), "rbac.authorization.k8s.io");
    let changed = ask(&hub, "PATCH merge", &format!("{bindings}/b"), json!({ "roleRef": { "name": "x" } })).await;
    assert!(changed.text("/message").ends_with("\"Name\":\"x\"}: cannot change roleRef"), "{}", changed.body);
    let rules = json!({ "rules": [{ "verbs": [], "resources": ["x"] }] });
    let refused = ask(&hub, "POST", &format!("{RBAC}/roles"), named("r", rules)).await;
    let fields: Vec<&Value> =
        refused.body["details"]["causes"].as_array().unwrap().iter().map(|cause| &cause["field"]).collect();
    assert_eq!(fields, [&json!("rules[0].verbs"), &json!("rules[0].apiGroups")]);
}

#[tokio::test]
async fn a_lease_is_created_by_update_and_updated_only_with_a_revision() {
    let hub = hub();
    let lease = |holder: &str| named("l", json!({ "spec": { "holderIdentity": holder } }));
    let path = format!("{LEASES}/l");
    assert_eq!(ask(&hub, "PUT", &path, lease("me")).await.code, 201);
    let refused = ask(&hub, "PUT", &path, lease("you")).await;
    assert_eq!(refused.text("/details/causes/0/field"), "metadata.resourceVersion");
    let refused = ask(&hub, "POST", LEASES, named("m", json!({ "spec": { "leaseDurationSeconds": 0 } }))).await;
    assert_eq!(refused.text("/details/causes/0/message"), "Invalid value: 0: must be greater than 0");
}

#[tokio::test]
async fn a_signing_request_is_approved_through_its_subresource() {
    let hub = hub();
    let spec = json!({ "spec": { "request": "aGVsbG8=", "signerName": "example.com/x", "usages": ["client auth"] } });
    assert_eq!(ask(&hub, "POST", REQUESTS, named("c", spec)).await.code, 201);
    let condition = json!({ "type": "Approved", "status": "True", "reason": "R", "message": "m" });
    let patch = json!({ "status": { "conditions": [condition], "certificate": "aGVsbG8=" } });
    let approved = ask(&hub, "PATCH merge", &format!("{REQUESTS}/c/approval"), patch.clone()).await;
    assert_eq!(approved.body["status"], json!({ "conditions": [condition] }));
    let signed = ask(&hub, "PATCH merge", &format!("{REQUESTS}/c/status"), patch).await;
    assert_eq!(signed.text("/status/certificate"), "aGVsbG8=");
    let renamed = ask(&hub, "PATCH merge", &format!("{REQUESTS}/c"), json!({ "spec": { "signerName": "x/y" } })).await;
    assert_eq!(renamed.text("/spec/signerName"), "example.com/x");
}

#[tokio::test]
async fn a_signing_request_names_the_user_whom_its_creator_impersonates() {
    let hub = hub();
    let spec = json!({ "spec": { "request": "aGVsbG8=", "signerName": "example.com/x", "usages": ["client auth"] } });
    let created = async |name: &str, headers: &[(&str, &str)]| {
        let request = Request::post(REQUESTS).header("content-type", "application/json");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let body = named(name, spec.clone()).to_string().into_bytes();
        let created: Value = hub.client().request(request.body(body).unwrap()).await.unwrap();
        (created["spec"]["username"].clone(), created["spec"]["groups"].clone())
    };
    let as_agent = [("impersonate-user", "agent"), ("impersonate-group", "a"), ("impersonate-group", "b")];
    let agent = (json!("agent"), json!(["a", "b", "system:authenticated"]));
    assert_eq!(created("c", &as_agent).await, agent);
    let administrator = (json!("system:admin"), json!(["system:masters", "system:authenticated"]));
    assert_eq!(created("d", &[]).await, administrator);
}

#[tokio::test]
async fn a_namespace_is_removed_when_it_is_finalized() {
    let hub = empty_hub();
    ask(&hub, "POST", "/api/v1/namespaces", named("n", json!({}))).await;
    let path = "/api/v1/namespaces/n";
    let marked = ask(&hub, "DELETE", path, Value::Null).await;
    assert_eq!((marked.code, marked.text("/status/phase")), (200, "Terminating"));
    let refused = ask(&hub, "POST", &format!("{path}/configmaps"), config_map("a", json!({}))).await;
    assert_eq!((refused.code, refused.text("/details/causes/0/reason")), (403, "NamespaceTerminating"));
    let finalized =
        ask(&hub, "PUT", &format!("{path}/finalize"), named("n", json!({ "spec": { "finalizers": [] } }))).await;
    assert_eq!((finalized.code, &finalized.body["spec"]), (200, &json!({})));
    assert_eq!(get(&hub, path).await.code, 404);
    assert_eq!(ask(&hub, "DELETE", "/api/v1/namespaces/default", Value::Null).await.refusal(), (403, "Forbidden"));
    assert_eq!(ask(&hub, "DELETE", "/api/v1/namespaces", Value::Null).await.refusal(), (405, "MethodNotAllowed"));
}

#[tokio::test]
async fn applied_values_have_the_types_of_the_schema() {
    let hub = hub();
    let mut applied = cluster("a");
    applied["spec"] = json!({ "hubAcceptsClient": "x", "leaseDurationSeconds": "y" });
    let refused = ask(&hub, "PATCH apply", &format!("{CLUSTERS}/a?fieldManager=m"), applied).await;
    let why = "failed to create typed patch object (/a; cluster.open-cluster-management.io/v1, Kind=ManagedCluster): \
               errors:\n  .spec.hubAcceptsClient: expected boolean, got &{x}\n  .spec.leaseDurationSeconds: expected \
               numeric (int or float), got string";
    assert_eq!((refused.code, refused.text("/message")), (500, why));
}
