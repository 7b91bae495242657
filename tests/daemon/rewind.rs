//! A hub that is restored from a backup while a daemon runs: what the backup lacks is rolled out again, in order, and journaled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::ClusterState;

use super::world::{Running, World};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";

/// A hub that can be made unreachable.
struct Gate(Arc<AtomicBool>);

impl Gate {
    fn before(world: &World) -> (Self, kube::Client) {
        let is_away = Arc::new(AtomicBool::new(false));
        let gate = Self(is_away.clone());
        let layer = move |request: Request, next: Next| {
            let is_away = is_away.load(Ordering::SeqCst);
            async move { if is_away { StatusCode::SERVICE_UNAVAILABLE.into_response() } else { next.run(request).await } }
        };
        let router = world.sandbox.router().layer(middleware::from_fn(layer));
        (gate, kube::Client::new(router, "default"))
    }

    fn set_away(&self, is_away: bool) {
        self.0.store(is_away, Ordering::SeqCst);
    }
}

/// Writes to the hub until its counter has passed a resourceVersion.
async fn pass(world: &World, version: u64) {
    for n in 0.. {
        world.label("aws-001", "note", &n.to_string()).await;
        if counter(world).await > version {
            return;
        }
    }
}

/// Returns the resourceVersion of the cluster that was just written.
async fn counter(world: &World) -> u64 {
    let cluster =
        world.object("cluster.open-cluster-management.io/v1", "managedclusters", "", "aws-001").await.unwrap();
    cluster["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap()
}

async fn upgraded(world: &World, daemon: &mut Running) {
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 2).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_that_a_restore_has_undone_is_rolled_out_again_in_order_and_journaled() {
    let world = World::settled(40).await;
    let (gate, client) = Gate::before(&world);
    let mut daemon = world.daemon_on("mirror.git", client).await;
    daemon.until_settled("0.4.0").await;
    let backup = world.sandbox.backup();
    upgraded(&world, &mut daemon).await;
    gate.set_away(true);
    world.label("aws-001", "note", "last").await;
    let before = counter(&world).await;
    world.sandbox.restore(&backup);
    pass(&world, before).await;
    world.break_works_with("v0.4.1");
    gate.set_away(false);
    let is_at_canaries = |s: &Snapshot| {
        let addon = &s.report.addons["hello-template"];
        let count = |state| addon.clusters.values().filter(|cluster| cluster.state == state).count();
        count(ClusterState::Progressing) == 10 && count(ClusterState::Waiting) == 30
    };
    daemon.until("the canaries alone to have started again", is_at_canaries).await;
    world.heal_works();
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 3).await;
    assert_eq!(daemon.metric("tidegate_hub_rewinds_total"), 1.0);
    daemon.end().await;
    let subjects = world.git(&["log", "--format=%s", JOURNAL]);
    assert!(subjects.contains("hello-template: 0.4.1 again completed, 40/40 clusters"), "{subjects}");
    let history = world.git(&["log", "-p", "--format=%s", JOURNAL, "--", "sync.yaml"]);
    assert!(history.contains("the hub went back in time: it was at resourceVersion"), "{history}");
    let sync = world.git(&["show", &format!("{JOURNAL}:sync.yaml")]);
    assert!(sync.contains("wentBack:") && !sync.contains("the hub went back in time"), "{sync}");
}

#[tokio::test(start_paused = true)]
async fn a_restore_while_no_daemon_ran_is_noticed_at_the_start() {
    let world = World::settled_by("first.git", 20).await;
    let mut first = world.daemon("first.git").await;
    first.until_settled("0.4.0").await;
    let backup = world.sandbox.backup();
    upgraded(&world, &mut first).await;
    first.end().await;
    world.sandbox.restore(&backup);
    let mut second = world.daemon("second.git").await;
    second.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 3).await;
    assert_eq!(second.metric("tidegate_hub_rewinds_total"), 1.0);
    second.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_rollout_continues_after_a_restore_to_the_middle_of_it() {
    let world = World::settled(40).await;
    let (gate, client) = Gate::before(&world);
    let mut daemon = world.daemon_on("mirror.git", client).await;
    daemon.until_settled("0.4.0").await;
    world.break_works_with("v0.4.1");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let started = |s: &Snapshot| s.report.addons["hello-template"].counts().progressing == 10 && s.writes == 0;
    daemon.until("the canaries to have started", started).await;
    let backup = world.sandbox.backup();
    world.heal_works();
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 2).await;
    gate.set_away(true);
    world.label("aws-001", "note", "last").await;
    let before = counter(&world).await;
    world.sandbox.restore(&backup);
    pass(&world, before).await;
    // The clusters report their actual state, no matter what the backup contains.
    world.heal_works();
    gate.set_away(false);
    daemon.until("the clusters that are missing", |s| s.report.addons["hello-template"].counts().succeeded < 40).await;
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 3).await;
    daemon.end().await;
}
