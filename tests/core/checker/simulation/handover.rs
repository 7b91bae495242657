//! The change from one delivery to the other: nothing is uninstalled, no cluster gets another configuration, and a rollout continues.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tidegate_api::key;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_plan::Plan;

use super::world::{Event, Fate, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Amount, Pace, Policy, Revision};

const WELL: Nature = Nature { conduct: Conduct::Well, delay: 1 };
const ILL: Nature = Nature { conduct: Conduct::Unready, delay: 1 };

fn revision(version: u8) -> Revision {
    let policy = Policy {
        pace: Pace::Progressive,
        canary_first: true,
        concurrency: Amount::Count(1),
        failures: Amount::Count(0),
        deadline: Some(600),
        soak: 10,
    };
    Revision::simple(version, policy)
}

/// Two canaries and three other clusters.
fn world(later: Vec<(i64, Event)>) -> World {
    let join = |cluster| (0, Event::Happens(Accident::Join { cluster, in_eu: false, is_canary: false, nature: WELL }));
    World::new(revision(1), (2..5).map(join).chain(later).collect())
}

fn manager(at: i64, runs: bool, lag: u8) -> (i64, Event) {
    (at, Event::Manager { runs, lag })
}

fn commit(at: i64, version: u8) -> (i64, Event) {
    (at, Event::Commit(Box::new(revision(version))))
}

/// The uid of each add-on on a cluster.
fn installed(world: &World) -> BTreeMap<ObjectKey, Value> {
    let addons = world.hub.of_kind("ManagedClusterAddOn");
    addons.map(|(key, addon)| (key.clone(), addon["metadata"]["uid"].clone())).collect()
}

/// The uid and the manifests of each work.
fn works(world: &World) -> BTreeMap<ObjectKey, (Value, Value)> {
    let content = |work: &Value| (work["metadata"]["uid"].clone(), work["spec"]["workload"].clone());
    world.hub.of_kind("ManifestWork").map(|(key, work)| (key.clone(), content(work))).collect()
}

fn copies(world: &World) -> BTreeSet<String> {
    let is_copy = |object: &Value| object["metadata"]["annotations"][key::COPY_OF].is_string();
    let kinds = ["AddOnTemplate", "AddOnDeploymentConfig"];
    let objects = kinds.iter().flat_map(|kind| world.hub.of_kind(kind));
    objects.filter(|(_, object)| is_copy(object)).map(|(key, _)| key.name.clone()).collect()
}

fn versions(plan: &Plan) -> Vec<(ClusterState, &str)> {
    plan.report.addons["hello"].clusters.values().map(|report| (report.state, report.version.as_str())).collect()
}

fn addon(world: &World) -> &Value {
    world.hub.of_kind("ClusterManagementAddOn").next().unwrap().1
}

#[test]
fn a_hub_at_rest_is_handed_over_in_both_directions() {
    let mut world = world(Vec::new());
    let _ = world.run(&[]);
    let (installed_before, works_before) = (installed(&world), works(&world));
    assert_eq!(works_before.len(), 5);

    world.take(Event::Manager { runs: true, lag: 0 });
    let plan = world.run(&[]);
    world.check();
    assert_eq!(versions(&plan), vec![(ClusterState::Succeeded, "1"); 5]);
    assert_eq!((installed(&world), works(&world)), (installed_before.clone(), works_before.clone()));
    assert_eq!(addon(&world)["spec"]["installStrategy"], serde_json::json!({ "type": "Manual" }));
    assert_eq!(addon(&world)["metadata"]["annotations"][key::LIFECYCLE], "addon-manager");
    assert!(!copies(&world).is_empty());

    world.take(Event::Manager { runs: false, lag: 0 });
    let plan = world.run(&[]);
    world.check();
    assert_eq!(versions(&plan), vec![(ClusterState::Succeeded, "1"); 5]);
    assert_eq!((installed(&world), works(&world)), (installed_before, works_before));
    assert_eq!(addon(&world)["metadata"]["annotations"][key::LIFECYCLE], "self");
    assert_eq!(copies(&world), BTreeSet::new(), "copies that no cluster has are deleted");
}

#[test]
fn a_rollout_continues_under_the_other_delivery_and_waiting_clusters_keep_what_they_have() {
    // The first canary of version 2 is unhealthy, so that the rollout stands while the deliveries change.
    let turn = |at, nature| (at, Event::Happens(Accident::Turn { cluster: 0, nature }));
    let mut world = world(vec![turn(99, ILL), commit(100, 2), manager(110, true, 0), manager(160, false, 3)]);
    let plan = world.run(&[]);
    let waiting = versions(&plan).into_iter().filter(|state| *state == (ClusterState::Waiting, "1")).count();
    assert_eq!(waiting, 4, "{:?}", versions(&plan));
    world.take(Event::Manager { runs: true, lag: 0 });
    world.take(Event::Happens(Accident::Turn { cluster: 0, nature: WELL }));
    world.take(Event::Commit(Box::new(revision(3))));
    let plan = world.run(&[]);
    world.check();
    assert_eq!(versions(&plan), vec![(ClusterState::Succeeded, "3"); 5]);
    assert_eq!(installed(&world).len(), 5, "nothing is uninstalled");
}

#[test]
fn a_cluster_that_has_nothing_yet_gets_nothing_before_its_turn() {
    let turn = |at, nature| (at, Event::Happens(Accident::Turn { cluster: 0, nature }));
    // The canary is unhealthy from the start: the others have an empty ManagedClusterAddOn when the manager starts.
    let mut world = world(vec![turn(0, ILL), manager(50, true, 0)]);
    let plan = world.run(&[]);
    let on = |state: ClusterState| versions(&plan).iter().filter(|(found, _)| *found == state).count();
    assert_eq!(on(ClusterState::Waiting), 4, "{:?}", versions(&plan));
    assert_eq!((works(&world).len(), installed(&world).len()), (1, 1), "only the canary that started has the add-on");
}

#[test]
fn an_edit_in_place_of_what_a_cluster_names_reaches_no_cluster_before_its_turn() {
    let mut world = world(vec![(99, Event::Happens(Accident::Turn { cluster: 0, nature: ILL }))]).delivered_upstream();
    let _ = world.run(&[]);
    let before = works(&world);
    world.take(Event::Happens(Accident::Turn { cluster: 0, nature: ILL }));
    // The same names, with another content.
    world.take(Event::Commit(Box::new(Revision { text: 5, ..revision(1) })));
    let _ = world.run(&[]);
    world.check();
    let after = works(&world);
    let changed: Vec<&str> = after
        .iter()
        .filter(|(key, work)| before.get(key) != Some(work))
        .map(|(key, _)| key.namespace.as_str())
        .collect();
    assert_eq!(changed, ["c0"], "the first canary has the edit, and all others wait for it");
}

#[test]
fn a_process_that_dies_during_a_hand_over_continues_it() {
    for share in [20, 90, 170, 240] {
        let mut world = world(Vec::new());
        let _ = world.run(&[]);
        let before = (installed(&world), works(&world));
        world.take(Event::Manager { runs: true, lag: 0 });
        let _ = world.run(&[Fate::Dies(share), Fate::Dies(share), Fate::Dies(share)]);
        assert_eq!((installed(&world), works(&world)), before);
        world.take(Event::Manager { runs: false, lag: 0 });
        let plan = world.run(&[Fate::Dies(share), Fate::Dies(share), Fate::Dies(share)]);
        assert_eq!((installed(&world), works(&world)), before);
        assert_eq!(versions(&plan), vec![(ClusterState::Succeeded, "1"); 5]);
    }
}
