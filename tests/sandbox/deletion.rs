//! Deletion, finalizers, garbage collection and namespaces.

use serde_json::{Value, json};
use tidegate_sandbox::Sandbox;

use super::support::*;

async fn owned(hub: &Sandbox, name: &str, owners: &[&Answer]) -> Answer {
    let owner = |owner: &&Answer| json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": owner.text("/metadata/name"), "uid": owner.text("/metadata/uid") });
    let mut map = config_map(name, json!({}));
    map["metadata"]["ownerReferences"] = owners.iter().map(owner).collect();
    ask(hub, "POST", CONFIG_MAPS, map).await
}

async fn names(hub: &Sandbox) -> String {
    get(hub, CONFIG_MAPS).await.names().join(" ")
}

async fn delete(hub: &Sandbox, name: &str, options: Value) -> Answer {
    ask(hub, "DELETE", &format!("{CONFIG_MAPS}/{name}"), options).await
}

#[tokio::test]
async fn a_deleted_object_is_gone() {
    let hub = hub();
    let created = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let deleted = delete(&hub, "a", Value::Null).await;
    assert_eq!((deleted.code, deleted.text("/status")), (200, "Success"));
    assert_eq!(deleted.text("/details/uid"), created.text("/metadata/uid"));
    assert_eq!(delete(&hub, "a", Value::Null).await.refusal(), (404, "NotFound"));
}

#[tokio::test]
async fn a_deletion_must_meet_its_preconditions() {
    let hub = hub();
    let created = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    for wrong in [json!({ "uid": "other" }), json!({ "resourceVersion": "1" })] {
        let refused = delete(&hub, "a", json!({ "preconditions": wrong })).await;
        assert_eq!(refused.refusal(), (409, "Conflict"));
    }
    let right = json!({
        "uid": created.text("/metadata/uid"), "resourceVersion": created.text("/metadata/resourceVersion"),
    });
    assert_eq!(delete(&hub, "a", json!({ "preconditions": right })).await.code, 200);
    assert_eq!(delete(&hub, "a", json!({ "propagationPolicy": "Whatever" })).await.code, 422);
}

#[tokio::test]
async fn an_object_with_finalizers_waits_for_them() {
    let hub = hub();
    let path = format!("{CLUSTERS}/a");
    let mut held = cluster("a");
    held["metadata"]["finalizers"] = json!(["example.com/hold"]);
    ask(&hub, "POST", CLUSTERS, held).await;
    let waiting = ask(&hub, "DELETE", &path, Value::Null).await;
    assert_eq!(waiting.text("/metadata/deletionTimestamp"), "2026-08-11T12:00:00Z");
    assert_eq!(waiting.body["metadata"]["generation"], json!(2));
    assert_eq!(ask(&hub, "DELETE", &path, Value::Null).await.body, waiting.body);
    let more = json!({ "metadata": { "finalizers": ["example.com/hold", "example.com/more"] } });
    assert_eq!(ask(&hub, "PATCH merge", &path, more).await.refusal(), (422, "Invalid"));
    let ended = ask(&hub, "PATCH merge", &path, json!({ "metadata": { "finalizers": null } })).await;
    assert_eq!(ended.code, 200);
    assert_eq!(get(&hub, &path).await.code, 404);
}

#[tokio::test]
async fn dependents_are_deleted_with_their_last_owner() {
    let hub = hub();
    let first = ask(&hub, "POST", CONFIG_MAPS, config_map("first", json!({}))).await;
    let second = ask(&hub, "POST", CONFIG_MAPS, config_map("second", json!({}))).await;
    let child = owned(&hub, "child", &[&first]).await;
    owned(&hub, "grandchild", &[&child]).await;
    owned(&hub, "shared", &[&first, &second]).await;
    delete(&hub, "first", Value::Null).await;
    assert_eq!(names(&hub).await, "second shared");
    delete(&hub, "second", Value::Null).await;
    assert_eq!(names(&hub).await, "");
}

