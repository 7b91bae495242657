//! Health from before the upgrade: a work agent says that a work is applied, and reports the health of its objects later.

use std::time::Duration;

use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::progress::Phase;

use super::upstream::{daemon, works};
use super::world::{World, now};
use crate::upstream::AddonManager;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
/// The default of OCM's work agent.
const STATUS_INTERVAL: Duration = Duration::from_secs(10);

async fn broken_canaries_hold_everybody_back(mode: DeliveryMode, soak: &str) {
    let is_native = mode == DeliveryMode::Native;
    let world = if is_native { World::settled(14).await } else { World::settled_upstream(14).await };
    let manager = AddonManager::new(now);
    let running = (!is_native).then(|| manager.start(world.client()));
    let mut daemon = daemon(&world, mode).await;
    daemon.until_settled("0.4.0").await;
    let deadline = "            progressDeadline: 10m\n";
    world.edit(ADDON, deadline, &format!("{deadline}            minSuccessTime: {soak}\n"));
    daemon.until("the soak time", |s| s.report.addons["hello-template"].phase == Phase::Completed).await;
    let before = works(&world, "hello-template").await;
    world.break_works_of_slow_agents("addon-examples:v0.4.1", STATUS_INTERVAL);
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("ten canaries are under way", |s| s.report.addons["hello-template"].counts().progressing == 10).await;
    for _ in 0..90 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let works = works(&world, "hello-template").await;
        let changed = works.iter().filter(|(cluster, work)| before.get(*cluster) != Some(work)).count();
        assert!(changed <= 10, "{changed} clusters have changed, and no canary was ever healthy");
    }
    daemon.end().await;
    if let Some(running) = running {
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn real_hub_h1_health_from_before_the_upgrade_is_no_proof() {
    broken_canaries_hold_everybody_back(DeliveryMode::Upstream, "0s").await;
}

#[tokio::test(start_paused = true)]
async fn real_hub_h1_a_soak_shorter_than_the_status_interval_is_no_proof() {
    broken_canaries_hold_everybody_back(DeliveryMode::Upstream, "5s").await;
}

#[tokio::test(start_paused = true)]
async fn real_hub_h1_native_delivery_awaits_newer_health_too() {
    broken_canaries_hold_everybody_back(DeliveryMode::Native, "0s").await;
}

#[tokio::test(start_paused = true)]
async fn healthy_clusters_of_slow_agents_are_done_after_they_have_reported() {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Upstream).await;
    daemon.until_settled("0.4.0").await;
    world.break_works_of_slow_agents("no such image", STATUS_INTERVAL);
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    running.stop().await;
}
