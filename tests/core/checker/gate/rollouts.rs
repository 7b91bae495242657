//! Whole rollouts behind gates: the planner, a hub, agents, and a checker that judges every tick.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::SignedDuration;

use crate::simulation::world::{Event, Fate, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::consent::Approval;
use tidegate_simulation::declared::Decision;
use tidegate_simulation::revision::{Amount, Pace, Policy, Revision};

const WELL: Nature = Nature { conduct: Conduct::Well, delay: 2 };

pub(crate) const ONE_BY_ONE: Policy = Policy {
    pace: Pace::Progressive,
    canary_first: true,
    concurrency: Amount::Count(1),
    failures: Amount::Unset,
    deadline: Some(60),
    soak: 5,
};

/// Returns a revision with other files.
pub(crate) fn revision(version: u8, files: &[(&'static str, Value)]) -> Revision {
    Revision { files: files.iter().cloned().collect(), ..Revision::simple(version, ONE_BY_ONE) }
}

pub(crate) fn policy(spec: Value) -> (&'static str, Value) {
    let head = json!({ "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": "p" } });
    let mut policy = head;
    policy["spec"] = spec;
    ("policy.yaml", policy)
}

fn control(fields: Value) -> (&'static str, Value) {
    let mut control = json!({ "apiVersion": "tidegate.io/v1alpha1", "kind": "Control" });
    control.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    ("control/hello.yaml", control)
}

pub(crate) fn commit(revision: Revision) -> Event {
    Event::Commit(Box::new(revision))
}

pub(crate) fn joins(cluster: u8) -> Event {
    Event::Happens(Accident::Join { cluster, in_eu: cluster.is_multiple_of(2), is_canary: false, nature: WELL })
}

thread_local! {
    /// A world with four clusters, two of them canaries, that has completed the first version.
    static SETTLED: World = {
        let mut world = World::new(revision(1, &[]), vec![(0, joins(2)), (0, joins(3))]);
        let _ = world.run(&[]);
        world
    };
}

/// A world with four clusters, two of them canaries, that has completed the first version long ago.
pub(crate) fn world(events: Vec<(i64, Event)>) -> World {
    let events = events.into_iter().map(|(at, event)| (at + 1_000, event));
    SETTLED.with(|settled| settled.continued(events.collect()))
}

/// Returns the report of the add-on at the end of a run, as the states of the clusters and the reasons of those that wait.
fn told(plan: &tidegate_plan::Plan) -> (Phase, Vec<String>) {
    let addon = plan.report.addons.values().next().unwrap();
    let line = |(name, report): (&tidegate_model::name::ClusterName, &tidegate_plan::report::ClusterReport)| {
        let version = &report.version;
        match report.state {
            ClusterState::Waiting => format!("{name} {version}: {}", report.reason),
            state => format!("{name} {version}: {state}"),
        }
    };
    (addon.phase, addon.clusters.iter().map(line).collect())
}

#[test]
fn a_pause_lets_nobody_start_and_a_resume_does() {
    let pause = control(json!({ "pause": { "reason": "incident 12" } }));
    let mut world = world(vec![(0, commit(revision(2, &[pause])))]);
    let (phase, clusters) = told(&world.run(&[]));
    assert_eq!(phase, Phase::Held);
    assert_eq!(clusters[0], "c0 1: paused by control/hello.yaml: incident 12");
    world.take(commit(revision(2, &[])));
    let (phase, clusters) = told(&world.run(&[]));
    assert_eq!(
        (phase, clusters),
        (
            Phase::Completed,
            ["c0 2: Succeeded", "c1 2: Succeeded", "c2 2: Succeeded", "c3 2: Succeeded"].map(str::to_owned).to_vec()
        )
    );
}

#[test]
fn a_retry_starts_a_failed_cluster_once() {
    let fails = Event::Happens(Accident::Turn { cluster: 0, nature: Nature { conduct: Conduct::Refuses, delay: 1 } });
    let retry = Event::Decide(Some(Decision::Retry));
    let mut world = world(vec![(0, fails), (1, commit(revision(2, &[]))), (300, retry)]);
    let (phase, clusters) = told(&world.run(&[]));
    assert_eq!((phase, clusters[0].as_str()), (Phase::Stopped, "c0 2: TimedOut"));
    let reports = world.history.iter().flat_map(|tick| tick.report.addons["hello"].clusters.get("c0"));
    let starts: BTreeSet<_> = reports.filter(|c0| c0.version == "2").filter_map(|c0| c0.started).collect();
    assert_eq!(starts.len(), 2, "{starts:?}");
}

#[test]
fn a_limit_on_one_value_of_a_label_is_never_exceeded() {
    let limits =
        policy(json!({ "limits": [{ "name": "regions", "label": "region", "maxValues": 1, "startsPerMinute": 1 }] }));
    let mut world = world(vec![(0, commit(revision(2, &[limits])))]);
    let (phase, _) = told(&world.run(&[Fate::Made]));
    assert_eq!(phase, Phase::Completed);
    assert!(world.has_waited("1 starts per minute"), "the limit was never met");
}

#[test]
fn a_cluster_in_quarantine_gets_nothing_and_blocks_nobody() {
    let exclude = control(json!({ "quarantine": [{ "clusters": ["c0"], "mode": "Exclude", "reason": "disk" }] }));
    let mut world = world(vec![(0, commit(revision(2, &[exclude])))]);
    let (phase, clusters) = told(&world.run(&[]));
    assert_eq!(phase, Phase::Completed);
    assert_eq!(
        clusters,
        ["c0 1: in quarantine by control/hello.yaml: disk", "c1 2: Succeeded", "c2 2: Succeeded", "c3 2: Succeeded"]
    );
}

#[test]
fn an_ignored_cluster_that_is_never_done_has_no_consequences() {
    let ignore = control(json!({ "quarantine": [{ "clusters": ["c0"], "reason": "lab" }] }));
    let fails = Event::Happens(Accident::Turn { cluster: 0, nature: Nature { conduct: Conduct::Refuses, delay: 1 } });
    let mut world = world(vec![(0, fails), (1, commit(revision(2, &[ignore])))]);
    let (phase, clusters) = told(&world.run(&[]));
    assert_eq!(phase, Phase::Completed);
    assert_eq!(clusters, ["c0 2: Progressing", "c1 2: Succeeded", "c2 2: Succeeded", "c3 2: Succeeded"]);
}

#[test]
fn an_ignored_cluster_waits_for_the_canaries_that_count() {
    let ignore = control(json!({ "quarantine": [{ "clusters": ["c2", "c3"], "reason": "lab" }] }));
    let mut world = world(vec![(0, commit(revision(2, &[ignore])))]);
    let (phase, _) = told(&world.run(&[]));
    assert_eq!(phase, Phase::Completed);
    // Only the canaries count, and they are under way one after the other.
    assert!(world.has_waited("waits for mandatory group 0"), "they did not wait");
}

#[test]
fn a_cluster_that_joins_in_the_middle_waits_for_the_others_or_for_the_next_rollout() {
    for (joining, waits) in [("Tail", "starts after all others"), ("Hold", "waits for the next one")] {
        let policy = policy(json!({ "membership": { "joining": joining } }));
        let mut world = world(vec![(0, commit(revision(2, &[policy]))), (3, joins(4))]);
        let (_, clusters) = told(&world.run(&[]));
        assert!(world.has_waited(waits), "{joining}: {clusters:#?}");
        let is_done = clusters.contains(&"c4 2: Succeeded".to_owned());
        assert_eq!(is_done, joining == "Tail", "{clusters:#?}");
        assert!(clusters.contains(&"c3 2: Succeeded".to_owned()), "{clusters:#?}");
    }
}

#[test]
fn a_cluster_that_joins_before_the_first_start_does_not_join_in_the_middle() {
    let hold = policy(json!({ "membership": { "joining": "Hold" } }));
    let paused = revision(2, &[hold.clone(), control(json!({ "pause": { "reason": "a demonstration" } }))]);
    let mut world = world(vec![(0, commit(paused)), (3, joins(4)), (6, commit(revision(2, &[hold])))]);
    let (phase, clusters) = told(&world.run(&[]));
    assert_eq!(phase, Phase::Completed);
    assert!(clusters.contains(&"c4 2: Succeeded".to_owned()), "{clusters:#?}");
}

#[test]
fn a_rollout_that_continues_goes_through_all_other_clusters_after_a_failed_canary() {
    for (action, c3) in [("Continue", "c3 2: Succeeded"), ("Halt", "c3 1: ")] {
        let policy = policy(json!({ "onFailure": { "action": action } }));
        let fails =
            Event::Happens(Accident::Turn { cluster: 0, nature: Nature { conduct: Conduct::Refuses, delay: 1 } });
        let mut world = world(vec![(0, fails), (1, commit(revision(2, &[policy])))]);
        let (_, clusters) = told(&world.run(&[]));
        assert!(clusters[3].starts_with(c3), "{action}: {clusters:#?}");
    }
}

#[test]
fn a_failed_canary_rolls_back_and_nobody_else_starts() {
    let policy = policy(json!({ "onFailure": { "action": "Rollback" } }));
    let fails = Event::Happens(Accident::Turn { cluster: 0, nature: Nature { conduct: Conduct::Refuses, delay: 1 } });
    let recovers = Event::Happens(Accident::Turn { cluster: 0, nature: WELL });
    let mut world = world(vec![(0, fails), (1, commit(revision(2, &[policy]))), (90, recovers)]);
    let plan = world.run(&[]);
    let (phase, clusters) = told(&plan);
    assert_eq!(clusters, ["c0 1: Succeeded", "c1 1: Succeeded", "c2 1: Succeeded", "c3 1: Succeeded"]);
    assert_eq!(phase, Phase::Completed);
    let addon = plan.report.addons.values().next().unwrap();
    let rejected = addon.rejected.as_ref().unwrap();
    assert_eq!(rejected.policy, "RolloutPolicy p");
    assert!(rejected.reason.contains("c0: "), "{}", rejected.reason);
    let problem = addon.problem.as_deref().unwrap();
    assert!(problem.starts_with("rolled back by RolloutPolicy p: digest "), "{problem}");
    let started = |cluster: &str| {
        world.has_reported(|name, report| {
            name == cluster && report.state == ClusterState::Progressing && report.version == "2"
        })
    };
    assert!(started("c0"), "the canary did not start");
    assert!(!started("c2") && !started("c3"), "other clusters started on the failed version");
}

#[test]
fn a_retry_takes_back_a_rejection_only_if_it_is_later() {
    let policy = policy(json!({ "onFailure": { "action": "Rollback" } }));
    let fails = Event::Happens(Accident::Turn { cluster: 0, nature: Nature { conduct: Conduct::Refuses, delay: 1 } });
    let recovers = Event::Happens(Accident::Turn { cluster: 0, nature: WELL });
    let mut world = world(vec![(0, fails), (1, commit(revision(2, std::slice::from_ref(&policy)))), (90, recovers)]);
    let rejected = world.run(&[]).report.addons["hello"].rejected.clone().unwrap();
    for (seconds, is_rejected) in [(0, true), (1, false)] {
        let at = rejected.at.checked_add(SignedDuration::from_secs(seconds)).unwrap();
        let retry = control(json!({ "retry": { "digest": rejected.digest, "at": at, "reason": "fixed" } }));
        world.take(commit(revision(2, &[policy.clone(), retry])));
        let now = world.run(&[]).report.addons["hello"].rejected.clone();
        assert_eq!(now, Some(rejected.clone()).filter(|_| is_rejected), "{seconds} s later");
    }
}

#[test]
fn a_rollback_does_not_wait_for_a_cluster_in_quarantine() {
    let exclude = control(json!({ "quarantine": [{ "clusters": ["c3"], "mode": "Exclude", "reason": "disk" }] }));
    let policy = policy(json!({ "onFailure": { "action": "Rollback" } }));
    let fails = Event::Happens(Accident::Turn { cluster: 0, nature: Nature { conduct: Conduct::Refuses, delay: 1 } });
    let recovers = Event::Happens(Accident::Turn { cluster: 0, nature: WELL });
    let mut world = world(vec![
        (0, commit(revision(2, std::slice::from_ref(&exclude)))),
        (300, fails),
        (301, commit(revision(3, &[exclude, policy]))),
        (400, recovers),
    ]);
    let (_, clusters) = told(&world.run(&[]));
    assert!(world.has_reported(|name, report| name == "c0" && report.version == "3"), "the canary did not start");
    // It has neither the digest that failed nor the one before.
    let quarantine = "c3 1: in quarantine by control/hello.yaml: disk";
    assert_eq!(clusters, ["c0 2: Succeeded", "c1 2: Succeeded", "c2 2: Succeeded", quarantine]);
}

#[test]
fn an_approval_at_the_turn_of_its_group_counts_for_all_batches_and_stays_in_the_record() {
    let rules = policy(json!({
        "approvals": [
            { "name": "one", "count": 1, "of": ["bob"], "before": ["canary"], "after": "Reached" },
            { "name": "two", "count": 1, "of": ["bob"], "before": ["canary"], "after": "Reached" },
        ],
        "limits": [{ "name": "pace", "maxClusters": 1 }],
    }));
    let approve = Event::Approve(Approval { for_canaries: true, breaks_glass: false });
    let mut world = world(vec![(0, commit(revision(2, &[rules]))), (100, approve)]);
    let plan = world.run(&[]);
    assert_eq!(told(&plan).0, Phase::Completed);
    let approvals = &plan.report.addons["hello"].approvals;
    assert_eq!(approvals.len(), 2);
    assert!(approvals.iter().all(|approval| approval.verdict.is_met() && approval.reached.is_some()), "{approvals:#?}");
}

#[test]
fn incident_d2_an_override_at_its_turn_counts_for_all_batches() {
    let rules = policy(json!({
        "freezes": [{ "name": "holidays", "from": "1969-01-01", "to": "2100-01-01" }],
        "breakGlass": { "name": "incident", "count": 1, "of": ["bob"], "after": "Reached" },
        "limits": [{ "name": "pace", "maxClusters": 1 }],
    }));
    let approve = Event::Approve(Approval { for_canaries: false, breaks_glass: true });
    let mut world = world(vec![(0, commit(revision(2, &[rules]))), (100, approve)]);
    let plan = world.run(&[]);
    assert_eq!(told(&plan).0, Phase::Completed);
    let approvals = &plan.report.addons["hello"].approvals;
    assert!(approvals.iter().all(|approval| approval.verdict.is_met() && approval.reached.is_some()), "{approvals:#?}");
}

#[test]
fn a_start_does_not_move_in_the_report_when_the_condition_is_written_again() {
    let mut world = world(Vec::new());
    let _ = world.run_for(1, &[]);
    let started = |world: &World| world.past.report.addons["hello"].clusters["c0"].started;
    let before = started(&world).unwrap();
    let key = ObjectKey::new("addon.open-cluster-management.io", "ManagedClusterAddOn", "c0", "hello");
    // By a clock that was two hours behind, and by a manager that takes over five minutes later.
    for seconds in [-7200, 300] {
        let mut object = world.hub.object(&key).unwrap().clone();
        for condition in object["status"]["conditions"].as_array_mut().unwrap() {
            if condition["type"] == "Configured" {
                condition["lastTransitionTime"] = json!(before + SignedDuration::from_secs(seconds));
            }
        }
        world.hub.patch(&key, &json!({ "status": { "conditions": object["status"]["conditions"] } }));
        let _ = world.run_for(1, &[]);
        assert_eq!(started(&world), Some(before), "{seconds}");
    }
}
