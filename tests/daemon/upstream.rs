//! Delivery by OCM's add-on manager, with a stand-in of it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::Config;
use tidegate_delivery::upstream::DeliveryMode;

use super::world::{Running, World, addon_path, eventually, now, requests, work_path};
use crate::upstream::{AddonManager, Controller, FIELD_MANAGER};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const TEMPLATE: &str = "fleet/addons/hello-template/template-0.4.0.yaml";
const V1BETA1: &str = "addon.open-cluster-management.io/v1beta1";

pub(super) async fn daemon(world: &World, mode: DeliveryMode) -> Running {
    world.daemon_with(world.client(), config(world, "mirror.git", mode)).await
}

/// Returns the configuration of a daemon that writes its journal less often: rollouts by the add-on manager take longer.
pub(super) fn config(world: &World, mirror: &str, delivery: DeliveryMode) -> Config {
    Config { delivery, journal_interval: Duration::from_secs(1), ..world.config(mirror) }
}

/// The uid and the content of the work of an add-on on every cluster.
pub(super) async fn works(world: &World, addon: &str) -> BTreeMap<String, (Value, Value)> {
    let all = world.list("work.open-cluster-management.io/v1", "manifestworks").await;
    let name = format!("addon-{addon}-deploy-0");
    let own = all.into_iter().filter(|work| work["metadata"]["name"] == name.as_str());
    own.map(|work| {
        let cluster = work["metadata"]["namespace"].as_str().unwrap().to_owned();
        (cluster, (work["metadata"]["uid"].clone(), work["spec"]["workload"].clone()))
    })
    .collect()
}

/// The field managers that have written to an object.
fn writers(object: &Value) -> Vec<&str> {
    let entries = object["metadata"]["managedFields"].as_array().unwrap();
    entries.iter().filter_map(|entry| entry["manager"].as_str()).collect()
}

