//! Absences that are longer than every deadline: of the daemon, and of the hub. Clusters do what they have to do in the meantime.

use std::time::Duration;

use tidegate_daemon::reconciler::{Config, Snapshot, daemon};
use tidegate_git::{Credentials, Remote};
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::AddonReport;

use super::world::{Running, World};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const DEADLINE: Duration = Duration::from_secs(20);
/// How long agents need.
const QUICK: Duration = Duration::from_secs(4);

/// A policy that takes a version back as soon as it fails.
const ROLLBACK: &[u8] = b"apiVersion: tidegate.io/v1alpha1
kind: RolloutPolicy
metadata: {name: safety}
spec:
  selector: {addOns: [hello-template]}
  onFailure: {action: Rollback}
";

/// Returns what a tick found about the add-on; nothing before the first tick.
fn hello(snapshot: &Snapshot) -> AddonReport {
    snapshot.report.addon("hello-template").cloned().unwrap_or_default()
}

fn number(addon: &AddonReport, state: ClusterState) -> usize {
    addon.clusters.values().filter(|cluster| cluster.state == state).count()
}

/// Returns a world of agents that need this time, with a policy if there is one, and a daemon under which the canaries of 0.4.1 have
/// started.
async fn canaries_underway(policy: Option<&[u8]>, delay: Duration) -> (World, Running) {
    let world = World::settled(30).await;
    let daemon = world.daemon("mirror.git").await;
    let daemon = underway(&world, daemon, policy, delay).await;
    (world, daemon)
}

/// Waits until the canaries of 0.4.1 have started.
async fn underway(world: &World, mut daemon: Running, policy: Option<&[u8]>, delay: Duration) -> Running {
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "progressDeadline: 10m", "progressDeadline: 20s");
    if let Some(policy) = policy {
        world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy.to_vec()))].into());
    }
    daemon.until_settled("0.4.0").await;
    world.slow_agents(delay);
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_underway = |s: &Snapshot| {
        let addon = hello(s);
        addon.version == "0.4.1" && number(&addon, ClusterState::Progressing) == 10
    };
    daemon.until("the canaries are under way", is_underway).await;
    daemon
}

/// Waits until all clusters have the new version, and asserts that none of them ever went back.
async fn completes(world: &World, mut daemon: Running) {
    let watched = daemon.until("the end", |s| {
        let addon = hello(s);
        addon.rejected.is_some()
            || addon.problem.is_some()
            || addon.counts().succeeded == 30 && addon.version == "0.4.1"
    });
    let ended = watched.await;
    let addon = hello(&ended);
    assert_eq!((&addon.rejected, &addon.problem), (&None, &None));
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    for cluster in world.clusters_with("hello-template").await {
        let work = world.work(&cluster, "hello-template").await.unwrap();
        assert_eq!(work["metadata"]["generation"], 2, "{cluster}: one installation and one upgrade");
    }
}

async fn a_daemon_that_was_away(policy: Option<&[u8]>) {
    let (world, daemon) = canaries_underway(policy, QUICK).await;
    daemon.kill().await;
    tokio::time::sleep(3 * DEADLINE).await;
    completes(&world, world.daemon("mirror.git").await).await;
}

#[tokio::test(start_paused = true)]
async fn fault_f1_a_daemon_that_was_away_does_not_take_a_good_version_back() {
    a_daemon_that_was_away(Some(ROLLBACK)).await;
}

#[tokio::test(start_paused = true)]
async fn fault_f1_a_daemon_that_was_away_does_not_stop_the_rollout_either() {
    a_daemon_that_was_away(None).await;
}

#[tokio::test(start_paused = true)]
async fn fault_f1_a_daemon_that_was_frozen_does_not_take_a_good_version_back() {
    let (world, daemon) = canaries_underway(Some(ROLLBACK), QUICK).await;
    // Nothing runs in between.
    tokio::time::advance(3 * DEADLINE).await;
    completes(&world, daemon).await;
}

#[tokio::test(start_paused = true)]
async fn fault_f1_a_hub_that_was_away_does_not_take_a_good_version_back() {
    let world = World::settled(30).await;
    let (client, gate) = world.gated();
    let daemon = world.daemon_on("mirror.git", client).await;
    let daemon = underway(&world, daemon, Some(ROLLBACK), QUICK).await;
    gate.close();
    tokio::time::sleep(3 * DEADLINE).await;
    gate.open();
    completes(&world, daemon).await;
}

/// A daemon sees neither the hub nor Git, as in a frozen process, while another one completes the rollout.
#[tokio::test(start_paused = true)]
async fn fault_f1_a_daemon_that_was_replaced_in_its_absence_starts_no_cluster_again() {
    let world = World::settled(30).await;
    let (client, gate) = world.gated();
    let link = world.path("link.git");
    std::os::unix::fs::symlink(world.repository(), &link).unwrap();
    let remote = Remote::new(&link.to_string_lossy(), Credentials::None).unwrap();
    let first = world.daemon_with(client, Config { remote, ..world.config("mirror.git") }).await;
    let first = underway(&world, first, Some(ROLLBACK), QUICK).await;
    world.until_journal("addons/hello-template/status.yaml", "0.4.1").await;
    gate.close();
    std::fs::remove_file(&link).unwrap();
    tokio::time::sleep(3 * DEADLINE).await;
    let mut second = world.daemon("elsewhere.git").await;
    second.until_settled("0.4.1").await;
    std::os::unix::fs::symlink(world.repository(), &link).unwrap();
    gate.open();
    // The first one started earlier, and keeps the journal.
    let error = second.ended().await.unwrap_err();
    assert!(matches!(error, daemon::Error::Rival(_)), "{error:?}");
    completes(&world, first).await;
}

