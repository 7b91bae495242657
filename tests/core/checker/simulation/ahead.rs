//! The plan of a change, compared with what happens after the merge.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::Value;
use tidegate_model::progress::ClusterState;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::PlacementOutlook;
use tidegate_repository::{Loaded, load};
use tidegate_review::proposal::document::{Plan, Revision as Named};
use tidegate_review::proposal::{Request, Side, propose, rollouts};
use tidegate_rollout::forecast::{self, Report};
use tidegate_rollout::{Input, Status};

use super::generate::{amount, policy};
use super::world::{Event, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::Revision;

/// How long each cluster takes, in seconds.
const DELAY: i64 = 3;

/// A change to a fleet that has the first revision.
#[derive(Debug, Clone)]
struct Change {
    first: Revision,
    second: Revision,
    /// The labels of the clusters from the third on: in the EU, and canary.
    clusters: Vec<(bool, bool)>,
    /// The clusters on which nothing becomes ready any longer.
    unready: BTreeSet<u8>,
}

fn change() -> impl Strategy<Value = Change> {
    let clusters = prop::collection::vec((any::<bool>(), prop::bool::weighted(0.3)), 0..9);
    let placements = (policy(), prop::option::of((policy(), 0..2_u8)), amount());
    let unready = prop::collection::btree_set(0..11_u8, 0..3);
    (clusters, placements, unready, any::<bool>()).prop_map(|(clusters, (everywhere, eu, size), unready, is_edit)| {
        let first = Revision { eu, group_size: size, ..Revision::simple(1, everywhere) };
        // Another version of the template, or another value in its configuration.
        let second =
            if is_edit { Revision { text: 1, ..first.clone() } } else { Revision { version: 2, ..first.clone() } };
        Change { first, second, clusters, unready }
    })
}

/// Clusters that start at the same moment, one set after the other.
type Batches = Vec<BTreeSet<String>>;

/// What is expected of a placement: the batches, and the status of each cluster at the end.
type Expected = (Batches, BTreeMap<String, Status>);

/// Returns a world in which all clusters have the first revision.
fn settled(change: &Change) -> World {
    let well = Nature { conduct: Conduct::Well, delay: DELAY };
    let join = |(number, (in_eu, is_canary)): (u8, &(bool, bool))| {
        (0, Event::Happens(Accident::Join { cluster: number, in_eu: *in_eu, is_canary: *is_canary, nature: well }))
    };
    let mut world = World::new(change.first.clone(), (2..).zip(&change.clusters).map(join).collect());
    let _end = world.run(&[]);
    for cluster in 0..11 {
        let conduct = if change.unready.contains(&cluster) { Conduct::Unready } else { Conduct::Well };
        world.take(Event::Happens(Accident::Turn { cluster, nature: Nature { conduct, delay: DELAY } }));
    }
    world
}

fn side<'a>(name: &str, loaded: &'a Loaded) -> Side<'a> {
    Side { revision: Named { name: name.to_owned(), commit: None }, loaded, repository: &loaded.repository }
}

/// Returns the plan of the change, and for each placement the batches and the final statuses.
fn planned(change: &Change, world: &World) -> (Plan, Vec<Expected>) {
    let (base, head) = (load(&change.first.tree(), ""), load(&change.second.tree(), ""));
    let request = Request {
        base: side("first", &base),
        head: side("second", &head),
        fleet: world.hub.fleet(),
        source: "the world",
        as_of: None,
        instance: &crate::instance::instance(),
        latencies: &BTreeMap::new(),
        now: world.now,
        only: None,
    };
    let outlooks = rollouts(&request);
    let placements = outlooks.into_values().flat_map(|outlook| outlook.placements);
    let forecast = |placement: PlacementOutlook| {
        let input = Input {
            strategy: &placement.strategy,
            groups: &placement.groups,
            existing: &placement.statuses,
            tolerates_failures: false,
            now: world.now,
        };
        let mut behavior = |cluster: &str| {
            let number: u8 = cluster[1..].parse().unwrap();
            let after = SignedDuration::from_secs(DELAY + 1);
            let is_unready = change.unready.contains(&number);
            if is_unready { Vec::new() } else { vec![Report { after, status: Status::Succeeded }] }
        };
        let forecast = forecast::run(&input, Semantics::Strict, &mut behavior).unwrap();
        let mut batches: BTreeMap<Timestamp, BTreeSet<String>> = BTreeMap::new();
        for run in &forecast.clusters {
            let Some(started) = run.started else { continue };
            batches.entry(started).or_default().insert(run.cluster.clone());
        }
        let statuses = forecast.clusters.into_iter().map(|run| (run.cluster, run.status)).collect();
        (batches.into_values().collect(), statuses)
    };
    (propose(&request), placements.map(forecast).collect())
}