async fn hello(world: &World) -> Value {
    world.object(V1BETA1, "clustermanagementaddons", "", "hello-template").await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_rolls_out_through_the_add_on_manager_and_nobody_writes_at_rest() {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    let before = works(&world, "hello-template").await;
    assert_eq!(before.len(), 14);
    let work = world.work("aws-001", "hello-template").await.unwrap();
    assert!(!writers(&work).contains(&"tidegate"), "{:?}", writers(&work));
    let addon = world.addon("aws-001", "hello-template").await;
    let is_status = |entry: &&Value| entry["manager"] == "tidegate" && entry["subresource"] == "status";
    assert!(!addon["metadata"]["managedFields"].as_array().unwrap().iter().any(|entry| is_status(&entry)));
    assert_eq!(hello(&world).await["spec"]["installStrategy"], json!({ "type": "Manual" }));

    // The canaries of the next version never become ready: no other cluster gets anything.
    world.break_works_with("addon-examples:v0.4.1");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("ten canaries are under way", |s| s.report.addons["hello-template"].counts().progressing == 10).await;
    eventually("the canaries have the next version", async || {
        let works = works(&world, "hello-template").await;
        works.iter().filter(|(cluster, work)| before.get(*cluster) != Some(work)).count() == 10
    })
    .await;
    // An edit in place of what the others run does not reach them either.
    world.edit(TEMPLATE, "addon-examples:v0.4.0", "addon-examples:v0.4.0-edited");
    tokio::time::sleep(Duration::from_secs(5)).await;
    let during = works(&world, "hello-template").await;
    let changed = during.iter().filter(|(cluster, work)| before.get(*cluster) != Some(work)).count();
    assert_eq!(changed, 10, "only the canaries have changed");

    world.heal_works();
    daemon.until_settled("0.4.1").await;
    // A hub at rest: only the lease is renewed.
    let copies = async || {
        let templates = world.list("addon.open-cluster-management.io/v1alpha1", "addontemplates").await;
        let templates = if templates.is_empty() { world.list(V1BETA1, "addontemplates").await } else { templates };
        let copies = templates.iter().filter(|t| t["metadata"]["annotations"]["tidegate.io/copy-of"].is_string());
        copies.map(|t| t["metadata"]["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    eventually("copies that no cluster has are gone", async || {
        !copies().await.iter().any(|name| name.starts_with("hello-template-0.4.0"))
    })
    .await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (written, version) = (manager.writes(), daemon.metric("tidegate_hub_writes_total"));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!((manager.writes(), daemon.metric("tidegate_hub_writes_total")), (written, version));
    daemon.end().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_status_that_stays_wrong_for_a_long_time_starts_no_other_cluster() {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    let before = works(&world, "hello-template").await;
    // The status says `Completed` about the previous template for ten seconds, then about the next one without a hash.
    for slow in [Controller::Configuration, Controller::ClusterHashes, Controller::Progressing] {
        manager.control(|controls| _ = controls.delays.of.insert(slow, Duration::from_secs(10)));
    }
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("ten canaries are under way", |s| s.report.addons["hello-template"].counts().progressing == 10).await;
    for _ in 0..18 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let works = works(&world, "hello-template").await;
        let changed = works.iter().filter(|(cluster, work)| before.get(*cluster) != Some(work)).count();
        assert!(changed <= 10, "{changed} clusters have changed before the canaries were done");
    }
    manager.control(|controls| controls.delays.of.clear());
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_hub_is_handed_over_in_both_directions_without_an_uninstallation() {
    let world = World::new(12);
    let mut native = daemon(&world, DeliveryMode::Auto).await;
    native.until_settled("0.4.0").await;
    let before = works(&world, "hello-template").await;
    assert!(writers(&world.work("aws-001", "hello-template").await.unwrap()).contains(&"tidegate"));

    // The manager starts beside the daemon, which notices.
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    eventually("the add-on manager has the add-ons", async || {
        hello(&world).await["metadata"]["annotations"]["addon.open-cluster-management.io/lifecycle"] == "addon-manager"
    })
    .await;
    native.until_settled("0.4.0").await;
    assert_eq!(works(&world, "hello-template").await, before);
    native.kill().await;

    // A new process continues, and an upgrade goes through the manager.
    let mut upstream = daemon(&world, DeliveryMode::Auto).await;
    upstream.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    upstream.until_settled("0.4.1").await;
    let upgraded = works(&world, "hello-template").await;
    assert!(upgraded.iter().all(|(cluster, (uid, _))| before[cluster].0 == *uid), "no work was created again");
    upstream.kill().await;
    running.crash().await;

    let mut native = daemon(&world, DeliveryMode::Native).await;
    native.until_settled("0.4.1").await;
    assert_eq!(works(&world, "hello-template").await, upgraded);
    let addon = world.addon("aws-001", "hello-template").await;
    assert_eq!(addon["metadata"]["annotations"].get("tidegate.io/assignment"), None);
    assert_eq!(addon["spec"].get("configs"), None);
    assert_eq!(addon["status"]["configReferences"][0]["desiredConfig"]["name"].as_str(), Some("hello-template"));
    native.end().await;
}

#[tokio::test(start_paused = true)]
async fn someone_elses_pin_is_reverted_and_a_deleted_work_comes_back() {
    let world = World::settled_upstream(12).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    let (path, before) = (addon_path("aws-001", "hello-template"), world.addon("aws-001", "hello-template").await);
    let other = json!([{ "group": "addon.open-cluster-management.io", "resource": "addontemplates", "name": "other" }]);
    requests::patch(&world.client(), &path, &json!({ "spec": { "configs": other } })).await;
    eventually("the pins are as they were", async || {
        world.addon("aws-001", "hello-template").await["spec"]["configs"] == before["spec"]["configs"]
    })
    .await;
    requests::delete(&world.client(), &work_path("aws-002", "hello-template")).await;
    eventually("the work is back", async || world.work("aws-002", "hello-template").await.is_some()).await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
    assert!(manager.counts().contains_key("ManifestWork"), "{FIELD_MANAGER} writes the works");
    running.stop().await;
}
