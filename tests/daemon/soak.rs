//! A canary is watched during its soak time: what happens if it degrades.

use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::{ClusterState, Phase};

use super::world::{Running, World};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const CANARY: &str = "aws-001";

fn state(snapshot: &Snapshot, cluster: &str) -> Option<ClusterState> {
    snapshot.report.addons["hello-template"].clusters.get(cluster).map(|cluster| cluster.state)
}

/// Returns a fleet whose ten canaries soak for an hour.
async fn soaking(settings: &str) -> (World, Running) {
    let world = World::new(20);
    let settings = format!("[repository]\npath = \"fleet\"\n[rollout]\n{settings}\n").into_bytes();
    world.commit("settings", [("tidegate.toml".to_owned(), Some(settings))].into());
    world.edit(ADDON, "maxFailures: 2%", "minSuccessTime: 1h");
    let mut daemon = world.daemon("mirror.git").await;
    let all_soak = |s: &Snapshot| {
        let addon = s.report.addons.get("hello-template");
        let clusters = addon.into_iter().flat_map(|addon| addon.clusters.values());
        s.writes == 0 && clusters.filter(|cluster| cluster.state == ClusterState::Soaking).count() == 10
    };
    daemon.until("ten canaries that soak", all_soak).await;
    (world, daemon)
}

#[tokio::test(start_paused = true)]
async fn a_canary_that_is_not_well_soaks_again() {
    let (world, mut daemon) = soaking("soak_dip = 'restart'").await;
    let waits = |s: &Snapshot| {
        let waiting = &s.report.addons["hello-template"].clusters["gcp-010"];
        waiting.reason.starts_with("waits for the soak time, which ends at ") && waiting.look_at.is_some()
    };
    daemon.until("the others that wait for the soak time", waits).await;
    world.report_ready(CANARY, "hello-template", 0).await;
    let dipped =
        daemon.until("the dip", |s| state(s, CANARY) == Some(ClusterState::Progressing) && s.writes == 0).await;
    let report = &dipped.report.addons["hello-template"].clusters[CANARY];
    assert!(report.reason.ends_with(" is not ready in its current version"), "{}", report.reason);
    let deadline = report.look_at.expect("a degraded cluster has its deadline");
    world.report_ready(CANARY, "hello-template", 1).await;
    let again = daemon.until("a new soak", |s| state(s, CANARY) == Some(ClusterState::Soaking) && s.writes == 0).await;
    let until = again.report.addons["hello-template"].clusters[CANARY].look_at.unwrap();
    assert!(until > deadline, "the hour starts again");
    assert_eq!(again.report.addons["hello-template"].phase, Phase::Progressing);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_canary_that_is_not_well_fails_where_the_settings_say_so() {
    let (world, mut daemon) = soaking("soak_dip = 'fail'").await;
    world.report_ready(CANARY, "hello-template", 0).await;
    let failed = daemon.until("the failure", |s| state(s, CANARY) == Some(ClusterState::Failed) && s.writes == 0).await;
    // Recovery comes too late: a failed canary holds back all other clusters.
    world.report_ready(CANARY, "hello-template", 1).await;
    let stopped = daemon.until("the recovery that is seen", |s| s.tick > failed.tick + 1 && s.writes == 0).await;
    assert_eq!(state(&stopped, CANARY), Some(ClusterState::Failed));
    let addon = &stopped.report.addons["hello-template"];
    assert_eq!(addon.phase, Phase::Stopped);
    assert!(
        addon.clusters[CANARY].reason.starts_with("was not healthy during its soak time"),
        "{:?}",
        addon.clusters[CANARY]
    );
    assert_eq!(addon.clusters["gcp-010"].reason, "stopped by the failure budget");
    // The next version is another chance.
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the next version", |s| state(s, CANARY) == Some(ClusterState::Soaking)).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn upstreams_soak_is_a_timer() {
    let (world, mut daemon) = soaking("semantics = 'compat'").await;
    let before = daemon.until("rest", |s| s.writes == 0).await;
    world.report_ready(CANARY, "hello-template", 0).await;
    let after = daemon.until("the health that is recorded", |s| s.tick > before.tick + 1 && s.writes == 0).await;
    assert_eq!(state(&after, CANARY), Some(ClusterState::Soaking));
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_add_on_that_stops_working_after_its_rollout_is_degraded_and_the_rollout_stays_completed() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.report_ready(CANARY, "hello-template", 0).await;
    let cluster = |s: &Snapshot| s.report.addons["hello-template"].clusters[CANARY].clone();
    let bad = daemon.until("a degraded cluster", |s| cluster(s).degraded.is_some() && s.writes == 0).await;
    let addon = &bad.report.addons["hello-template"];
    assert_eq!((addon.phase, addon.counts().degraded, addon.counts().succeeded), (Phase::Completed, 1, 20));
    assert_eq!(cluster(&bad).state, ClusterState::Succeeded);
    let why = cluster(&bad).degraded.unwrap();
    assert!(why.starts_with("deployments ") && why.ends_with(" is not ready"), "{why}");
    let metric = |daemon: &Running, value: u8| {
        let line = format!("tidegate_clusters_degraded{{addon=\"hello-template\"}} {value}\n");
        daemon.registry.text().contains(&line)
    };
    assert!(metric(&daemon, 1), "{}", daemon.registry.text());
    world.until_journal("addons/hello-template/clusters.yaml", &format!("degraded: \"{why}\"")).await;
    world.until_journal("addons/hello-template/status.yaml", "degraded: 1").await;
    world.until_journal("README.md", "**1 degraded**").await;
    super::events::until(&world, "the Event", |event| {
        super::events::is(event, "ClustersDegraded", "ManagedClusterAddOn", "hello-template")
            && event["metadata"]["namespace"] == CANARY
    })
    .await;
    world.report_ready(CANARY, "hello-template", 1).await;
    daemon.until("a cluster that is well", |s| cluster(s).degraded.is_none() && s.writes == 0).await;
    assert!(metric(&daemon, 0), "{}", daemon.registry.text());
    super::events::until(&world, "the recovery", |event| {
        super::events::is(event, "ClustersRecovered", "ManagedClusterAddOn", "hello-template")
    })
    .await;
    daemon.end().await;
    let clusters = world.read("tidegate/journal", "addons/hello-template/clusters.yaml");
    assert!(!clusters.contains("degraded"), "{clusters}");
}
