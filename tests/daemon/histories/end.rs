//! What holds at the end of every history, once all that failed works again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::Snapshot;
use tidegate_journal::record::{Decision, Outcome, Rollout, SealedCluster, SealedRollout};

use super::super::events::events;
use super::super::world::{World, addon_path, requests};
use super::ordered;
use super::plan::plans;
use super::play::Stage;
use super::step::{BAD, Edit, LAST, Rule};
use super::unit::{Form, Unit, version};

/// The clusters of the mandatory group: the first five of each cloud.
const CANARIES: u32 = 5;

/// How often people look whether something waits for them, at most, until both units have the last version.
const ROUNDS: usize = 10;

/// Repairs everything, rolls out the last version, and asserts what every history promises.
pub(super) async fn check(mut stage: Stage) {
    stage.remote(true);
    stage.hub(true);
    stage.forge(true);
    stage.team(true);
    stage.flapping.clear();
    stage.agents(Duration::ZERO);
    stage.world.set_clock(0);
    stage.edit(Edit::Enable(true));
    stage.edit(Edit::Restore);
    if stage.application.1 == Form::Entries {
        // The names of its rollouts are those of revisions.
        stage.edit(Edit::Form(Form::Groups));
    }
    stage.start(false).await;
    tokio::time::sleep(Duration::from_secs(20 * 60)).await;
    stage.trace("repaired");
    let no_decisions = Unit::ALL.map(|unit| (unit.control().to_owned(), None));
    stage.world.commit("no decisions", no_decisions.into());
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
    if stage.was_frozen {
        // A freeze that was lifted still holds what was pushed during it, and all that is pushed until the clusters are done with a version.
        for unit in Unit::ALL {
            if let Some(version) = completed(&stage.world, unit) {
                stage.push(unit, &version);
            }
        }
        tokio::time::sleep(Duration::from_secs(5 * 60)).await;
        stage.trace("the last completed version");
        stage.approve(false);
        stage.merge();
    }
    stage.daemon.as_mut().unwrap().until("a quiet end", is_quiet).await;
    tokio::time::sleep(Duration::from_secs(15 * 60)).await;
    let planned = plans(&stage, LAST).await;
    let before = stage.versions();
    Unit::ALL.iter().for_each(|unit| stage.push(*unit, LAST));
    let is_last = |s: &Snapshot| {
        Unit::ALL.iter().all(|unit| s.report.addons.get(unit.name()).is_some_and(|it| it.version == LAST))
    };
    stage.daemon.as_mut().unwrap().until("the last version", is_last).await;
    // The request of an application that requires the add-on is opened once clusters have the add-on.
    for _ in 0..ROUNDS {
        if stage.is_settled(LAST) {
            break;
        }
        tokio::time::sleep(Duration::from_secs(30)).await;
        stage.approve(false);
        stage.merge();
    }
    let seen = stage.settle(LAST).await;
    if stage.application.1 == Form::Steps {
        let clusters = seen.report.addons[Unit::Application.name()].clusters.keys().map(|name| name.as_str());
        ordered::is_delivered(&stage.world, clusters, LAST).await;
    }
    let daemon = stage.daemon.take().unwrap();
    let mut edited = stage.edited.clone();
    for unit in Unit::ALL {
        let is_sealed = |last: &SealedRollout| last.rollout.to == LAST && last.rollout.outcome == Outcome::Completed;
        super::super::world::eventually("the last rollout is sealed", async || {
            rollouts(&stage.world, unit).last().is_some_and(is_sealed)
        })
        .await;
        let cluster = seen.report.addons[unit.name()].clusters.keys().next().unwrap().to_string();
        an_edit_is_repaired_and_reported(&stage, unit, &cluster).await;
        edited.insert(cluster);
    }
    let events = events(&stage.world).await;
    daemon.end().await;

    super::page::check(&stage.world.repository());
    every_decision_is_in_the_history(&stage);
    assert!(stage.world.replayed() > 0, "all plans can be made again");
    only_edits_of_people_are_reported(&events, &edited);
    let observed = stage.versions();
    for unit in Unit::ALL {
        let (observed, before) = (&observed[&unit], &before[&unit]);
        let rollouts = rollouts(&stage.world, unit);
        each_cluster_got_what_the_journal_names(observed, &rollouts, stage.rivals);
        if !stage.was_unlimited {
            only_canaries_got_the_bad_version(observed);
        }
        only_the_bad_version_was_rejected(&rollouts);
        let members = seen.report.addons[unit.name()].clusters.keys().map(ToString::to_string);
        let upgraded: BTreeSet<String> =
            members.filter(|name| observed[name].len() > before.get(name).map_or(0, Vec::len)).collect();
        assert_eq!(planned[&unit], upgraded.len() as u64, "the plan of {unit:?} says what happened: {upgraded:?}");
    }
}

