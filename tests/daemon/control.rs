//! Decisions by commit: they are followed at once, wherever the declarations are, and start nothing by themselves.

use std::time::Duration;

use tokio::time::Instant;

use super::world::World;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::revision::CommitId;
use tidegate_model::shared::Shared;
use tidegate_plan::report::Report;

const START: &str = "apiVersion: tidegate.io/v1alpha1\nkind: Control\n";

/// Commits a control file.
fn decide(world: &World, addon: &str, text: &str) -> CommitId {
    let file = (format!("control/{addon}.yaml"), Some(format!("{START}{text}").into_bytes()));
    world.commit("control: a decision", [file].into())
}

fn has_seen(snapshot: &Snapshot, commit: &CommitId) -> bool {
    snapshot.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == *commit)
}

/// Returns the digest and the rollout of each add-on.
fn rollouts(report: &Report) -> Vec<String> {
    let of = |(name, addon): (_, &Shared<tidegate_plan::report::AddonReport>)| {
        format!("{name} {:?} {}", addon.digest, addon.version)
    };
    report.addons.iter().map(of).collect()
}

#[tokio::test(start_paused = true)]
async fn a_decision_is_followed_within_two_seconds_of_a_look() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    let before = daemon.until_settled("0.4.0").await;
    for text in ["pause: {reason: alerts}\n", "quarantine: [{clusters: [aws-001], reason: disks}]\n"] {
        let start = Instant::now();
        let commit = decide(&world, "hello-template", text);
        daemon.look().send_replace(());
        let after = daemon.until("the decision is followed", |snapshot| has_seen(snapshot, &commit)).await;
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        assert_eq!(rollouts(&before.report), rollouts(&after.report), "a decision starts nothing");
    }
    daemon.end().await;
}

/// Returns the clusters that have version 0.4.1.
fn upgraded(snapshot: &Snapshot) -> usize {
    snapshot.report.addons["hello-template"].clusters.values().filter(|cluster| cluster.version == "0.4.1").count()
}

#[tokio::test(start_paused = true)]
async fn a_pause_stops_a_rollout_under_way_and_a_resume_continues_it() {
    let world = World::settled(60).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.break_works_with("v0.4.1");
    world.edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.look().send_replace(());
    daemon.until("the canaries are under way", |snapshot| upgraded(snapshot) == 10).await;
    let pause = decide(&world, "hello-template", "pause: {reason: alerts}\n");
    daemon.look().send_replace(());
    let paused = daemon.until("the pause is followed", |snapshot| has_seen(snapshot, &pause)).await;
    assert_eq!(upgraded(&paused), 10);
    world.heal_works();
    let is_at_rest = |snapshot: &Snapshot| snapshot.report.addons["hello-template"].counts().progressing == 0;
    daemon.until("the clusters under way finish", is_at_rest).await;
    tokio::time::advance(Duration::from_secs(3600)).await;
    let later = daemon.until("a tick", |snapshot| snapshot.tick > 0).await;
    assert_eq!((upgraded(&later), is_at_rest(&later)), (upgraded(&paused), true));

    world.commit("control: resume", [("control/hello-template.yaml".to_owned(), None)].into());
    daemon.look().send_replace(());
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_decision_is_relevant_for_an_overlay() {
    let world = World::new(4);
    let mut config = world.config("mirror.git");
    config.path = "overlays/aws".to_owned();
    let mut daemon = world.daemon_with(world.client(), config).await;
    daemon
        .until("the overlay is followed", |snapshot| snapshot.report.addons.contains_key("managed-serviceaccount"))
        .await;
    let ignored = world.commit("notes", [("notes.txt".to_owned(), Some(b"x".into()))].into());
    let commit = decide(&world, "managed-serviceaccount", "pause: {reason: alerts}\n");
    let seen = daemon.until("the decision is followed", |snapshot| has_seen(snapshot, &commit)).await;
    assert_eq!(seen.facts.revision.complaints, Vec::<String>::new());
    assert_ne!(ignored, commit);
    let approval = "apiVersion: tidegate.io/v1alpha1\nkind: Approval\n";
    let commit = world.commit("approve", [("approvals/a/1.yaml".to_owned(), Some(approval.into()))].into());
    daemon.until("the approval is followed", |snapshot| has_seen(snapshot, &commit)).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_control_file_that_cannot_be_read_holds_nothing() {
    let world = World::settled(4).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let commit = decide(&world, "hello-template", "paus: {reason: alerts}\n");
    let seen = daemon.until("the file is followed", |snapshot| has_seen(snapshot, &commit)).await;
    let revision = &seen.facts.revision;
    assert!(
        revision.complaints[0].starts_with("control/hello-template.yaml:3:1: paus is not known"),
        "{:?}",
        revision.complaints
    );
    assert!(revision.held.is_empty());
    assert_eq!(revision.applied.as_ref(), Some(&commit), "all declarations are in force");
    daemon.end().await;
}
