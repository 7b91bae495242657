//! What holds at the end of every history, once all that failed works again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::Snapshot;
use tidegate_journal::record::{Decision, Outcome, Rollout, SealedCluster, SealedRollout};

use super::super::events::events;
use super::super::world::{World, addon_path, requests, work_path};
use super::plan::plans;
use super::play::{NAME, Stage};
use super::step::{BAD, LAST, Rule};

/// The clusters of the mandatory group: the first five of each cloud.
const CANARIES: u32 = 5;

/// Repairs everything, rolls out the last version, and asserts what every history promises.
pub(super) async fn check(mut stage: Stage) {
    stage.remote(true);
    stage.hub(true);
    stage.forge(true);
    stage.team(true);
    stage.flapping.clear();
    stage.agents(Duration::ZERO);
    stage.world.set_clock(0);
    stage.start(false).await;
    tokio::time::sleep(Duration::from_secs(20 * 60)).await;
    stage.trace("repaired");
    stage.world.commit("no decisions", [(format!("control/{NAME}.yaml"), None)].into());
    stage.rule(Rule::Freeze, false);
    if stage.is_held() {
        stage.cloud("aws", true).await;
        stage.cloud("gcp", true).await;
    }
    // The approval of the rules lets the digest wait for one.
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_secs(60)).await;
        stage.approve(false);
        stage.merge();
        stage.trace("approved");
    }
    if let Some(version) = stage.was_frozen.then(|| completed(&stage.world)).flatten() {
        // A freeze that was lifted still holds what was pushed during it, and all that is pushed until the clusters are done with a version.
        stage.push(&version);
        tokio::time::sleep(Duration::from_secs(5 * 60)).await;
        stage.trace("the last completed version");
        stage.approve(false);
        stage.merge();
    }
    stage.daemon.as_mut().unwrap().until("a quiet end", is_quiet).await;
    tokio::time::sleep(Duration::from_secs(15 * 60)).await;
    let planned = plans(&stage, LAST).await;
    let before = stage.observer.versions();
    stage.push(LAST);
    let is_last = |s: &Snapshot| s.report.addons.get(NAME).is_some_and(|addon| addon.version == LAST);
    stage.daemon.as_mut().unwrap().until("the last version", is_last).await;
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_secs(30)).await;
        stage.approve(false);
        stage.merge();
    }
    let mut daemon = stage.daemon.take().unwrap();
    let seen = daemon.until_settled(LAST).await;
    let members: BTreeSet<String> = seen.report.addons[NAME].clusters.keys().map(ToString::to_string).collect();
    let rollouts = || rollouts(&stage.world);
    super::super::world::eventually("the last rollout is sealed", async || {
        rollouts().last().is_some_and(|last| last.rollout.to == LAST && last.rollout.outcome == Outcome::Completed)
    })
    .await;
    let rollouts = rollouts();
    an_edit_is_repaired_and_reported(&stage, members.first().unwrap()).await;
    let mut edited = stage.edited.clone();
    edited.extend(members.first().cloned());
    let events = events(&stage.world).await;
    daemon.end().await;

    super::page::check(&stage.world.repository());
    every_decision_is_in_the_history(&stage);
    assert!(stage.world.replayed() > 0, "all plans can be made again");
    let observed = stage.observer.versions();
    each_cluster_got_what_the_journal_names(&observed, &rollouts);
    if !stage.was_unlimited {
        only_canaries_got_the_bad_version(&observed);
    }
    only_the_bad_version_was_rejected(&rollouts);
    only_edits_of_people_are_reported(&events, &edited);
    let upgraded: BTreeSet<String> =
        members.iter().filter(|name| observed[*name].len() > before.get(*name).map_or(0, Vec::len)).cloned().collect();
    assert_eq!(planned, upgraded.len() as u64, "the plan says what happened: {upgraded:?}");
}

/// Returns `true` if nothing is under way.
fn is_quiet(snapshot: &Snapshot) -> bool {
    let Some(addon) = snapshot.report.addons.get(NAME) else { return false };
    snapshot.writes == 0 && snapshot.failures.is_empty() && addon.counts().progressing == 0
}

/// Returns the sealed rollouts of the add-on, in order.
fn rollouts(world: &World) -> Vec<SealedRollout> {
    let read = |number: u32| world.read("tidegate/journal", &format!("addons/{NAME}/rollouts/{number}.yaml"));
    let texts = (1..).map(read).take_while(|text| !text.is_empty());
    texts.map(|text| serde_saphyr::from_str(&text).unwrap()).collect()
}

/// Returns the version of the last rollout that was completed.
fn completed(world: &World) -> Option<String> {
    let is_completed = |sealed: &SealedRollout| sealed.rollout.outcome == Outcome::Completed;
    rollouts(world).into_iter().rev().find(is_completed).map(|sealed| sealed.rollout.to)
}

