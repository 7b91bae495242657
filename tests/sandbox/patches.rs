//! JSON patch, merge patch and strategic merge.

use serde_json::json;

use super::support::*;

#[tokio::test]
async fn a_merge_patch_removes_with_null_and_replaces_lists() {
    let hub = hub();
    let path = format!("{TEMPLATES}/t");
    ask(&hub, "POST", TEMPLATES, template("t", "img:1")).await;
    ask(&hub, "PATCH merge", &path, json!({ "metadata": { "labels": { "a": "1", "b": "2" } } })).await;
    let manifests = json!([{ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "s" } }]);
    let patch = json!({ "metadata": { "labels": { "a": null } }, "spec": { "agentSpec": { "workload": { "manifests": manifests } } } });
    let patched = ask(&hub, "PATCH merge", &path, patch).await;
    assert_eq!(patched.body["metadata"]["labels"], json!({ "b": "2" }));
    assert_eq!(patched.body["spec"]["agentSpec"]["workload"]["manifests"], manifests);
    assert_eq!(ask(&hub, "PATCH merge", &format!("{TEMPLATES}/none"), json!({})).await.code, 404);
}

#[tokio::test]
async fn a_patch_can_name_the_revision_that_it_expects() {
    let hub = hub();
    let path = format!("{CONFIG_MAPS}/a");
    let first = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let patch =
        json!({ "metadata": { "resourceVersion": first.text("/metadata/resourceVersion") }, "data": { "k": "1" } });
    assert_eq!(ask(&hub, "PATCH merge", &path, patch.clone()).await.code, 200);
    assert_eq!(ask(&hub, "PATCH merge", &path, patch).await.refusal(), (409, "Conflict"));
}

#[tokio::test]
async fn a_json_patch_happens_whole_or_not_at_all() {
    let hub = hub();
    let path = format!("{CONFIG_MAPS}/a");
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({ "k": "1" }))).await;
    let good = json!([
        { "op": "test", "path": "/data/k", "value": "1" },
        { "op": "add", "path": "/data/l", "value": "2" },
    ]);
    assert_eq!(ask(&hub, "PATCH json", &path, good).await.body["data"], json!({ "k": "1", "l": "2" }));
    let half = json!([
        { "op": "remove", "path": "/data/l" },
        { "op": "test", "path": "/data/k", "value": "other" },
    ]);
    let refused = ask(&hub, "PATCH json", &path, half).await;
    assert_eq!(refused.refusal(), (422, "Invalid"));
    assert_eq!(refused.text("/message"), "the server rejected our request due to an error in our request");
    assert_eq!(get(&hub, &path).await.body["data"], json!({ "k": "1", "l": "2" }));
    assert_eq!(ask(&hub, "PATCH json", &path, json!({ "no": "list" })).await.code, 400);
}

#[tokio::test]
async fn a_patch_cannot_move_an_object() {
    let hub = hub();
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    for metadata in [json!({ "name": "b" }), json!({ "namespace": "kube-system" })] {
        let refused = ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/a"), json!({ "metadata": metadata })).await;
        assert_eq!(refused.refusal(), (400, "BadRequest"));
    }
}

#[tokio::test]
async fn strategic_merge_is_for_core_kinds_only() {
    let hub = hub();
    ask(&hub, "POST", TEMPLATES, template("t", "img:1")).await;
    let refused = ask(&hub, "PATCH strategic-merge", &format!("{TEMPLATES}/t"), json!({})).await;
    assert_eq!(refused.refusal(), (415, "UnsupportedMediaType"));
    let mut one = config_map("a", json!({ "k": "1" }));
    one["metadata"]["finalizers"] = json!(["example.com/a"]);
    ask(&hub, "POST", CONFIG_MAPS, one).await;
    let patch = json!({
        "data": { "l": "2" },
        "metadata": { "finalizers": ["example.com/b"], "$setElementOrder/finalizers": ["example.com/a", "example.com/b"] },
    });
    let merged = ask(&hub, "PATCH strategic-merge", &format!("{CONFIG_MAPS}/a"), patch).await;
    assert_eq!(merged.body["data"], json!({ "k": "1", "l": "2" }));
    assert_eq!(merged.body["metadata"]["finalizers"], json!(["example.com/a", "example.com/b"]));
    assert_eq!(merged.body["metadata"].get("$setElementOrder/finalizers"), None);
}