/// Returns what each cluster has been assigned.
fn assigned(world: &World) -> BTreeMap<String, Vec<Value>> {
    let addons = world.hub.of_kind("ManagedClusterAddOn");
    let references = |object: &Value| -> Vec<Value> {
        let references = object["status"]["configReferences"].as_array().into_iter().flatten();
        references.map(|reference| reference["desiredConfig"].clone()).collect()
    };
    addons.map(|(key, object)| (key.namespace.clone(), references(object))).collect()
}

/// Merges the change and returns the batches in which clusters start, and their states at the end.
fn happened(change: &Change, world: &mut World) -> (Batches, BTreeMap<String, ClusterState>) {
    world.take(Event::Commit(Box::new(change.second.clone())));
    let mut batches = Vec::new();
    let mut before = assigned(world);
    for _ in 0..2_000 {
        let end = world.run_for(1, &[]);
        let after = assigned(world);
        let started: BTreeSet<String> =
            after.iter().filter(|(cluster, has)| before.get(*cluster) != Some(*has)).map(|(c, _)| c.clone()).collect();
        batches.extend((!started.is_empty()).then_some(started));
        before = after;
        if let Some(plan) = end {
            let clusters = plan.report.addons.into_values().flat_map(|addon| addon.into_inner().clusters);
            return (batches, clusters.map(|(name, cluster)| (name.to_string(), cluster.state)).collect());
        }
    }
    panic!("the rollout does not end: {batches:#?}");
}

/// Returns the batches without the clusters of other placements.
fn of_placement(batches: &Batches, clusters: &BTreeMap<String, Status>) -> Batches {
    let own = |batch: &BTreeSet<String>| batch.iter().filter(|name| clusters.contains_key(*name)).cloned().collect();
    batches.iter().map(own).filter(|batch: &BTreeSet<String>| !batch.is_empty()).collect()
}

fn is_as_forecast(status: Status, state: ClusterState) -> bool {
    match status {
        Status::ToApply => state == ClusterState::Waiting,
        Status::Succeeded => state == ClusterState::Succeeded,
        // It never becomes ready: with a deadline it times out, without one it is under way for ever.
        _ => matches!(state, ClusterState::TimedOut | ClusterState::Progressing),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(15))]

    #[test]
    fn a_rollout_happens_as_it_was_planned(change in change()) {
        let mut world = settled(&change);
        let (plan, placements) = planned(&change, &world);
        let (batches, states) = happened(&change, &mut world);
        for (expected, statuses) in &placements {
            let found = of_placement(&batches, statuses);
            assert_eq!(&found, expected, "{plan:#?}");
            for (cluster, status) in statuses {
                assert!(is_as_forecast(*status, states[cluster]), "{cluster}: {status:?} {:?}", states[cluster]);
            }
        }
        // The document has the same first wave, and as many clusters in all.
        let waves = plan.addons.iter().flat_map(|addon| &addon.waves);
        let first: usize = waves.clone().filter(|wave| wave.starts == "0s").map(|wave| wave.first).sum();
        let begin: usize = placements.iter().filter_map(|(batches, _)| batches.first()).map(BTreeSet::len).sum();
        assert!(first >= begin, "{first} {begin}: {plan:#?}");
        if change.unready.is_empty() {
            let all: usize = waves.map(|wave| wave.clusters).sum();
            assert_eq!(all, batches.iter().map(BTreeSet::len).sum::<usize>(), "{plan:#?}");
        }
    }
}
