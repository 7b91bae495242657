//! Kubernetes Events: what users see on the hub, and that Events do not affect the loop.

use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;
use serde_json::{Value, json};

use super::world::{PATIENCE, World, eventually, requests, work_path};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// Returns the Events on the hub.
pub(super) async fn events(world: &World) -> Vec<Value> {
    let list = requests::get(&world.client(), "/api/v1/events").await.unwrap();
    list["items"].as_array().unwrap().clone()
}

/// Waits until an Event matches a condition.
pub(super) async fn until(world: &World, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let found = tokio::time::timeout(PATIENCE, async {
        loop {
            if let Some(event) = events(world).await.into_iter().find(|event| is_so(event)) {
                return event;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    let Ok(found) = found.await else { panic!("waited for {what}; last seen: {:#?}", events(world).await) };
    found
}

pub(super) fn is(event: &Value, reason: &str, kind: &str, name: &str) -> bool {
    event["reason"] == reason && event["involvedObject"]["kind"] == kind && event["involvedObject"]["name"] == name
}

pub(super) async fn delete_work(world: &World, cluster: &str) {
    requests::delete(&world.client(), &work_path(cluster, "hello-template")).await;
    let is_back = async || world.work(cluster, "hello-template").await.is_some_and(|work| !work["spec"].is_null());
    eventually("the work is there again", is_back).await;
}

#[tokio::test(start_paused = true)]
async fn a_rollout_is_reported_as_events_of_its_add_on() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    let kind = "ClusterManagementAddOn";
    let completed = until(&world, "the end", |event| {
        is(event, "RolloutCompleted", kind, "hello-template") && event["message"].as_str().unwrap().contains("0.4.1")
    });
    let completed = completed.await;
    let started = until(&world, "the start", |event| {
        is(event, "RolloutStarted", kind, "hello-template") && event["message"].as_str().unwrap().contains("0.4.1")
    });
    let messages = [&started.await, &completed].map(|event| event["message"].as_str().unwrap().to_owned());
    insta::assert_snapshot!(messages.join("\n"));
    assert_eq!((&completed["type"], &completed["count"]), (&json!("Normal"), &json!(1)));
    assert_eq!(completed["metadata"]["namespace"], "default");
    assert_eq!(completed["reportingComponent"], "tidegate");
    let addon =
        world.object("addon.open-cluster-management.io/v1beta1", "clustermanagementaddons", "", "hello-template");
    assert_eq!(completed["involvedObject"]["uid"], addon.await.unwrap()["metadata"]["uid"]);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_repeated_repair_raises_the_count_of_its_event_and_there_are_no_events_at_rest() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let is_repair = |event: &Value, count: u64| {
        is(event, "DriftRepaired", "ManifestWork", "addon-hello-template-deploy-0") && event["count"] == count
    };
    delete_work(&world, "aws-001").await;
    let first = until(&world, "the repair", |event| is_repair(event, 1)).await;
    assert_eq!(first["involvedObject"]["namespace"], "aws-001");
    assert_eq!((&first["type"], &first["metadata"]["namespace"]), (&json!("Warning"), &json!("aws-001")));
    daemon.until_settled("0.4.0").await;
    delete_work(&world, "aws-001").await;
    let second = until(&world, "the second repair", |event| is_repair(event, 2)).await;
    assert_eq!(second["metadata"]["uid"], first["metadata"]["uid"]);
    let settled = daemon.until_settled("0.4.0").await;
    let written = daemon.metric("tidegate_events_total");
    for n in 0..3 {
        world.label("aws-002", "seen", &n.to_string()).await;
        let tick = settled.tick + n;
        daemon.until("another tick", |s| s.tick > tick && s.writes == 0).await;
    }
    assert_eq!(daemon.metric("tidegate_events_total"), written);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_forbids_events_changes_nothing_else() {
    let world = World::new(20);
    let gate = |request: Request, next: Next| async move {
        if request.uri().path().ends_with("/events") {
            return StatusCode::FORBIDDEN.into_response();
        }
        next.run(request).await
    };
    let router = world.sandbox.router().layer(middleware::from_fn(gate));
    let mut daemon = world.daemon_on("mirror.git", kube::Client::new(router, "default")).await;
    let settled = daemon.until_settled("0.4.0").await;
    assert_eq!(settled.failures, Vec::<String>::new());
    assert!(daemon.metric("tidegate_events_total") > 0.0);
    assert_eq!(events(&world).await, Vec::<Value>::new());
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_daemon_with_events_switched_off_writes_none() {
    let world = World::new(20);
    let config = tidegate_daemon::reconciler::Config { events: false, ..world.config("mirror.git") };
    let mut daemon = world.daemon_with(world.client(), config).await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
    assert_eq!(events(&world).await, Vec::<Value>::new());
}
