//! Watches.

use serde_json::{Value, json};

use super::support::*;

fn labelled(name: &str, value: &str) -> Value {
    let mut map = config_map(name, json!({}));
    map["metadata"]["labels"] = json!({ "w": value });
    map
}

async fn revision(hub: &tidegate_sandbox::Sandbox) -> String {
    get(hub, CONFIG_MAPS).await.text("/metadata/resourceVersion").to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_watch_sends_the_changes_after_a_revision() {
    let hub = hub();
    ask(&hub, "POST", CONFIG_MAPS, config_map("before", json!({}))).await;
    let from = revision(&hub).await;
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let mut events = watch(&hub, &format!("{CONFIG_MAPS}?watch=true&resourceVersion={from}")).await;
    assert_eq!(events.rest().await, ["ADDED a"]);
    ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/a"), json!({ "data": { "k": "1" } })).await;
    ask(&hub, "POST", "/api/v1/namespaces/kube-system/configmaps", config_map("elsewhere", json!({}))).await;
    ask(&hub, "DELETE", &format!("{CONFIG_MAPS}/a"), Value::Null).await;
    let modified = events.next().await.unwrap();
    assert_eq!((&modified["type"], &modified["object"]["data"]["k"]), (&json!("MODIFIED"), &json!("1")));
    let deleted = events.next().await.unwrap();
    assert_eq!((&deleted["type"], &deleted["object"]["data"]["k"]), (&json!("DELETED"), &json!("1")));
    let number =
        |event: &Value| event["object"]["metadata"]["resourceVersion"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(number(&deleted) > number(&modified));
    assert_eq!(events.rest().await, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_watch_without_a_revision_starts_with_the_existing_objects() {
    let hub = hub();
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    for query in ["", "&resourceVersion=0"] {
        let mut events = watch(&hub, &format!("{CONFIG_MAPS}?watch=1{query}")).await;
        assert_eq!(events.rest().await, ["ADDED a"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_selector_turns_modifications_into_additions_and_deletions() {
    let hub = hub();
    let from = revision(&hub).await;
    let mut events = watch(&hub, &format!("{CONFIG_MAPS}?watch=true&labelSelector=w%3Dc&resourceVersion={from}")).await;
    ask(&hub, "POST", CONFIG_MAPS, labelled("a", "other")).await;
    for value in ["c", "away", "c"] {
        ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/a"), json!({ "metadata": { "labels": { "w": value } } }))
            .await;
    }
    ask(&hub, "DELETE", &format!("{CONFIG_MAPS}/a"), Value::Null).await;
    assert_eq!(events.rest().await, ["ADDED a", "DELETED a", "ADDED a", "DELETED a"]);
}

#[tokio::test(start_paused = true)]
async fn initial_events_end_with_a_bookmark() {
    let hub = hub();
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let query = "watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
    let mut events = watch(&hub, &format!("{CONFIG_MAPS}?{query}")).await;
    assert_eq!(events.next().await.unwrap()["type"], json!("ADDED"));
    let bookmark = events.next().await.unwrap();
    assert_eq!(bookmark["type"], json!("BOOKMARK"));
    assert_eq!(bookmark["object"]["metadata"]["annotations"], json!({ "k8s.io/initial-events-end": "true" }));
}

#[tokio::test(start_paused = true)]
async fn bookmarks_are_sent_every_minute_on_request() {
    let hub = hub();
    let mut with = watch(&hub, &format!("{CONFIG_MAPS}?watch=true&allowWatchBookmarks=true")).await;
    let mut without = watch(&hub, &format!("{CONFIG_MAPS}?watch=true")).await;
    assert_eq!(with.next().await, None);
    ask(&hub, "POST", "/api/v1/namespaces", json!({ "metadata": { "name": "elsewhere" } })).await;
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    let bookmark = with.next().await.unwrap();
    assert_eq!(bookmark["type"], json!("BOOKMARK"));
    assert_eq!(bookmark["object"]["metadata"]["resourceVersion"], json!(revision(&hub).await));
    assert_eq!(without.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn a_watch_ends_after_its_timeout() {
    let hub = hub();
    let mut events = watch(&hub, &format!("{CONFIG_MAPS}?watch=true&timeoutSeconds=30")).await;
    assert!(!events.is_over().await);
    tokio::time::advance(std::time::Duration::from_secs(30)).await;
    assert!(events.is_over().await);
}

#[tokio::test(start_paused = true)]
async fn a_watch_from_an_expired_revision_gets_an_error() {
    let hub = hub();
    let from = revision(&hub).await;
    hub.seed((0..16_385).map(|number| {
        let mut map = config_map(&format!("m{number}"), json!({}));
        map["metadata"]["namespace"] = json!("default");
        map
    }))
    .unwrap();
    let mut events = watch(&hub, &format!("{CONFIG_MAPS}?watch=true&resourceVersion={from}")).await;
    let error = events.next().await.unwrap();
    assert_eq!((&error["type"], &error["object"]["code"]), (&json!("ERROR"), &json!(410)));
    assert_eq!(error["object"]["reason"], json!("Expired"));
    assert!(events.is_over().await);
}

#[tokio::test]
async fn a_revision_must_be_a_number() {
    let refused = get(&hub(), &format!("{CONFIG_MAPS}?watch=true&resourceVersion=notanumber")).await;
    assert_eq!(refused.code, 500);
    assert!(refused.text("/message").starts_with("resourceVersion: Invalid value: \"notanumber\""));
}