/// Returns `true` if nothing is under way.
fn is_quiet(snapshot: &Snapshot) -> bool {
    let rests = |unit: &Unit| snapshot.report.addons.get(unit.name()).is_some_and(|it| it.counts().progressing == 0);
    snapshot.writes == 0 && snapshot.failures.is_empty() && Unit::ALL.iter().all(rests)
}

/// Returns the sealed rollouts of a unit, in order.
fn rollouts(world: &World, unit: Unit) -> Vec<SealedRollout> {
    let read = |number: u32| world.read("tidegate/journal", &format!("{}/rollouts/{number}.yaml", unit.folder()));
    let texts = (1..).map(read).take_while(|text| !text.is_empty());
    texts.map(|text| serde_saphyr::from_str(&text).unwrap()).collect()
}

/// Returns the version of the last rollout that was completed.
fn completed(world: &World, unit: Unit) -> Option<String> {
    let is_completed = |sealed: &SealedRollout| sealed.rollout.outcome == Outcome::Completed;
    rollouts(world, unit).into_iter().rev().find(is_completed).map(|sealed| version(&sealed.rollout.to))
}

/// No cluster got a version more often than rollouts of the journal brought it there. Two daemons that are no replicas may undo what the other
/// one has just done, before one of them ends, and only the other one says in the journal what it did.
fn each_cluster_got_what_the_journal_names(
    observed: &BTreeMap<String, Vec<String>>,
    rollouts: &[SealedRollout],
    rivals: usize,
) {
    for (cluster, versions) in observed {
        for version in versions {
            let times = versions.iter().filter(|other| *other == version).count();
            let names = |sealed: &&SealedRollout| {
                let has_started = |entry: &SealedCluster| entry.cluster.as_str() == cluster && entry.started.is_some();
                self::version(&sealed.rollout.to) == *version && sealed.clusters.iter().any(has_started)
            };
            let named = rollouts.iter().filter(names).count();
            let entries = || -> Vec<String> { rollouts.iter().map(|sealed| entry_of(sealed, cluster)).collect() };
            assert!(
                times <= named + rivals,
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
        assert!(!is_rejected || version(&rollout.rollout.to) == BAD, "a good version was rejected: {rollout:#?}");
    }
}

/// The history has each decision of a person, with the reason.
fn every_decision_is_in_the_history(stage: &Stage) {
    let of = |unit: Unit| {
        let text = super::super::decisions::history(&stage.world, &[unit.name(), "-o", "json"]);
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let histories: BTreeMap<Unit, Value> = Unit::ALL.map(|unit| (unit, of(unit))).into();
    for (commit, unit) in &stage.decided {
        let history = &histories[unit];
        let is_of = |event: &&Value| event["commit"] == commit.as_str() && event["what"]["event"] == "Decided";
        let found = history["events"].as_array().unwrap().iter().find(is_of);
        let found = found.unwrap_or_else(|| panic!("the history of {unit:?} lacks {commit}: {history:#}"));
        let (decision, reason) = (found["what"]["decision"].as_str().unwrap(), &found["what"]["reason"]);
        let is_end = ["resumed", "released", "let the aborted"].iter().any(|end| decision.starts_with(end));
        assert!(is_end || reason == "a history", "{found:#}");
    }
}

/// A person who edits what a cluster gets while nothing else happens is named, and it is as it was. Where OCM's add-on manager delivers, it
/// repairs works.
async fn an_edit_is_repaired_and_reported(stage: &Stage, unit: Unit, cluster: &str) {
    let world = &stage.world;
    let is_left_to_the_manager = unit == Unit::AddOn && stage.manager.is_running();
    let edited = match is_left_to_the_manager {
        true => addon_path(cluster, unit.name()),
        false => unit.work(world, cluster).await.unwrap().0,
    };
    // A work that was emptied has its objects in another order.
    let spec = async || {
        let mut spec = requests::get(&world.client(), &edited).await.unwrap()["spec"].clone();
        for list in ["/workload/manifests", "/manifestConfigs"] {
            let items = spec.pointer_mut(list).and_then(Value::as_array_mut);
            items.into_iter().for_each(|items| items.sort_by_key(Value::to_string));
        }
        spec
    };
    let count = async || drift_of(&events(world).await, cluster);
    let (before, known) = (spec().await, count().await);
    let spec_of =
        if is_left_to_the_manager { json!({ "configs": [] }) } else { json!({ "workload": { "manifests": [] } }) };
    let empty = json!({ "spec": spec_of });
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
