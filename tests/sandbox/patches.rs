//! JSON patch, merge patch and strategic merge.

use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn a_merge_patch_removes_null_fields_and_replaces_lists() {
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
async fn a_patch_with_an_outdated_revision_conflicts() {
    let hub = hub();
    let path = format!("{CONFIG_MAPS}/a");
    let first = ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let patch =
        json!({ "metadata": { "resourceVersion": first.text("/metadata/resourceVersion") }, "data": { "k": "1" } });
    assert_eq!(ask(&hub, "PATCH merge", &path, patch.clone()).await.code, 200);
    assert_eq!(ask(&hub, "PATCH merge", &path, patch).await.refusal(), (409, "Conflict"));
}

#[tokio::test]
async fn a_json_patch_is_atomic() {
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
async fn a_patch_cannot_change_name_or_namespace() {
    let hub = hub();
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    for metadata in [json!({ "name": "b" }), json!({ "namespace": "kube-system" })] {
        let refused = ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/a"), json!({ "metadata": metadata })).await;
        assert_eq!(refused.refusal(), (400, "BadRequest"));
    }
}

#[tokio::test]
async fn strategic_merge_patch_is_for_core_kinds_only() {
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

#[tokio::test]
async fn strategic_merge_patch_directives_are_applied() {
    let hub = hub();
    let mut map = config_map("a", json!({ "a": "1", "b": "2" }));
    map["metadata"]["finalizers"] = json!(["x.io/a", "x.io/b"]);
    map["metadata"]["labels"] = json!({ "old": "1" });
    ask(&hub, "POST", CONFIG_MAPS, map).await;
    let path = format!("{CONFIG_MAPS}/a");
    let patch = json!({ "metadata": {
        "finalizers": ["x.io/c"], "$deleteFromPrimitiveList/finalizers": ["x.io/a"],
        "$setElementOrder/finalizers": ["x.io/c", "x.io/b"], "labels": { "$patch": "replace", "new": "1" },
    }, "data": { "$retainKeys": ["b", "c"], "c": "3" } });
    let patched = ask(&hub, "PATCH strategic-merge", &path, patch).await;
    assert_eq!(patched.body["metadata"]["finalizers"], json!(["x.io/c", "x.io/b"]));
    assert_eq!(patched.body["metadata"]["labels"], json!({ "new": "1" }));
    assert_eq!(patched.body["data"], json!({ "b": "2", "c": "3" }));
    let refused = ask(&hub, "PATCH strategic-merge", &path, json!({ "$patch": "zap" })).await;
    assert_eq!((refused.code, refused.text("/message")), (500, "unknown patch type found: zap"));
}

#[tokio::test]
async fn a_json_patch_may_use_negative_indexes_and_copies_are_limited() {
    let hub = hub();
    ask(&hub, "POST", TEMPLATES, template("a", "i")).await;
    let path = format!("{TEMPLATES}/a");
    let list = "/spec/agentSpec/workload/manifests";
    let patch = json!([
        { "op": "copy", "from": format!("{list}/0"), "path": format!("{list}/-") },
        { "op": "replace", "path": format!("{list}/-1/data/image"), "value": "j" },
    ]);
    let patched = ask(&hub, "PATCH json", &path, patch).await;
    let images: Vec<&Value> =
        patched.body.pointer(list).unwrap().as_array().unwrap().iter().map(|m| &m["data"]["image"]).collect();
    assert_eq!(images, [&json!("i"), &json!("j")]);
    let bomb: Vec<Value> =
        (0..60).map(|_| json!({ "op": "copy", "from": list, "path": format!("{list}/0/data/more") })).collect();
    assert_eq!(ask(&hub, "PATCH json", &path, json!(bomb)).await.refusal(), (422, "Invalid"));
    let many = vec![json!({ "op": "test", "path": "/kind", "value": "AddOnTemplate" }); 10_001];
    assert_eq!(ask(&hub, "PATCH json", &path, json!(many)).await.refusal(), (413, "RequestEntityTooLarge"));
}

#[tokio::test]
async fn a_malformed_patch_and_a_missing_object_give_different_errors() {
    let hub = hub();
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let broken = |name: &str, media_type: &str| {
        let uri = format!("{CONFIG_MAPS}/{name}?fieldManager=m");
        let request = axum::http::Request::builder().method("PATCH").uri(uri).header("content-type", media_type);
        send(&hub, request.body(b"{\"a\": ".to_vec()).unwrap())
    };
    let why = "unexpected end of JSON input";
    let merge = "application/merge-patch+json";
    assert_eq!(broken("none", merge).await.refusal(), (404, "NotFound"));
    assert_eq!(broken("a", merge).await.text("/message"), format!("error decoding patch: {why}"));
    assert_eq!(broken("a", "application/strategic-merge-patch+json").await.text("/message"), why);
    let applied = broken("none", "application/apply-patch+yaml").await;
    assert!(applied.code == 400 && applied.text("/message").starts_with("error decoding YAML: "), "{}", applied.body);
}