#[tokio::test]
async fn an_object_with_a_missing_owner_is_deleted_immediately() {
    let hub = hub();
    let owner = ask(&hub, "POST", &format!("{CONFIG_MAPS}?dryRun=All"), config_map("ghost", json!({}))).await;
    assert_eq!(owned(&hub, "child", &[&owner]).await.code, 201);
    assert_eq!(names(&hub).await, "");
}

#[tokio::test]
async fn an_orphaning_deletion_keeps_the_dependents() {
    let hub = hub();
    let owner = ask(&hub, "POST", CONFIG_MAPS, config_map("owner", json!({}))).await;
    owned(&hub, "child", &[&owner]).await;
    delete(&hub, "owner", json!({ "propagationPolicy": "Orphan" })).await;
    assert_eq!(names(&hub).await, "child");
    let child = get(&hub, &format!("{CONFIG_MAPS}/child")).await;
    assert_eq!(child.body["metadata"].get("ownerReferences"), None);
}

#[tokio::test]
async fn a_foreground_deletion_waits_for_the_dependents() {
    let hub = hub();
    let owner = ask(&hub, "POST", CONFIG_MAPS, config_map("owner", json!({}))).await;
    owned(&hub, "child", &[&owner]).await;
    let hold = json!({ "metadata": { "finalizers": ["example.com/hold"] } });
    ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/child"), hold).await;
    let waiting = delete(&hub, "owner", json!({ "propagationPolicy": "Foreground" })).await;
    assert_eq!(waiting.body["metadata"]["finalizers"], json!(["foregroundDeletion"]));
    assert_eq!(names(&hub).await, "child owner");
    ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/child"), json!({ "metadata": { "finalizers": null } })).await;
    assert_eq!(names(&hub).await, "");
}

#[tokio::test]
async fn deleting_a_collection_respects_the_selector() {
    let hub = hub();
    for (name, value) in [("a", "1"), ("b", "2"), ("c", "1")] {
        let mut map = config_map(name, json!({}));
        map["metadata"]["labels"] = json!({ "k": value });
        ask(&hub, "POST", CONFIG_MAPS, map).await;
    }
    let deleted = ask(&hub, "DELETE", &format!("{CONFIG_MAPS}?labelSelector=k%3D1"), Value::Null).await;
    assert_eq!((deleted.code, deleted.names()), (200, vec!["a", "c"]));
    assert_eq!(names(&hub).await, "b");
}

#[tokio::test]
async fn deleting_a_namespace_deletes_its_contents() {
    let hub = hub();
    ask(&hub, "POST", "/api/v1/namespaces", json!({ "metadata": { "name": "n" } })).await;
    ask(&hub, "POST", "/api/v1/namespaces/n/configmaps", config_map("a", json!({}))).await;
    let deleted = ask(&hub, "DELETE", "/api/v1/namespaces/n", Value::Null).await;
    assert_eq!(deleted.text("/status/phase"), "Terminating");
    assert_eq!(get(&hub, "/api/v1/namespaces/n").await.code, 404);
    assert_eq!(get(&hub, "/api/v1/configmaps").await.names(), Vec::<&str>::new());
}

#[tokio::test]
async fn a_terminating_namespace_accepts_no_new_objects() {
    let hub = hub();
    ask(&hub, "POST", "/api/v1/namespaces", json!({ "metadata": { "name": "n" } })).await;
    let mut held = config_map("a", json!({}));
    held["metadata"]["finalizers"] = json!(["example.com/hold"]);
    ask(&hub, "POST", "/api/v1/namespaces/n/configmaps", held).await;
    ask(&hub, "DELETE", "/api/v1/namespaces/n", Value::Null).await;
    let refused = ask(&hub, "POST", "/api/v1/namespaces/n/configmaps", config_map("b", json!({}))).await;
    assert_eq!(refused.refusal(), (403, "Forbidden"));
    let release = json!({ "metadata": { "finalizers": null } });
    ask(&hub, "PATCH merge", "/api/v1/namespaces/n/configmaps/a", release).await;
    assert_eq!(get(&hub, "/api/v1/namespaces/n").await.code, 404);
}
