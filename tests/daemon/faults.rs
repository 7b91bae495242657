//! Bad input and faults: what happens when Git, the hub or the process itself fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;

use super::world::{World, addon_path, requests};
use crate::cli::session;
use crate::redacted::{redacted, timeless};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";

#[tokio::test(start_paused = true)]
async fn malformed_yaml_is_reported_and_changes_nothing_else() {
    let world = World::settled(40).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let writes = daemon.metric("tidegate_hub_writes_total");
    world.edit(ADDON, "spec:\n", "spec: [\n");
    let told = daemon.until("the complaint", |s| !s.facts.revision.complaints.is_empty()).await;
    assert!(
        told.facts.revision.complaints[0].starts_with("fleet/addons/hello-template/addon.yaml:"),
        "{:?}",
        told.facts.revision.complaints
    );
    assert_eq!(told.report.addons["hello-template"].counts().succeeded, 40);
    assert_eq!(daemon.metric("tidegate_hub_writes_total"), writes);
    // The other add-on continues.
    let (from, to) = ("managed-serviceaccount-0.4.0", "managed-serviceaccount-0.4.1");
    world.edit("fleet/addons/managed-serviceaccount/addon.yaml", from, to);
    let is_upgraded = |s: &Snapshot| {
        let addon = &s.report.addons["managed-serviceaccount"];
        addon.version == "0.4.1" && addon.counts().succeeded == 40
    };
    daemon.until("the other add-on", is_upgraded).await;
    daemon.end().await;
    let sync = world.git(&["show", &format!("{JOURNAL}:sync.yaml")]);
    assert!(sync.contains("fleet/addons/hello-template/addon.yaml:"), "{sync}");
}

#[tokio::test(start_paused = true)]
async fn a_refused_object_is_reported_with_its_place_and_fixed_by_a_commit() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let good = world.git(&["rev-parse", "main"]).trim().to_owned();
    let object = "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: AddOnDeploymentConfig\nmetadata: {name: banner, namespace: nowhere}\nspec: {}\n";
    world.commit("a banner", [("fleet/banner.yaml".to_owned(), Some(object.as_bytes().to_vec()))].into());
    let told = daemon.until("the refusal", |s| !s.facts.failures.is_empty()).await;
    let line = &told.facts.failures[0];
    assert!(line.starts_with("fleet/banner.yaml:1:1: ") && line.contains("nowhere"), "{line}");
    // The journal skips states that were replaced before it was written.
    world.until_journal("sync.yaml", "fleet/banner.yaml:1:1").await;
    // The add-ons continue.
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_upgraded = |s: &Snapshot| s.report.addons["hello-template"].version == "0.4.1" && s.writes == 1;
    let upgraded = daemon.until("the upgrade beside it", is_upgraded).await;
    assert_eq!(upgraded.facts.failures.len(), 1);
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: nowhere}\n";
    let last = world.commit("a place", [("fleet/nowhere.yaml".to_owned(), Some(namespace.as_bytes().to_vec()))].into());
    let is_mended =
        |s: &Snapshot| s.facts.failures.is_empty() && s.writes == 0 && s.facts.revision.applied.as_ref() == Some(&last);
    daemon.until("nothing left to write", is_mended).await;
    daemon.end().await;
    let history = world.git(&["log", "--format=%s", JOURNAL]);
    assert!(history.contains("1 object refused by the hub"), "{history}");
    let applied = |commit: &str| world.git(&["show", &format!("{commit}:sync.yaml")]);
    let refusing = world.git(&["log", "-1", "--format=%H", "--grep", "refused by the hub", JOURNAL]);
    assert!(applied(refusing.trim()).contains(&format!("applied: {good}")), "{}", applied(refusing.trim()));
    assert!(applied(JOURNAL).contains(&format!("applied: {last}")), "{}", applied(JOURNAL));
}

#[tokio::test(start_paused = true)]
async fn a_killed_daemon_is_taken_over_without_a_second_upgrade() {
    let world = World::new(60);
    let mut first = world.daemon("first.git").await;
    first.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_midway = |s: &Snapshot| {
        let addon = &s.report.addons["hello-template"];
        addon.version == "0.4.1" && (1..60).contains(&addon.counts().succeeded)
    };
    first.until("the middle of the upgrade", is_midway).await;
    first.kill().await;
    // Another machine, without the directory of the first one.
    let mut second = world.daemon("second.git").await;
    second.until_settled("0.4.1").await;
    second.end().await;
    for n in 1..=30 {
        let cluster = format!("aws-{n:03}");
        let work = world.work(&cluster, "hello-template").await.unwrap();
        assert_eq!(work["metadata"]["generation"], 2, "{cluster}: one installation and one upgrade");
    }
    let sealed = world.git(&["show", &format!("{JOURNAL}:addons/hello-template/rollouts/2.yaml")]);
    assert!(sealed.contains("Completed"), "{sealed}");
}

