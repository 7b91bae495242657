//! Create, get and replace.

use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn a_created_object_can_be_read() {
    let hub = hub();
    let created = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({ "k": "v" }))).await;
    assert_eq!(created.code, 201);
    assert_eq!(created.text("/metadata/namespace"), "default");
    assert_eq!(created.text("/metadata/creationTimestamp"), "2026-08-11T12:00:00Z");
    assert_eq!(created.text("/metadata/uid").len(), 36);
    let read = get(&hub, &format!("{CONFIG_MAPS}/a")).await;
    assert_eq!((read.code, &read.body), (200, &created.body));
}

#[tokio::test]
async fn a_name_can_be_used_only_once() {
    let hub = hub();
    ask(&hub, "POST", CLUSTERS, cluster("a")).await;
    let again = ask(&hub, "POST", CLUSTERS, cluster("a")).await;
    assert_eq!(again.refusal(), (409, "AlreadyExists"));
    assert_eq!(again.text("/message"), r#"managedclusters.cluster.open-cluster-management.io "a" already exists"#);
}

#[tokio::test]
async fn a_generated_name_starts_with_its_prefix() {
    let hub = hub();
    let mut names = Vec::new();
    for _ in 0..3 {
        let body = json!({ "metadata": { "generateName": "stem-" } });
        names.push(ask(&hub, "POST", CONFIG_MAPS, body).await.text("/metadata/name").to_owned());
    }
    assert!(names.iter().all(|name| name.starts_with("stem-") && name.len() == "stem-".len() + 5), "{names:?}");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 3);
}

#[tokio::test]
async fn a_generated_name_that_exists_is_generated_again() {
    let generated = async |before: &str| {
        let hub = hub();
        ask(&hub, "POST", CONFIG_MAPS, config_map(before, json!({}))).await;
        let body = json!({ "metadata": { "generateName": "stem-" } });
        ask(&hub, "POST", CONFIG_MAPS, body).await.text("/metadata/name").to_owned()
    };
    // Both hubs are at the same revision and time, so the first name that they try is the same.
    let first = generated("another").await;
    let second = generated(&first).await;
    assert!(second.starts_with("stem-") && second != first, "{first}, {second}");
}

#[tokio::test]
async fn a_recreated_object_has_a_new_uid() {
    let hub = hub();
    let first = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    ask(&hub, "DELETE", &format!("{CONFIG_MAPS}/a"), Value::Null).await;
    let second = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    assert_ne!(first.text("/metadata/uid"), second.text("/metadata/uid"));
}

#[tokio::test]
async fn a_missing_object_is_not_found() {
    let hub = hub();
    let missing = get(&hub, &format!("{CLUSTERS}/a")).await;
    assert_eq!(missing.refusal(), (404, "NotFound"));
    assert_eq!(missing.text("/message"), r#"managedclusters.cluster.open-cluster-management.io "a" not found"#);
    assert_eq!(get(&hub, "/apis/nosuch.io/v1/things").await.body, json!("404 page not found\n"));
}

#[tokio::test]
async fn the_namespace_of_a_new_object_must_exist() {
    let hub = hub();
    let path = "/api/v1/namespaces/nosuch/configmaps";
    let refused = ask(&hub, "POST", path, config_map("a", json!({}))).await;
    assert_eq!(refused.refusal(), (404, "NotFound"));
    assert_eq!(refused.text("/message"), r#"namespaces "nosuch" not found"#);
}

#[tokio::test]
async fn a_body_must_match_the_path() {
    let hub = hub();
    let mut elsewhere = config_map("a", json!({}));
    elsewhere["metadata"]["namespace"] = json!("kube-system");
    let other_kind = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "a" } });
    let other_version = json!({ "apiVersion": "v2", "kind": "ConfigMap", "metadata": { "name": "a" } });
    for body in [elsewhere, other_kind, other_version, json!([]), json!("text"), json!({ "metadata": 1 })] {
        let refused = ask(&hub, "POST", CONFIG_MAPS, body.clone()).await;
        assert_eq!(refused.refusal(), (400, "BadRequest"), "{body}");
    }
}