/// No cluster got a version more often than rollouts of the journal brought it there.
fn each_cluster_got_what_the_journal_names(observed: &BTreeMap<String, Vec<String>>, rollouts: &[SealedRollout]) {
    for (cluster, versions) in observed {
        for version in versions {
            let times = versions.iter().filter(|other| *other == version).count();
            let names = |sealed: &&SealedRollout| {
                let has_started = |entry: &SealedCluster| entry.cluster.as_str() == cluster && entry.started.is_some();
                sealed.rollout.to == *version && sealed.clusters.iter().any(has_started)
            };
            let named = rollouts.iter().filter(names).count();
            let entries = || -> Vec<String> { rollouts.iter().map(|sealed| entry_of(sealed, cluster)).collect() };
            assert!(
                times <= named,
                "{cluster} got {version} {times} times, and {named} rollouts name it: {versions:?} {:#?}",
                entries()
            );
        }
    }
}

/// Returns what a rollout says of a cluster.
fn entry_of(sealed: &SealedRollout, cluster: &str) -> String {
    let entry = sealed.clusters.iter().find(|entry| entry.cluster.as_str() == cluster);
    let Rollout { number, to, outcome, started, ended, .. } = &sealed.rollout;
    format!("{number} to {to} from {started} to {ended:?}, {outcome:?}: {entry:?}")
}

fn only_canaries_got_the_bad_version(observed: &BTreeMap<String, Vec<String>>) {
    for (cluster, versions) in observed {
        let number: u32 = cluster.rsplit('-').next().unwrap().parse().unwrap();
        let got = versions.iter().any(|version| version == BAD);
        assert!(!got || number <= CANARIES, "{cluster} is no canary, and got the bad version: {versions:?}");
    }
}

fn only_the_bad_version_was_rejected(rollouts: &[SealedRollout]) {
    for rollout in rollouts {
        let is_rejected = rollout.rollout.decisions.iter().any(|decision| matches!(decision, Decision::Rejected(_)));
        assert!(!is_rejected || rollout.rollout.to == BAD, "a good version was rejected: {rollout:#?}");
    }
}

/// The history has each decision of a person, with the reason.
fn every_decision_is_in_the_history(stage: &Stage) {
    let text = super::super::decisions::history(&stage.world, &[NAME, "-o", "json"]);
    let history: Value = serde_json::from_str(&text).unwrap();
    let events = history["events"].as_array().unwrap();
    for commit in &stage.decided {
        let is_of = |event: &&Value| event["commit"] == commit.as_str() && event["what"]["event"] == "Decided";
        let found = events.iter().find(is_of).unwrap_or_else(|| panic!("the history lacks {commit}: {history:#}"));
        let (decision, reason) = (found["what"]["decision"].as_str().unwrap(), &found["what"]["reason"]);
        let is_end = ["resumed", "released", "let the aborted"].iter().any(|end| decision.starts_with(end));
        assert!(is_end || reason == "a history", "{found:#}");
    }
}

/// A person who edits what a cluster gets while nothing else happens is named, and it is as it was. Where OCM's add-on manager delivers, it
/// repairs works.
async fn an_edit_is_repaired_and_reported(stage: &Stage, cluster: &str) {
    let world = &stage.world;
    let edited = if stage.manager.is_running() { addon_path(cluster, NAME) } else { work_path(cluster, NAME) };
    let spec = async || requests::get(&world.client(), &edited).await.unwrap()["spec"].clone();
    let count = async || drift_of(&events(world).await, cluster);
    let (before, known) = (spec().await, count().await);
    let empty = json!({ "spec": if stage.manager.is_running() { json!({ "configs": [] }) } else { json!({ "workload": { "manifests": [] } }) } });
    requests::patch(&world.client(), &format!("{edited}?fieldManager=mallory"), &empty).await;
    assert_ne!(spec().await, before);
    super::super::world::eventually("the edit is repaired", async || spec().await == before).await;
    super::super::world::eventually("the edit is reported", async || count().await > known).await;
}

/// Returns how often drift of an object of a cluster is reported.
fn drift_of(events: &[Value], cluster: &str) -> u64 {
    let drift = events.iter().filter(|event| event["reason"] == "DriftRepaired" || event["reason"] == "ForeignWriter");
    let about = drift.filter(|event| {
        event["involvedObject"]["namespace"] == cluster || event["message"].to_string().contains(cluster)
    });
    about.map(|event| event["count"].as_u64().unwrap_or(1)).sum()
}

/// Every event about drift concerns an object that a person changed.
fn only_edits_of_people_are_reported(events: &[Value], edited: &BTreeSet<String>) {
    let drift = events.iter().filter(|event| event["reason"] == "DriftRepaired" || event["reason"] == "ForeignWriter");
    for event in drift {
        let about = &event["involvedObject"];
        let place = about["namespace"].as_str().unwrap_or_default();
        let is_edited =
            edited.contains(place) || edited.iter().any(|cluster| event["message"].to_string().contains(cluster));
        assert!(is_edited, "an own write is reported as somebody else's: {event:#}");
    }
}