#[tokio::test(start_paused = true)]
async fn a_bad_revision_is_still_held_off_after_a_restart() {
    let world = World::settled_by("first.git", 20).await;
    let mut first = world.daemon("first.git").await;
    first.until_settled("0.4.0").await;
    world.edit(ADDON, "name: fleet\n", "name: flete\n");
    first.until("the complaint", |s| !s.facts.revision.complaints.is_empty()).await;
    first.end().await;
    let journaled = crate::cli::tidegate(&["status", "--source", world.repository().to_str().unwrap()]).stdout;
    let held = format!("  stays on revision {}", &world.git(&["rev-parse", "main~1"])[..12]);
    let shown = String::from_utf8(journaled).unwrap();
    assert!(shown.contains(&held), "{held}\n{shown}");
    let mut second = world.daemon("second.git").await;
    let seen = second.until("a tick", |s| s.tick > 0).await;
    let addon = &seen.report.addons["hello-template"];
    assert!(addon.problem.as_ref().is_some_and(|problem| problem.contains("older revision")), "{:?}", addon.problem);
    assert_eq!(addon.counts().succeeded, 20);
    assert_eq!(seen.writes, 0);
    second.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_rollout_continues_while_git_is_unreachable_and_is_journaled_afterwards() {
    let world = World::settled(40).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the upgrade", |s| s.report.addons["hello-template"].version == "0.4.1").await;
    let (here, away) = (world.repository(), world.directory.path().join("away.git"));
    std::fs::rename(&here, &away).unwrap();
    daemon.until_settled("0.4.1").await;
    std::fs::rename(&away, &here).unwrap();
    daemon.end().await;
    let subjects = world.git(&["log", "--format=%s", JOURNAL]);
    assert!(subjects.contains("hello-template: 0.4.0 -> 0.4.1 completed, 40/40 clusters"), "{subjects}");
}

#[tokio::test(start_paused = true)]
async fn a_journal_to_which_someone_else_pushed_keeps_both() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("a tick", |s| s.tick > 0).await;
    let note = tidegate_git::NewCommit {
        branch: JOURNAL.to_owned(),
        parent: Some(world.git(&["rev-parse", JOURNAL]).trim().parse().unwrap()),
        files: [("NOTE.md".to_owned(), Some(b"by hand\n".to_vec()))].into(),
        message: "a note by hand".to_owned(),
        author: "Ada".to_owned(),
        email: "ada@example.com".to_owned(),
        at: super::world::now(),
    };
    tidegate_git::seed(world.repository(), &note).unwrap();
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    let subjects = world.git(&["log", "--format=%s", JOURNAL]);
    assert!(subjects.contains("a note by hand") && subjects.contains("0.4.1 completed"), "{subjects}");
    assert_eq!(world.git(&["show", &format!("{JOURNAL}:NOTE.md")]), "by hand\n");
}

