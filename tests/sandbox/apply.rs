//! Server-side apply and field ownership.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::*;

fn at(name: &str, manager: &str) -> String {
    format!("{CONFIG_MAPS}/{name}?fieldManager={manager}")
}

fn owned(object: &Value, manager: &str) -> Value {
    let entries = object["metadata"]["managedFields"].as_array().unwrap();
    let entry = entries.iter().find(|entry| entry["manager"] == json!(manager));
    entry.map(|entry| entry["fieldsV1"].clone()).unwrap_or_default()
}

#[tokio::test]
async fn an_apply_creates_the_object_and_owns_its_fields() {
    let hub = hub();
    let first = ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1" }))).await;
    assert_eq!(first.code, 201);
    assert_eq!(owned(&first.body, "m"), json!({ "f:data": { "f:k": {} } }));
    let again = ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1" }))).await;
    assert_eq!((again.code, again.body), (200, first.body));
}

#[tokio::test]
async fn a_dropped_field_is_removed_if_only_this_manager_owned_it() {
    let hub = hub();
    ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1", "l": "2", "n": "3" }))).await;
    ask(&hub, "PATCH apply", &at("a", "other"), config_map("a", json!({ "l": "2" }))).await;
    let dropped = ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1" }))).await;
    assert_eq!(dropped.body["data"], json!({ "k": "1", "l": "2" }));
    let all = ask(&hub, "PATCH apply", &at("a", "other"), json!({ "metadata": { "name": "a" } })).await;
    assert_eq!(all.body["data"], json!({ "k": "1" }));
}

#[tokio::test]
async fn a_field_of_another_manager_conflicts_unless_forced() {
    let hub = hub();
    ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1", "l": "1" }))).await;
    let other = config_map("a", json!({ "k": "2", "l": "2" }));
    let refused = ask(&hub, "PATCH apply", &at("a", "other"), other.clone()).await;
    assert_eq!(refused.refusal(), (409, "Conflict"));
    assert_eq!(refused.text("/message"), "Apply failed with 2 conflicts: conflicts with \"m\":\n- .data.k\n- .data.l");
    let cause = json!({ "reason": "FieldManagerConflict", "message": "conflict with \"m\"", "field": ".data.k" });
    assert_eq!(refused.body["details"]["causes"][0], cause);
    assert_eq!(get(&hub, &at("a", "")).await.text("/data/k"), "1");
    let forced = ask(&hub, "PATCH apply", &format!("{}&force=true", at("a", "other")), other).await;
    assert_eq!(forced.body["data"], json!({ "k": "2", "l": "2" }));
    assert_eq!(owned(&forced.body, "m"), Value::Null);
}

#[tokio::test]
async fn two_managers_may_own_a_field_that_they_agree_on() {
    let hub = hub();
    ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1" }))).await;
    let agreed = ask(&hub, "PATCH apply", &at("a", "other"), config_map("a", json!({ "k": "1" }))).await;
    assert_eq!(agreed.code, 200);
    assert_eq!(owned(&agreed.body, "m"), owned(&agreed.body, "other"));
}

#[tokio::test]
async fn an_update_takes_ownership_of_the_fields_that_it_changes() {
    let hub = hub();
    ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1", "l": "1" }))).await;
    let updated = ask(&hub, "PATCH merge", &at("a", "person"), json!({ "data": { "k": "2" } })).await;
    assert_eq!(owned(&updated.body, "m"), json!({ "f:data": { "f:l": {} } }));
    assert_eq!(owned(&updated.body, "person"), json!({ "f:data": { "f:k": {} } }));
    let refused = ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1", "l": "1" }))).await;
    assert_eq!(refused.text("/message"), "Apply failed with 1 conflict: conflict with \"person\" using v1: .data.k");
}

#[tokio::test]
async fn items_of_a_map_list_are_owned_separately() {
    let hub = hub();
    ask(&hub, "POST", CLUSTERS, cluster("a")).await;
    let condition = |type_: &str, status: &str| json!({ "type": type_, "status": status, "reason": "R", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z" });
    let apply = |manager: &str, conditions: Value| {
        let (hub, path) = (hub.clone(), format!("{CLUSTERS}/a/status?fieldManager={manager}"));
        async move { ask(&hub, "PATCH apply", &path, json!({ "status": { "conditions": conditions } })).await }
    };
    apply("m1", json!([condition("A", "True"), condition("C", "True")])).await;
    let both = apply("m2", json!([condition("B", "False")])).await;
    assert_eq!(both.body["status"]["conditions"].as_array().unwrap().len(), 3);
    let changed = apply("m1", json!([condition("A", "False")])).await;
    let types: Vec<&str> = changed.body["status"]["conditions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|condition| condition["type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["A", "B"]);
    let refused = apply("m1", json!([condition("A", "False"), condition("B", "True")])).await;
    assert_eq!(refused.text("/details/causes/0/field"), ".status.conditions[type=\"B\"].status", "{:?}", refused.body);
}

#[tokio::test]
async fn a_defaulted_field_is_not_owned_by_the_applier() {
    let hub = hub();
    let path = format!("{CLUSTERS}/a?fieldManager=m");
    let applied = ask(&hub, "PATCH apply", &path, cluster("a")).await;
    assert_eq!(applied.body["spec"]["leaseDurationSeconds"], json!(60));
    assert_eq!(owned(&applied.body, "m"), json!({ "f:spec": { "f:hubAcceptsClient": {} } }));
}

#[tokio::test]
async fn an_invalid_apply_is_refused() {
    let hub = hub();
    let nobody = ask(&hub, "PATCH apply", &format!("{CONFIG_MAPS}/a"), config_map("a", json!({}))).await;
    assert_eq!(nobody.refusal(), (422, "Invalid"));
    let other_name = ask(&hub, "PATCH apply", &at("a", "m"), config_map("b", json!({}))).await;
    assert_eq!(other_name.refusal(), (400, "BadRequest"));
    let mut managed = config_map("a", json!({}));
    managed["metadata"]["managedFields"] = json!([]);
    let managed = ask(&hub, "PATCH apply", &at("a", "m"), managed).await;
    assert_eq!(managed.text("/message"), "metadata.managedFields must be nil");
    let mut unknown = cluster("a");
    unknown["spec"]["nosuch"] = json!(1);
    let unknown = ask(&hub, "PATCH apply", &format!("{CLUSTERS}/a?fieldManager=m"), unknown).await;
    assert!(unknown.text("/message").ends_with(".spec.nosuch: field not declared in schema"), "{:?}", unknown.body);
    let status = ask(&hub, "PATCH apply", &format!("{CLUSTERS}/a/status?fieldManager=m"), cluster("a")).await;
    assert_eq!(status.refusal(), (404, "NotFound"));
}

#[tokio::test]
async fn a_dry_run_of_apply_persists_nothing() {
    let hub = hub();
    ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!({ "k": "1" }))).await;
    let path = format!("{}&dryRun=All", at("a", "m"));
    let tried = ask(&hub, "PATCH apply", &path, config_map("a", json!({ "k": "2" }))).await;
    assert_eq!(tried.text("/data/k"), "2");
    assert_eq!(get(&hub, &at("a", "m")).await.text("/data/k"), "1");
}