#[tokio::test(start_paused = true)]
async fn fault_f1_agents_that_could_not_report_either_have_time_to_do_so() {
    let (world, daemon) = canaries_underway(Some(ROLLBACK), 3 * DEADLINE + Duration::from_secs(10)).await;
    daemon.kill().await;
    tokio::time::sleep(3 * DEADLINE).await;
    // The canaries report ten seconds after the daemon is back.
    world.slow_agents(QUICK);
    completes(&world, world.daemon("mirror.git").await).await;
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_fails_after_an_absence_still_fails() {
    let (world, daemon) = canaries_underway(Some(ROLLBACK), QUICK).await;
    world.break_works_with("v0.4.1");
    daemon.kill().await;
    tokio::time::sleep(3 * DEADLINE).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("the rejection", |s| hello(s).rejected.is_some()).await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}

/// A canary that broke in an absence: what the hub knows of its health was written before.
#[tokio::test(start_paused = true)]
async fn no_group_starts_before_the_reports_of_an_absence_are_read() {
    let world = World::settled(30).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let deadline = "            progressDeadline: 10m\n";
    world.edit(ADDON, deadline, &format!("{deadline}            minSuccessTime: 1m\n"));
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the canaries soak", |s| number(&hello(s), ClusterState::Soaking) == 10).await;
    daemon.kill().await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    world.report_ready("aws-001", "hello-template", 0).await;
    world.break_works_with("v0.4.1");
    tokio::time::sleep(Duration::from_secs(60)).await;
    let mut daemon = world.daemon("mirror.git").await;
    let unwell = |s: &Snapshot| hello(s).counts().progressing > 0 && s.writes == 0;
    daemon.until("the unwell canary", unwell).await;
    let works = world.list("work.open-cluster-management.io/v1", "manifestworks").await;
    let upgraded = works.iter().filter(|work| work["metadata"]["name"] == "addon-hello-template-deploy-0");
    assert_eq!(upgraded.filter(|work| work["metadata"]["generation"] == 2).count(), 10, "no group after the canaries");
    daemon.end().await;
}

/// The daemon dies in the middle of the rollback, and its record of the rejection is lost.
#[tokio::test(start_paused = true)]
async fn fault_f3_a_rollback_that_was_begun_is_finished_by_a_daemon_without_its_record() {
    let (world, mut daemon) = canaries_underway(Some(ROLLBACK), QUICK).await;
    world.break_works_with("v0.4.1");
    world.until_journal("addons/hello-template/status.yaml", "0.4.1").await;
    let (here, away) = (world.repository(), world.directory.path().join("away.git"));
    std::fs::rename(&here, &away).unwrap();
    let version =
        |s: &Snapshot, version: &str| hello(s).clusters.values().filter(|cluster| cluster.version == version).count();
    let is_in_the_middle = |s: &Snapshot| hello(s).rejected.is_some() && version(s, "0.4.1") < 10;
    daemon.until("the rollback has begun", is_in_the_middle).await;
    daemon.kill().await;
    std::fs::rename(&away, &here).unwrap();
    let mut daemon = world.daemon("elsewhere.git").await;
    let is_back = |s: &Snapshot| {
        hello(s).rejected.is_some() && version(s, "0.4.0") == 30 && hello(s).counts().succeeded == 30 && s.writes == 0
    };
    daemon.until("all clusters are back", is_back).await;
    daemon.end().await;
}

/// The forge is away, the pod moves, and its state directory is lost: only the hub knows that the version failed.
#[tokio::test(start_paused = true)]
async fn fault_f3_a_rejection_that_was_never_journaled_is_not_forgotten() {
    let (world, mut daemon) = canaries_underway(Some(ROLLBACK), QUICK).await;
    world.break_works_with("v0.4.1");
    world.until_journal("addons/hello-template/status.yaml", "0.4.1").await;
    let (here, away) = (world.repository(), world.directory.path().join("away.git"));
    std::fs::rename(&here, &away).unwrap();
    daemon.until("the rejection", |s| hello(s).rejected.is_some()).await;
    let is_back = |s: &Snapshot| hello(s).version == "0.4.0" && hello(s).counts().succeeded == 30;
    daemon.until("all clusters are back", is_back).await;
    daemon.kill().await;
    std::fs::rename(&away, &here).unwrap();
    let journal = world.read("tidegate/journal", "addons/hello-template/status.yaml");
    assert!(!journal.contains("rejected:"), "{journal}");
    let generations = async || -> Vec<i64> {
        let works = world.list("work.open-cluster-management.io/v1", "manifestworks").await;
        let own = works.iter().filter(|work| work["metadata"]["name"] == "addon-hello-template-deploy-0");
        own.map(|work| work["metadata"]["generation"].as_i64().unwrap()).collect()
    };
    let before = generations().await;
    let mut daemon = world.daemon("elsewhere.git").await;
    let is_rolled_back = |s: &Snapshot| hello(s).rejected.is_some() && is_back(s) && s.writes == 0;
    daemon.until("the rollback is known", is_rolled_back).await;
    assert_eq!(generations().await, before, "no cluster has got the rejected version again");
    // People order another attempt.
    world.heal_works();
    let digest = hello(&*daemon.until("a tick", |_| true).await).rejected.unwrap().digest;
    let retry = format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: Control\nretry: {{digest: {}, at: {}, reason: fixed}}\n",
        digest.as_str(),
        super::world::now()
    );
    tokio::time::sleep(Duration::from_secs(2)).await;
    world.commit("retry", [("control/hello-template.yaml".to_owned(), Some(retry.into_bytes()))].into());
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}
