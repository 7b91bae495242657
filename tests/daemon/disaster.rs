//! A hub that is lost for good, and replaced by a new one: only the repository and the journal are left.

use std::time::Duration;

use tidegate_daemon::reconciler::Snapshot;
use tidegate_sandbox::fleet::{self, FleetSpec};

use super::world::{World, empty_hub};
use crate::scratch::tempdir;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// Returns a world with the same repository, and a new hub with the same clusters, on which there is nothing else.
fn rebuilt(mut lost: World, clusters: usize) -> World {
    let directory = std::mem::replace(&mut lost.directory, tempdir());
    let hub = empty_hub();
    hub.seed(fleet::cluster_sets()).unwrap();
    hub.seed(fleet::clusters(&FleetSpec { clusters, ..FleetSpec::default() })).unwrap();
    World::around(directory, hub)
}

/// Returns a world in which the canaries have an upgrade, and the other clusters are under way. No daemon runs.
async fn interrupted() -> World {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    world.slow_agents(Duration::from_secs(3));
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_half_done = |snapshot: &Snapshot| {
        let Some(addon) = snapshot.report.addons.get("hello-template") else { return false };
        addon.counts().succeeded == 10 && addon.counts().progressing == 10 && addon.version == "0.4.1"
    };
    daemon.until("the canaries to be done", is_half_done).await;
    daemon.end().await;
    world
}

fn instance(world: &World) -> String {
    let sync = world.read("tidegate/journal", "sync.yaml");
    sync.lines().find(|line| line.contains("  id: ")).unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_new_hub_gets_what_the_repository_declares_in_the_order_of_the_rollout() {
    let lost = interrupted().await;
    let before = instance(&lost);
    let world = rebuilt(lost, 20);
    // The version turns out to be bad while the hub is rebuilt.
    world.break_works_with("v0.4.1");
    let mut daemon = world.daemon("new.git").await;
    let is_at_canaries = |snapshot: &Snapshot| {
        let Some(addon) = snapshot.report.addons.get("hello-template") else { return false };
        addon.counts().progressing == 10 && addon.counts().waiting == 10
    };
    daemon.until("the canaries alone to have started", is_at_canaries).await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert!(is_at_canaries(&daemon.latest()), "evidence of the lost hub opens no gate");
    world.heal_works();
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    assert_eq!(instance(&world), before, "the objects of the new hub have the same owner");
    let subjects = world.git(&["log", "--format=%s", "tidegate/journal"]);
    assert!(subjects.contains("hello-template: 0.4.0 -> 0.4.1 completed, 20/20 clusters"), "{subjects}");
}

#[tokio::test(start_paused = true)]
async fn a_decision_to_stop_holds_on_a_new_hub() {
    let lost = interrupted().await;
    let control = "pause: {reason: the hub is being rebuilt}\n";
    lost.commit("pause", [("control/hello-template.yaml".to_owned(), Some(control.as_bytes().to_vec()))].into());
    let world = rebuilt(lost, 20);
    let mut daemon = world.daemon("new.git").await;
    daemon.until("a tick", |snapshot| snapshot.tick > 1 && snapshot.writes == 0).await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    let counts = daemon.latest().report.addons["hello-template"].counts();
    assert_eq!((counts.progressing, counts.succeeded, counts.waiting), (0, 0, 20));
    world.commit("resume", [("control/hello-template.yaml".to_owned(), None)].into());
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}
