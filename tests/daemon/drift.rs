//! Drift: objects that someone else changes on the hub are restored, even on waiting clusters.

use serde_json::{Value, json};
use tidegate_daemon::reconciler::Snapshot;
use tidegate_delivery::upstream::DeliveryMode;

use super::upstream::daemon as daemon_of;
use super::world::{World, addon_path, eventually, now, requests, work_path};
use crate::upstream::AddonManager;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const PLACEMENT: &str = "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/fleet-addons/placements/fleet";

async fn patch(world: &World, path: &str, manager: &str, patch: Value) {
    requests::patch(&world.client(), &format!("{path}?fieldManager={manager}"), &patch).await;
}

async fn placement(world: &World) -> Value {
    world.object("cluster.open-cluster-management.io/v1beta1", "placements", "fleet-addons", "fleet").await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn additions_to_a_declared_placement_are_removed_and_reported_with_their_manager() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let before = placement(&world).await;
    patch(&world, PLACEMENT, "kubectl-edit", json!({ "spec": { "numberOfClusters": 3 } })).await;
    let seen = daemon.until("the repair", |s| !s.report.repairs.is_empty()).await;
    let line = &seen.report.repairs[0];
    assert!(line.contains("Placement fleet-addons/fleet") && line.contains("kubectl-edit"), "{line}");
    daemon.until_settled("0.4.0").await;
    assert_eq!(placement(&world).await["spec"], before["spec"]);
    // A declared value that is changed is restored as well.
    patch(&world, PLACEMENT, "kubectl-edit", json!({ "spec": { "clusterSets": ["other"] } })).await;
    let is_back = |s: &Snapshot| s.tick > seen.tick && s.writes == 0;
    daemon.until("the other repair", is_back).await;
    eventually("the declared value is restored", async || placement(&world).await["spec"] == before["spec"]).await;
    assert_eq!(world.clusters_with("hello-template").await.len(), 20);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn the_works_of_waiting_clusters_are_restored_to_their_old_content_even_after_a_restart() {
    let world = World::settled_by("first.git", 20).await;
    let mut daemon = world.daemon("first.git").await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
    // The template is edited in place: the old content is only in Git, in the revision that introduced it.
    let mut daemon = world.daemon("second.git").await;
    world.break_works_with("v0.4.9");
    let path = "fleet/addons/hello-template/template-0.4.0.yaml";
    let text = world.read("main", path);
    assert!(text.contains("v0.4.0"), "{text}");
    world.commit("in place", [(path.to_owned(), Some(text.replace("v0.4.0", "v0.4.9").into_bytes()))].into());
    let waits = |s: &Snapshot| {
        s.report.addons.get("hello-template").is_some_and(|addon| addon.counts().waiting == 10) && s.writes == 0
    };
    daemon.until("the canaries", waits).await;
    let before = world.work("aws-010", "hello-template").await.unwrap();
    assert!(before.to_string().contains("v0.4.0") && !before.to_string().contains("v0.4.9"), "{before}");
    daemon.end().await;

    // A new process starts on another machine. In the meantime, someone edits one work and deletes another.
    let empty = json!({ "spec": { "workload": { "manifests": [] } } });
    patch(&world, &work_path("aws-010", "hello-template"), "somebody", empty).await;
    requests::delete(&world.client(), &work_path("gcp-010", "hello-template")).await;
    let mut daemon = world.daemon("third.git").await;
    daemon.until("the repair", waits).await;
    let repaired = world.work("aws-010", "hello-template").await.unwrap();
    assert_eq!(repaired["spec"]["workload"], before["spec"]["workload"]);
    let again = world.work("gcp-010", "hello-template").await.expect("the deleted work is restored");
    assert!(again.to_string().contains("v0.4.0") && !again.to_string().contains("v0.4.9"), "{again}");
    daemon.end().await;
    assert!(world.read("main", ADDON).contains("hello-template-0.4.0"));
}

#[tokio::test(start_paused = true)]
async fn a_work_that_lost_its_content_and_labels_is_restored() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let before = world.work("aws-001", "hello-template").await.unwrap();
    let hidden = json!({ "metadata": { "labels": null }, "spec": { "workload": { "manifests": [] } } });
    patch(&world, &work_path("aws-001", "hello-template"), "somebody", hidden).await;
    let is_restored = async || {
        let work = world.work("aws-001", "hello-template").await.unwrap();
        work["spec"] == before["spec"] && work["metadata"]["labels"] == before["metadata"]["labels"]
    };
    eventually("the work is restored", is_restored).await;
    // The work is labeled again first, and its content is compared in the next tick.
    daemon.until_metric("tidegate_repairs_total", 2.0).await;
    daemon.end().await;
}

/// Returns the Events about changes by others.
async fn accusations(world: &World) -> Vec<String> {
    let all = super::events::events(world).await;
    let accuses = |event: &&Value| event["reason"] == "DriftRepaired" || event["reason"] == "ForeignWriter";
    all.iter().filter(accuses).map(|event| event["message"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn real_hub_m1_own_writes_under_the_add_on_manager_are_not_reported_as_those_of_others() {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon_of(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    for (from, to) in [("0.4.0", "0.4.1")] {
        world.edit(ADDON, &format!("hello-template-{from}"), &format!("hello-template-{to}"));
        daemon.until_settled(to).await;
    }
    assert_eq!((daemon.metric("tidegate_repairs_total"), accusations(&world).await), (0.0, Vec::new()));
    // What someone else changes is repaired, and reported.
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let pinned = json!({ "spec": { "configs": [] } });
    patch(&world, &addon_path("aws-002", "hello-template"), "kubectl-edit", pinned).await;
    daemon.until_metric("tidegate_repairs_total", 1.0).await;
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    running.stop().await;
    // Nor is the hand-over to native delivery.
    let mut daemon = daemon_of(&world, DeliveryMode::Native).await;
    daemon.until_settled("0.4.1").await;
    assert_eq!(daemon.metric("tidegate_repairs_total"), 0.0);
    daemon.end().await;
    assert_eq!(accusations(&world).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn real_hub_m1_a_work_that_someone_edits_on_a_waiting_cluster_is_reported() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.break_works_with("v0.4.1");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon
        .until("the others wait", |s| s.report.addons["hello-template"].counts().waiting == 10 && s.writes == 0)
        .await;
    let empty = json!({ "spec": { "workload": { "manifests": [] } } });
    patch(&world, &work_path("gcp-010", "hello-template"), "somebody", empty).await;
    daemon.until_metric("tidegate_repairs_total", 1.0).await;
    daemon.end().await;
    assert_eq!(accusations(&world).await.len(), 1);
}
