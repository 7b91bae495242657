//! The clock of the daemon's machine is set in the middle of a rollout. The hub and the agents keep the time.

use std::sync::Arc;
use std::time::Duration;

use tidegate_consent::Operator;
use tidegate_daemon::reconciler::source::Floor;
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::SignedDuration;
use tidegate_plan::report::AddonReport;

use super::world::{Running, World};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const HOURS: i64 = 3 * 3600;

fn hello(snapshot: &Snapshot) -> AddonReport {
    snapshot.report.addon("hello-template").cloned().unwrap_or_default()
}

fn number(snapshot: &Snapshot, state: ClusterState) -> usize {
    hello(snapshot).clusters.values().filter(|cluster| cluster.state == state).count()
}

/// Returns a rollout whose ten canaries have soaked for two of ten minutes.
async fn soaking() -> (World, Running) {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let deadline = "            progressDeadline: 10m\n";
    world.edit(ADDON, deadline, &format!("{deadline}            minSuccessTime: 10m\n"));
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the canaries soak", |s| number(s, ClusterState::Soaking) == 10).await;
    tokio::time::sleep(Duration::from_secs(120)).await;
    (world, daemon)
}

/// Sets the clock, and asserts that the soak time ends ten minutes after it began.
async fn soaks_ten_minutes_in_all(world: &World, daemon: &mut Running, seconds: i64) {
    world.set_clock(seconds);
    for minute in 2..9 {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let seen = daemon.until("a tick", |_| true).await;
        assert_eq!(number(&seen, ClusterState::Soaking), 10, "after {} minutes", minute + 1);
    }
    tokio::time::sleep(Duration::from_secs(150)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert_eq!(number(&seen, ClusterState::Waiting), 0, "the others have started after eleven and a half minutes");
}

async fn told(daemon: &mut Running) {
    let is_told = |s: &Snapshot| s.facts.notices.iter().any(|notice| notice.contains("machine was set"));
    daemon.until("a notice", is_told).await;
    assert!(daemon.metric("tidegate_clock_steps_total") >= 1.0);
}

#[tokio::test(start_paused = true)]
async fn fault_f2_a_clock_that_is_set_forward_does_not_end_a_soak_time() {
    let (world, mut daemon) = soaking().await;
    soaks_ten_minutes_in_all(&world, &mut daemon, HOURS).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn fault_f2_a_clock_that_is_set_back_does_not_stall_the_rollout() {
    let (world, mut daemon) = soaking().await;
    soaks_ten_minutes_in_all(&world, &mut daemon, -HOURS).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn fault_f2_a_clock_that_is_set_and_set_back_is_told_and_leaves_no_findings() {
    let (world, mut daemon) = soaking().await;
    world.set_clock(HOURS);
    told(&mut daemon).await;
    world.edit(ADDON, "maxFailures: 2%", "maxFailures: 3%");
    world.until_journal("sync.yaml", "clock:").await;
    world.set_clock(0);
    tokio::time::sleep(Duration::from_secs(120)).await;
    daemon.until("the end of the rollout", |s| number(s, ClusterState::Succeeded) == 20).await;
    // The audit finds no commit that is older than its parent.
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn fault_f2_a_restart_on_a_machine_whose_clock_is_behind_does_not_stall_the_rollout() {
    let (world, daemon) = soaking().await;
    daemon.kill().await;
    world.set_clock(-HOURS);
    let mut daemon = world.daemon("mirror.git").await;
    told(&mut daemon).await;
    tokio::time::sleep(Duration::from_secs(12 * 60)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert_eq!(number(&seen, ClusterState::Waiting), 0, "the others have started");
    daemon.end().await;
}

/// Found by history 20261169: a step forward counted as a time in which the hub was not looked at, until long after the clock was right.
#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_back_and_forth_does_not_stretch_a_deadline() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "progressDeadline: 10m", "progressDeadline: 1m");
    daemon.until_settled("0.4.0").await;
    world.break_works_with("v0.4.1");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the canaries are under way", |s| number(s, ClusterState::Progressing) == 10).await;
    for seconds in [-HOURS, HOURS, 0] {
        world.set_clock(seconds);
        tokio::time::sleep(Duration::from_secs(30)).await;
    }
    tokio::time::sleep(Duration::from_secs(60)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert_eq!(number(&seen, ClusterState::TimedOut), 10);
    daemon.end().await;
}

/// No look and no entry of the journal shows that the clock was set: the answers of the hub do.
#[tokio::test(start_paused = true)]
async fn incident_d11_a_restart_on_a_machine_whose_clock_is_ahead_does_not_end_a_soak_time() {
    let (world, daemon) = soaking().await;
    daemon.kill().await;
    world.set_clock(HOURS);
    let mut daemon = world.daemon("mirror.git").await;
    told(&mut daemon).await;
    tokio::time::sleep(Duration::from_secs(6 * 60)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert_eq!(number(&seen, ClusterState::Soaking), 10, "they have soaked for eight minutes");
    tokio::time::sleep(Duration::from_secs(4 * 60)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert_eq!(number(&seen, ClusterState::Waiting), 0, "the others have started");
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn incident_d11_a_clock_that_differs_from_that_of_the_hub_is_told_until_it_is_right() {
    for (seconds, words) in [(HOURS, "or more ahead of that of the hub"), (-HOURS, "or more behind that of the hub")] {
        let world = World::settled(5).await;
        world.set_clock(seconds);
        let mut daemon = world.daemon("mirror.git").await;
        let is_told = |s: &Snapshot| s.facts.notices.iter().any(|notice| notice.contains(words));
        daemon.until("a notice", is_told).await;
        world.set_clock(0);
        world.edit(ADDON, "maxFailures: 2%", "maxFailures: 3%");
        daemon.until("no notice", |s| !is_told(s)).await;
        daemon.end().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_rollout_that_began_before_the_clock_was_set_back_names_the_clusters_that_start_after() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.set_clock(HOURS);
    let pause = "apiVersion: tidegate.io/v1alpha1\nkind: Control\npause: {reason: alerts}\n";
    let control = "control/hello-template.yaml".to_owned();
    world.commit("pause", [(control.clone(), Some(pause.as_bytes().to_vec()))].into());
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    world.until_journal("addons/hello-template/status.yaml", "number: 2").await;
    world.set_clock(0);
    tokio::time::sleep(Duration::from_secs(60)).await;
    world.commit("resume", [(control, None)].into());
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 2).await;
    daemon.end().await;
    let sealed = world.read("tidegate/journal", "addons/hello-template/rollouts/2.yaml");
    let sealed: tidegate_journal::record::SealedRollout = serde_saphyr::from_str(&sealed).unwrap();
    assert!(sealed.clusters.iter().all(|cluster| cluster.started.is_some()), "{sealed:#?}");
}

/// Returns a cluster that is to lose the add-on once the selection of clusters has not changed for five minutes.
async fn leaving(seconds: i64) -> (World, Running) {
    let world = World::settled(20).await;
    world.edit("tidegate.toml", "settle_seconds = 0", "settle_seconds = 300");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.set_clock(seconds);
    world.label("aws-001", "fleet", "other").await;
    daemon.until("the cluster leaves", |s| number(s, ClusterState::Leaving) == 1).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    (world, daemon)
}

/// Sets the clock, and asserts that the cluster keeps the add-on for five minutes in all.
async fn leaves_after_five_minutes_in_all(world: &World, mut daemon: Running, seconds: i64) {
    world.set_clock(seconds);
    tokio::time::sleep(Duration::from_secs(210)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert_eq!(number(&seen, ClusterState::Leaving), 1, "it has the add-on for five minutes");
    tokio::time::sleep(Duration::from_secs(60)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert_eq!(number(&seen, ClusterState::Leaving), 0, "it loses the add-on after five and a half minutes");
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_forward_does_not_shorten_the_time_before_a_removal() {
    let (world, daemon) = leaving(0).await;
    leaves_after_five_minutes_in_all(&world, daemon, HOURS).await;
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_back_does_not_stretch_the_time_before_a_removal() {
    let (world, daemon) = leaving(HOURS).await;
    leaves_after_five_minutes_in_all(&world, daemon, 0).await;
}

/// Asserts that rules that wait for an hour take effect after an hour, although the clock is set after ten minutes.
async fn rules_wait_for_an_hour(before: i64, after: i64) {
    let world = World::settled(11).await;
    let operator = Operator { delay: Some(SignedDuration::from_hours(1)), ..Operator::default() };
    let floor = Floor { operator: Arc::new(operator), ..Floor::default() };
    let config = Config { floor, ..world.config("mirror.git") };
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: production}\nspec:\n  \
                  selector: {addOns: [hello-template]}\n  approvals: [{name: prod, of: [bob@example.com]}]\n";
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy.as_bytes().to_vec()))].into());
    let mut daemon = world.daemon_with(world.client(), config).await;
    daemon.until_settled("0.4.0").await;
    world.set_clock(before);
    world.commit("no policy", [("fleet/policy.yaml".to_owned(), None)].into());
    let waits = |s: &Snapshot| s.report.rules.as_ref().is_some_and(|rules| rules.waiting.is_some());
    daemon.until("the rules wait", waits).await;
    tokio::time::sleep(Duration::from_secs(10 * 60)).await;
    world.set_clock(after);
    tokio::time::sleep(Duration::from_secs(48 * 60)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert!(waits(&seen), "they wait for an hour");
    tokio::time::sleep(Duration::from_secs(4 * 60)).await;
    let seen = daemon.until("a tick", |_| true).await;
    assert!(!waits(&seen), "they take effect after an hour");
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_forward_does_not_shorten_the_delay_of_rules() {
    rules_wait_for_an_hour(0, HOURS).await;
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_back_does_not_stretch_the_delay_of_rules() {
    rules_wait_for_an_hour(HOURS, 0).await;
}
