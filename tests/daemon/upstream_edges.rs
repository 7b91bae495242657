//! Delivery by OCM's add-on manager: deadlines, lost writes, add-ons that leave, other semantics and other instances.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;
use serde_json::Value;
use tidegate_delivery::upstream::DeliveryMode;

use super::upstream::{config, daemon, works};
use super::upstream_faults::{Held, assignment};
use super::world::{World, eventually, now};
use crate::upstream::AddonManager;

const NAME: &str = "hello-template";
const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const V1BETA1: &str = "addon.open-cluster-management.io/v1beta1";

#[tokio::test(start_paused = true)]
async fn a_missed_deadline_is_recorded_in_the_assignment_and_holds_after_a_restart() {
    let mut held = Held::new().await;
    tokio::time::sleep(Duration::from_secs(11 * 60)).await;
    held.daemon.until("the deadline", |s| s.report.addons[NAME].counts().failed == 10 && s.writes == 0).await;
    let is_overdue = |conditions: &Value| conditions.to_string().contains("tidegate.io/Overdue");
    assert!(is_overdue(&assignment(&held.world, "aws-001").await["conditions"]));
    assert!(!is_overdue(&held.world.addon("aws-001", NAME).await["status"]));
    held.assert_held("a missed deadline").await;
    let Held { world, running, daemon: first, before, .. } = held;
    first.kill().await;
    let mut second = daemon(&world, DeliveryMode::Auto).await;
    let is_same = |s: &tidegate_daemon::reconciler::Snapshot| {
        s.report.addons.get(NAME).is_some_and(|addon| addon.counts().failed == 10) && s.writes == 0
    };
    second.until("the same verdict", is_same).await;
    // They become healthy too late.
    world.heal_works();
    tokio::time::sleep(Duration::from_secs(30)).await;
    let seen = second.until("a tick", |s| s.tick > 0 && s.writes == 0).await;
    assert!(seen.report.addons[NAME].problem.as_ref().is_some_and(|why| why.contains("progressDeadline")));
    let after = works(&world, NAME).await;
    assert_eq!(after.iter().filter(|(cluster, work)| before.get(*cluster) != Some(work)).count(), 10);
    second.end().await;
    running.stop().await;
}

/// Returns a client that loses every third answer to a write to an add-on on a cluster: the write is refused, fails, or takes effect
/// without an answer.
fn unreliable(world: &World) -> (kube::Client, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let gate = {
        let count = count.clone();
        move |request: Request, next: Next| {
            let is_write = matches!(*request.method(), Method::PATCH | Method::POST | Method::PUT)
                && request.uri().path().contains("managedclusteraddons");
            let number = if is_write { count.fetch_add(1, Ordering::SeqCst) } else { 0 };
            async move {
                match (is_write, number % 9) {
                    (true, 2) => StatusCode::CONFLICT.into_response(),
                    (true, 5) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                    (true, 8) => {
                        let _lost = next.run(request).await;
                        StatusCode::GATEWAY_TIMEOUT.into_response()
                    }
                    _ => next.run(request).await,
                }
            }
        }
    };
    let router = world.sandbox.router().layer(middleware::from_fn(gate));
    (kube::Client::new(router, "default"), count)
}

#[tokio::test(start_paused = true)]
async fn lost_writes_start_no_cluster_twice() {
    let world = World::new(24);
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let (client, count) = unreliable(&world);
    let config = config(&world, "mirror.git", DeliveryMode::Auto);
    let mut daemon = world.daemon_with(client, config).await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    assert!(count.load(Ordering::SeqCst) > 60);
    for cluster in world.clusters_with(NAME).await {
        let addon = world.addon(&cluster, NAME).await;
        assert_eq!(addon["metadata"]["generation"], 2, "{cluster}: one installation and one upgrade");
    }
    daemon.end().await;
    running.stop().await;
}

/// Returns the declarations of hello-template with changes; `None` removes them.
fn changed(world: &World, change: impl Fn(&str) -> Option<String>) -> BTreeMap<String, Option<Vec<u8>>> {
    let files =
        crate::example_tree::tree().files.into_keys().filter(|path| path.starts_with("fleet/addons/hello-template/"));
    files
        .map(|path| {
            let text = world.read("main", &path);
            (path, change(&text).map(String::into_bytes))
        })
        .collect()
}