#[tokio::test(start_paused = true)]
async fn a_rollout_continues_once_the_hub_answers_again() {
    let world = World::settled(20).await;
    let (hub, gate) = world.gated();
    let mut daemon = world.daemon_on("mirror.git", hub).await;
    daemon.until_settled("0.4.0").await;
    gate.refuse();
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("a write that fails", |s| !s.failures.is_empty()).await;
    gate.open();
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn canaries_that_do_not_come_up_hold_everybody_else_back() {
    let world = World::settled(40).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.break_works_with("v0.4.1");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_held = |s: &Snapshot| {
        let addon = &s.report.addons["hello-template"];
        let unwell = |c: &&ClusterReport| c.reason.ends_with(" is not ready in its current version");
        addon.version == "0.4.1" && addon.clusters.values().filter(unwell).count() == 10 && s.writes == 0
    };
    let held = daemon.until("the canaries", is_held).await;
    let counts = held.report.addons["hello-template"].counts();
    assert_eq!((counts.progressing, counts.waiting), (10, 30));
    daemon.end().await;

    let explain = |rest: &[&str]| {
        let source = world.repository();
        let arguments = [&["explain", "--source", source.to_str().unwrap(), "hello-template"], rest].concat();
        timeless(&session(&[arguments]))
    };
    insta::assert_snapshot!("held_rollout", explain(&[]));
    insta::assert_snapshot!("waiting_cluster", explain(&["aws-020"]));
    insta::assert_snapshot!("waiting_and_started_cluster", explain(&["--why-different", "aws-001", "aws-020"]));
    insta::assert_snapshot!("unknown_cluster", explain(&["unknown"]));
    let source = world.repository();
    let arguments = ["explain", "--source", source.to_str().unwrap(), "hello-template", "aws-001", "-o", "json"];
    let document: serde_json::Value = serde_json::from_slice(&crate::cli::tidegate(&arguments).stdout).unwrap();
    assert_eq!(document["report"]["state"], "Progressing");
}

#[tokio::test(start_paused = true)]
async fn an_unreachable_remote_shows_in_the_metrics_and_unpushed_entries_at_the_end() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    daemon.until_metric("tidegate_away_since_timestamp_seconds", 0.0).await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the upgrade", |s| s.report.addons["hello-template"].version == "0.4.1").await;
    let (here, away) = (world.repository(), world.directory.path().join("away.git"));
    std::fs::rename(&here, &away).unwrap();
    daemon.until_settled("0.4.1").await;
    daemon.until_metric("tidegate_journal_behind", 1.0).await;
    assert!(daemon.metric("tidegate_away_since_timestamp_seconds") > 1_700_000_000.0);
    let why = daemon.stopped().await.unwrap_err().to_string();
    let (_number, rest) = why.split_once(" of the journal").unwrap();
    insta::assert_snapshot!("unpushed_entries", redacted(rest));
    std::fs::rename(&away, &here).unwrap();
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.1").await;
    daemon.until_metric("tidegate_away_since_timestamp_seconds", 0.0).await;
    daemon.end().await;
    let subjects = world.git(&["log", "--format=%s", JOURNAL]);
    assert!(subjects.contains("0.4.0 -> 0.4.1 completed"), "{subjects}");
}

#[tokio::test(start_paused = true)]
async fn the_first_hundred_complaints_are_journaled_and_the_others_counted() {
    let world = World::settled(10).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let faulty = (0..150).map(|n| (format!("fleet/faulty-{n:03}.yaml"), Some(b"spec: [\n".to_vec())));
    world.commit("many mistakes", faulty.collect());
    let told = daemon.until("the complaints", |s| !s.facts.revision.complaints.is_empty()).await;
    assert_eq!((told.facts.revision.complaints.len(), told.facts.revision.unlisted_complaints), (100, 50));
    daemon.end().await;
    let sync = world.git(&["show", &format!("{JOURNAL}:sync.yaml")]);
    assert!(sync.contains("unlistedComplaints: 50"), "{sync}");
    let page = world.git(&["show", &format!("{JOURNAL}:README.md")]);
    assert!(page.contains("- and 50 more complaints"), "{page}");
    let history = world.git(&["log", "--format=%s", JOURNAL]);
    assert!(history.contains("has 150 complaints"), "{history}");
}

#[tokio::test(start_paused = true)]
async fn a_cluster_is_not_started_while_its_selection_cannot_be_recorded() {
    const CLUSTER: &str = "aws-007";
    let world = World::settled(20).await;
    let is_refused = Arc::new(AtomicBool::new(false));
    let refusing = is_refused.clone();
    let gate = move |request: Request, next: Next| {
        let is_page = request.method() != Method::GET && request.uri().path().contains("/placementdecisions");
        let is_refused = is_page && refusing.load(Ordering::SeqCst);
        async move { if is_refused { StatusCode::FORBIDDEN.into_response() } else { next.run(request).await } }
    };
    let hub = kube::Client::new(world.sandbox.router().layer(middleware::from_fn(gate)), "default");
    let mut daemon = world.daemon_on("mirror.git", hub).await;
    daemon.until_settled("0.4.0").await;
    let of = |s: &Snapshot| s.report.addons["hello-template"].clusters.get(CLUSTER).map(|cluster| cluster.state);
    world.label(CLUSTER, "fleet", "other").await;
    daemon.until("the removal", |s| of(s).is_none()).await;
    is_refused.store(true, Ordering::SeqCst);
    world.label(CLUSTER, "fleet", "demo").await;
    let held = daemon
        .until("the second attempt", |s| s.facts.failures.iter().any(|line| line.contains("nothing of it is started")))
        .await;
    assert_eq!(of(&held), Some(ClusterState::Waiting));
    insta::assert_snapshot!("undecided", held.facts.failures.join("\n"));
    assert_eq!(requests::get(&world.client(), &addon_path(CLUSTER, "hello-template")).await, None);
    is_refused.store(false, Ordering::SeqCst);
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}