#[tokio::test]
async fn ownership_follows_a_manager_to_another_version() {
    let hub = hub();
    let addons = |version: &str| {
        format!("/apis/addon.open-cluster-management.io/{version}/clustermanagementaddons/a?fieldManager=m")
    };
    let config = json!({ "group": "example.com", "resource": "things" });
    let old = json!({ "metadata": { "name": "a" }, "spec": { "addOnMeta": { "displayName": "A" }, "supportedConfigs": [config] } });
    ask(&hub, "PATCH apply", &addons("v1alpha1"), old).await;
    let mut config = config;
    config["name"] = json!("t");
    let new = json!({ "metadata": { "name": "a" }, "spec": { "defaultConfigs": [config] } });
    let applied = ask(&hub, "PATCH apply", &addons("v1beta1"), new).await;
    assert_eq!(applied.code, 200, "{:?}", applied.body);
    assert_eq!(applied.body["spec"]["defaultConfigs"], json!([config]));
    assert_eq!(applied.body["spec"].get("addOnMeta"), None);
    assert_eq!(applied.body["metadata"]["managedFields"].as_array().unwrap().len(), 1);
}

fn data() -> impl Strategy<Value = BTreeMap<String, String>> {
    prop::collection::btree_map("[a-d]", "[x-z]", 0..4)
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn only_the_last_configuration_of_a_lone_manager_counts(configurations in prop::collection::vec(data(), 1..5)) {
        run(async {
            let hub = hub();
            let mut last = json!({});
            for data in &configurations {
                last = ask(&hub, "PATCH apply", &at("a", "m"), config_map("a", json!(data))).await.body;
            }
            let fresh = ask(&hub, "PATCH apply", &at("b", "m"), config_map("b", json!(configurations.last()))).await.body;
            let data = |object: &Value| object.get("data").cloned().unwrap_or_else(|| json!({}));
            assert_eq!(data(&last), data(&fresh));
            let fields = |object: &Value| object["metadata"].get("managedFields").map(|m| m[0]["fieldsV1"].clone());
            assert_eq!(fields(&last), fields(&fresh));
        });
    }

    #[test]
    fn no_manager_changes_fields_that_only_another_owns(mine in data(), first in data(), second in data()) {
        // An empty map is not stored, so its owner would conflict with every other manager that applies it.
        prop_assume!(!mine.is_empty());
        run(async {
            let hub = hub();
            ask(&hub, "PATCH apply", &at("a", "me"), config_map("a", json!(mine))).await;
            for data in [first, second] {
                let answer = ask(&hub, "PATCH apply", &at("a", "other"), config_map("a", json!(data))).await;
                let disagrees = data.iter().any(|(key, value)| mine.get(key).is_some_and(|mine| mine != value));
                assert_eq!(answer.code, if disagrees { 409 } else { 200 });
                let now = get(&hub, &at("a", "me")).await.body;
                for (key, value) in &mine {
                    assert_eq!(&now["data"][key], value);
                }
            }
        });
    }
}

#[tokio::test]
async fn the_last_label_of_an_object_can_be_removed() {
    let hub = hub();
    let map = config_map("m", json!({ "k": "v" }));
    let cases = [
        ("/api/v1/namespaces/default/configmaps/m", map),
        ("/apis/cluster.open-cluster-management.io/v1/managedclusters/c", cluster("c")),
    ];
    for (path, mut object) in cases {
        object["metadata"].as_object_mut().unwrap().remove("labels");
        let mut labelled = object.clone();
        labelled["metadata"]["labels"] = json!({ "a": "b" });
        let path = format!("{path}?fieldManager=t");
        assert_eq!(ask(&hub, "PATCH apply", &path, labelled).await.code, 201);
        let applied = ask(&hub, "PATCH apply", &path, object.clone()).await;
        assert_eq!(applied.code, 200, "{:?}", applied.body);
        assert_eq!(applied.body["metadata"].get("labels"), None, "{:?}", applied.body);
        assert_eq!(applied.body["metadata"]["name"], object["metadata"]["name"]);
    }
}