fn settings(world: &World, from: &str, to: &str) {
    world.edit("tidegate.toml", from, to);
}

#[tokio::test(start_paused = true)]
async fn an_add_on_that_leaves_the_repository_waits_for_the_brake_and_takes_its_copies_along() {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    let before = works(&world, NAME).await;
    world.commit("no hello", changed(&world, |_| None));
    daemon.until("the brake", |s| s.report.hold.is_some() || s.report.addons[NAME].problem.is_some()).await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(works(&world, NAME).await, before, "the brake holds");
    settings(&world, "max_percent = 20", "max_percent = 100");
    eventually("the add-on is gone", async || world.clusters_with(NAME).await.is_empty()).await;
    let copies = async || {
        let templates = world.list("addon.open-cluster-management.io/v1alpha1", "addontemplates").await;
        let names = templates.iter().filter_map(|t| t["metadata"]["name"].as_str());
        names.filter(|name| name.starts_with(NAME)).count()
    };
    eventually("its copies are gone", async || copies().await == 0).await;
    eventually("its works are gone", async || works(&world, NAME).await.is_empty()).await;
    assert_eq!(world.object(V1BETA1, "clustermanagementaddons", "", NAME).await, None);
    assert_eq!(works(&world, "managed-serviceaccount").await.len(), 14);
    daemon.end().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_add_on_with_another_name_replaces_the_previous_one() {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    settings(&world, "max_percent = 20", "max_percent = 100");
    world.commit("another name", changed(&world, |text| Some(text.replace("hello-template", "hello-next"))));
    eventually("the new one is installed", async || works(&world, "hello-next").await.len() == 14).await;
    eventually("the old one is gone", async || works(&world, NAME).await.is_empty()).await;
    daemon
        .until("it is settled", |s| {
            let is_done = |addon: &tidegate_plan::report::AddonReport| addon.counts().succeeded == 14;
            s.writes == 0 && s.report.addon("hello-next").is_some_and(is_done)
        })
        .await;
    daemon.end().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn compat_semantics_drive_the_add_on_manager_too() {
    let world = World::new(14);
    settings(&world, "[journal]", "[rollout]\nsemantics = \"compat\"\n\n[journal]");
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    let before = works(&world, NAME).await;
    // In compat, a cluster is done when its works are; these are not rendered yet.
    let canaries = ["aws", "gcp"].into_iter().flat_map(|cloud| (1..=5).map(move |n| format!("{cloud}-{n:03}")));
    manager.control(|controls| controls.unrendered.extend(canaries));
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("ten canaries are under way", |s| s.report.addons[NAME].counts().progressing == 10).await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(works(&world, NAME).await, before, "the others wait");
    manager.control(|controls| controls.unrendered.clear());
    daemon.until_settled("0.4.1").await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let (written, count) = (manager.writes(), daemon.metric("tidegate_hub_writes_total"));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!((manager.writes(), daemon.metric("tidegate_hub_writes_total")), (written, count));
    daemon.end().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn two_instances_use_one_add_on_manager() {
    let world = World::new(14);
    let rename = |text: &str| {
        let text = text.replace("fleet-addons", "second-addons").replace("hello-template", "second-template");
        text.replace("managed-serviceaccount", "second-account")
    };
    let files = crate::example_tree::tree().files.into_iter();
    let files = files.filter(|(path, _)| path.starts_with("fleet/") || path == "tidegate.toml");
    let files = files.map(|(path, bytes)| (path, Some(rename(std::str::from_utf8(&bytes).unwrap()).into_bytes())));
    let other = world.beside(files.collect());
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut first = daemon(&world, DeliveryMode::Auto).await;
    let config = config(&other, "second.git", DeliveryMode::Auto);
    let mut second = other.daemon_with(other.client(), config).await;
    first.until_settled("0.4.0").await;
    let is_done = |s: &tidegate_daemon::reconciler::Snapshot| {
        s.writes == 0 && s.report.addons.get("second-template").is_some_and(|addon| addon.counts().succeeded == 14)
    };
    second.until("the second one is settled", is_done).await;
    let before = (works(&world, "second-template").await, works(&world, "second-account").await);
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    first.until_settled("0.4.1").await;
    assert_eq!((works(&world, "second-template").await, works(&world, "second-account").await), before);
    second.end().await;
    first.end().await;
    running.stop().await;
}