#[tokio::test]
async fn malformed_bodies_are_refused() {
    let hub = hub();
    for body in ["", "{", "\u{0}", "[[[[[[", "{\"metadata\":{\"labels\":{\"a\":1}}}"] {
        let request = axum::http::Request::post(CONFIG_MAPS).header("content-type", "application/json");
        let refused = send(&hub, request.body(body.as_bytes().to_vec()).unwrap()).await;
        assert_eq!(refused.refusal(), (400, "BadRequest"), "{body:?}");
    }
}

#[tokio::test]
async fn a_body_may_be_yaml() {
    let hub = hub();
    let request = axum::http::Request::post(CONFIG_MAPS).header("content-type", "application/yaml");
    let body = b"metadata:\n  name: a\ndata:\n  k: v\n".to_vec();
    let created = send(&hub, request.body(body).unwrap()).await;
    assert_eq!((created.code, created.text("/data/k")), (201, "v"));
}

#[tokio::test]
async fn an_update_of_an_outdated_revision_conflicts() {
    let hub = hub();
    let first = ask(&hub, "POST", CLUSTERS, cluster("a")).await.body;
    let path = format!("{CLUSTERS}/a");
    let mut next = first.clone();
    next["metadata"]["labels"] = json!({ "x": "1" });
    let second = ask(&hub, "PUT", &path, next).await;
    assert_eq!((second.code, second.text("/metadata/labels/x")), (200, "1"));
    let stale = ask(&hub, "PUT", &path, first).await;
    assert_eq!(stale.refusal(), (409, "Conflict"));
    assert!(stale.text("/message").ends_with("please apply your changes to the latest version and try again"));
    let unconditional = ask(&hub, "PUT", &path, cluster("a")).await;
    assert_eq!(unconditional.refusal(), (422, "Invalid"));
}

#[tokio::test]
async fn a_core_object_can_be_updated_without_a_revision() {
    let hub = hub();
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({ "k": "1" }))).await;
    let replaced = ask(&hub, "PUT", &format!("{CONFIG_MAPS}/a"), config_map("a", json!({ "l": "2" }))).await;
    assert_eq!((replaced.code, &replaced.body["data"]), (200, &json!({ "l": "2" })));
}

#[tokio::test]
async fn an_update_cannot_change_the_metadata_of_the_server() {
    let hub = hub();
    let created = ask(&hub, "POST", CLUSTERS, cluster("a")).await.body;
    let mut next = created.clone();
    for (member, value) in [("creationTimestamp", json!("2000-01-01T00:00:00Z")), ("generation", json!(77))] {
        next["metadata"][member] = value;
    }
    let replaced = ask(&hub, "PUT", &format!("{CLUSTERS}/a"), next).await.body;
    assert_eq!(replaced, created);
}

#[tokio::test]
async fn the_generation_counts_changes_of_the_spec() {
    let hub = hub();
    let path = format!("{CLUSTERS}/a");
    ask(&hub, "POST", CLUSTERS, cluster("a")).await;
    let after = |body: Value, path: String| {
        let hub = hub.clone();
        async move { ask(&hub, "PATCH merge", &path, body).await.body["metadata"]["generation"].clone() }
    };
    assert_eq!(after(json!({ "metadata": { "labels": { "x": "1" } } }), path.clone()).await, json!(1));
    let status = json!({ "status": { "version": { "kubernetes": "v1" } } });
    assert_eq!(after(status, format!("{path}/status")).await, json!(1));
    assert_eq!(after(json!({ "spec": { "hubAcceptsClient": false } }), path.clone()).await, json!(2));
    assert_eq!(after(json!({ "spec": { "hubAcceptsClient": false } }), path).await, json!(2));
}

