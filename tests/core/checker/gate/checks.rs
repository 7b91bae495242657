//! Whole rollouts with checks: no cluster of a later group starts before a check has passed after its group was done.

use proptest::prelude::*;
use serde_json::{Value, json};
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::Plan;
use tidegate_plan::report::ClusterReport;
use tidegate_rollout::gate::checks::{Answer, Outcome};

use crate::gate::rollouts::{ONE_BY_ONE, commit, policy, revision, world};
use crate::simulation::world::{Event, Fate, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Policy as Pace, Revision};

/// What the server does, one after the other; the last one stays.
fn served(world: &mut World, conduct: Vec<Outcome>) {
    let mut conduct = conduct.into_iter().peekable();
    world.servers.serve = Some(Box::new(move |_, _| {
        let last = conduct.peek().copied();
        let now = conduct.next().or(last).unwrap_or(Outcome::Passed);
        match now {
            Outcome::NoResult => Err("no answer within 10s".to_owned()),
            Outcome::Passed => Ok(Answer { status: 200, body: Vec::new() }),
            Outcome::Failed => Ok(Answer { status: 500, body: Vec::new() }),
        }
    }));
}

fn check(fields: Value) -> (&'static str, Value) {
    let mut check = json!({ "name": "shop", "http": { "url": "https://shop.example.com/" }, "groups": ["canary"] });
    check.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    policy(json!({ "checks": [check] }))
}

fn cluster<'p>(plan: &'p Plan, name: &str) -> &'p ClusterReport {
    &plan.report.addons.values().next().unwrap().clusters[name]
}

#[test]
fn clusters_wait_for_the_check_and_the_reason_names_the_value() {
    let mut world = world(vec![(0, commit(revision(2, &[check(json!({ "failures": 1 }))])))]);
    served(&mut world, vec![Outcome::Failed, Outcome::Failed, Outcome::Passed]);
    let plan = world.run(&[]);
    assert_eq!(plan.report.addons.values().next().unwrap().phase, Phase::Completed);
    let waits = "waits for check \"shop\" of group 0 (\"canary\") (RolloutPolicy p): status 500, must be 200 (failed 1 times in a row)";
    assert!(world.has_waited(waits), "{:#?}", world.history.last());
    let evidence = &plan.report.addons.values().next().unwrap().checks;
    assert_eq!((evidence.len(), evidence[0].outcome), (1, Outcome::Passed));
    assert!(cluster(&plan, "c2").started >= Some(evidence[0].at));
    let journaled = world.records.journal.addons.values().next().unwrap();
    assert_eq!(&journaled.checks, evidence);
}

#[test]
fn a_check_without_a_server_holds_and_says_why() {
    let mut world = world(vec![(0, commit(revision(2, &[check(json!({}))])))]);
    let plan = world.run(&[]);
    assert_eq!(cluster(&plan, "c2").state, ClusterState::Waiting);
    let waiting = &plan.report.addons.values().next().unwrap().placements[0].waiting;
    assert_eq!(
        waiting.keys().collect::<Vec<_>>(),
        ["waits for check \"shop\" of group 0 (\"canary\") (RolloutPolicy p): not measured yet"]
    );
}

#[test]
fn compat_waits_for_checks_as_well() {
    let settings = "[rollout]\nsemantics = 'compat'\n";
    let second = Revision { settings, ..revision(2, &[check(json!({}))]) };
    let mut world = world(vec![(0, commit(second))]);
    world.run_for(100, &[]);
    let held = world.past.report.addons.values().next().unwrap();
    assert_eq!((held.clusters["c1"].version.as_str(), held.clusters["c1"].state), ("2", ClusterState::Succeeded));
    assert_eq!((held.clusters["c2"].version.as_str(), held.clusters["c2"].state), ("1", ClusterState::Waiting));
    assert!(held.clusters["c2"].reason.starts_with("waits for check \"shop\" of group 0"), "{:?}", held.clusters["c2"]);
}

#[test]
fn an_expression_over_the_clusters_of_the_group_is_evaluated_by_the_planner() {
    let version = json!({ "cel": { "expression": "cluster.version == '2' && cluster.state == 'Succeeded' && !cluster.degraded" } });
    let cel = policy(json!({ "checks": [{ "name": "versions", "cel": version["cel"], "groups": ["canary"] }] }));
    let mut world = world(vec![(0, commit(revision(2, &[cel])))]);
    let plan = world.run(&[]);
    assert_eq!(plan.report.addons.values().next().unwrap().phase, Phase::Completed);
    assert_eq!(plan.report.addons.values().next().unwrap().checks[0].value, "true");
}

fn outcomes() -> impl Strategy<Value = Vec<Outcome>> {
    let one = prop_oneof![Just(Outcome::Passed), Just(Outcome::Failed), Just(Outcome::NoResult)];
    prop::collection::vec(one, 0..8).prop_map(|mut outcomes| {
        outcomes.push(Outcome::Passed);
        outcomes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_cluster_starts_before_a_check_has_passed_after_the_group_was_done(
        outcomes in outcomes(),
        when in prop_oneof![Just("After"), Just("Soak")],
        delay in 1..40_i64,
        relapse in prop::option::of(0..60_i64),
        fates in prop::collection::vec(prop_oneof![3 => Just(Fate::Made), 1 => any::<u8>().prop_map(Fate::Dies)], 0..60),
    ) {
        let policy = check(json!({ "when": when, "failures": 2 }));
        let slow = Event::Happens(Accident::Turn { cluster: 1, nature: Nature { conduct: Conduct::Well, delay } });
        // Without a deadline, nothing but the check holds the clusters for long.
        let everywhere = Pace { deadline: None, ..ONE_BY_ONE };
        let second = Revision { everywhere, ..revision(2, &[policy]) };
        let mut events = vec![(0, slow), (1, commit(second))];
        // A canary loses its works, and is done again later.
        events.extend(relapse.map(|at| (1 + at, Event::Happens(Accident::Delete { cluster: 1, kind: "ManifestWork" }))));
        let mut world = world(events);
        served(&mut world, outcomes);
        let plan = world.run(&fates);
        prop_assert_eq!(plan.report.addons.values().next().unwrap().phase, Phase::Completed);
        let first = ["c2", "c3"].iter().filter_map(|name| cluster(&plan, name).started).min().unwrap();
        let passed: Vec<_> = world.servers.log.iter().filter(|(at, group, outcome)| {
            group == "canary" && *outcome == Outcome::Passed && *at <= first
        }).collect();
        let last_start = ["c0", "c1"].iter().filter_map(|name| cluster(&plan, name).started).max().unwrap();
        prop_assert!(passed.iter().any(|(at, ..)| *at > last_start), "{:?} {}", world.servers, first);
    }
}