#[tokio::test]
async fn status_and_spec_are_written_separately() {
    let hub = hub();
    let path = format!("{CLUSTERS}/a");
    let mut with_status = cluster("a");
    with_status["status"] = json!({ "version": { "kubernetes": "v1" } });
    let mut created = ask(&hub, "POST", CLUSTERS, with_status).await.body;
    assert_eq!(created.get("status"), None);
    created["status"] = json!({ "version": { "kubernetes": "v2" } });
    created["spec"]["hubAcceptsClient"] = json!(false);
    created["metadata"]["labels"] = json!({ "x": "1" });
    let written = ask(&hub, "PUT", &format!("{path}/status"), created).await.body;
    assert_eq!(written["status"]["version"]["kubernetes"], json!("v2"));
    assert_eq!(written["spec"]["hubAcceptsClient"], json!(true));
    assert_eq!(written["metadata"].get("labels"), None);
    let ignored = ask(&hub, "PATCH merge", &path, json!({ "status": null })).await.body;
    assert_eq!(ignored, written);
}

#[tokio::test]
async fn a_write_without_changes_keeps_the_revision() {
    let hub = hub();
    let created = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({ "k": "v" }))).await.body;
    let patched = ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/a"), json!({ "data": { "k": "v" } })).await.body;
    assert_eq!(patched, created);
}

#[tokio::test]
async fn a_dry_run_persists_nothing() {
    let hub = hub();
    let tried = ask(&hub, "POST", &format!("{CONFIG_MAPS}?dryRun=All"), config_map("a", json!({ "k": "1" }))).await;
    assert_eq!((tried.code, tried.body["metadata"].get("resourceVersion")), (201, None));
    assert_eq!(get(&hub, &format!("{CONFIG_MAPS}/a")).await.code, 404);
    let created = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({ "k": "1" }))).await.body;
    let path = format!("{CONFIG_MAPS}/a?dryRun=All");
    let patched = ask(&hub, "PATCH merge", &path, json!({ "data": { "k": "2" } })).await;
    assert_eq!(patched.text("/data/k"), "2");
    assert_eq!(ask(&hub, "DELETE", &path, Value::Null).await.text("/status"), "Success");
    assert_eq!(get(&hub, &format!("{CONFIG_MAPS}/a")).await.body, created);
    assert_eq!(ask(&hub, "POST", &format!("{CONFIG_MAPS}?dryRun=Some"), json!({})).await.code, 422);
}

#[tokio::test]
async fn crds_can_be_read() {
    let hub = hub();
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let one = get(&hub, &format!("{path}/clustermanagementaddons.addon.open-cluster-management.io")).await;
    let versions = one.body["spec"]["versions"].as_array().unwrap();
    let stored: Vec<&Value> = versions.iter().filter(|v| v["storage"] == json!(true)).map(|v| &v["name"]).collect();
    assert_eq!(stored, [&json!("v1alpha1")]);
    assert_eq!(one.body["status"]["storedVersions"], json!(["v1alpha1"]));
    assert_eq!(get(&hub, path).await.body["items"].as_array().unwrap().len(), 15);
}

#[tokio::test]
async fn invalid_requests_are_refused_and_never_crash_the_hub() {
    let hub = hub();
    let odd = [
        ("POST", "/api/v1/configmaps", 405),
        ("PUT", CONFIG_MAPS, 405),
        ("DELETE", "/api/v1/namespaces/default/configmaps/a/status", 404),
        ("GET", "/api/v1/namespaces/default/managedclusters", 404),
        ("GET", "/apis/cluster.open-cluster-management.io/v1/namespaces/default/managedclusters", 404),
        ("GET", "/api/v1/configmaps/a", 404),
        ("GET", "/%ff/%zz/%", 404),
        ("GET", "/", 404),
        ("GET", "/openapi/v9", 404),
        ("BREW", CONFIG_MAPS, 405),
    ];
    for (method, path, code) in odd {
        assert_eq!(ask(&hub, method, path, json!({})).await.code, code, "{method} {path}");
    }
}

#[tokio::test]
async fn a_body_over_three_mebibytes_is_refused() {
    let hub = hub();
    let refused = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({ "k": "x".repeat(3 << 20) }))).await;
    assert_eq!(refused.refusal(), (413, "RequestEntityTooLarge"));
}
