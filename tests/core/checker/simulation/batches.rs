//! Replicas that are replaced in batches: what each tick delivers, whatever the agent of the cluster reports.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;
use tidegate_simulation::revision::{Form, Revision};

use super::ordered::{silence, text, with};
use super::world::{Event, World};

/// The agent of `c0` does nothing; the tests write what it reports.
const CLUSTER: &str = "c0";

fn stateful_set(version: u8) -> Value {
    json!({
        "name": "store", "type": "statefulset", "properties": { "image": format!("example.com/store:{version}") },
        "traits": [{
            "type": "rollout",
            "properties": { "targetSize": 4, "rolloutBatches": [{ "replicas": 1 }, { "replicas": 1 }, { "replicas": 2 }] },
        }],
    })
}

/// Returns a revision in which `web` comes after the last batch of `store`.
fn shop(version: u8) -> Revision {
    with(version, &[stateful_set(version), text("web", version, &["store"])])
}

/// What the cluster reports about `store`.
#[derive(Clone, Copy)]
struct Store {
    partition: Option<i64>,
    updated: i64,
    ready: i64,
    /// The generation that is reported in place of that of the work.
    generation: Option<i64>,
}

/// What is reported of a batch that is done.
fn done(partition: i64) -> Store {
    Store { partition: Some(partition), updated: 4 - partition, ready: 4, generation: None }
}

/// Returns a world in which all clusters have version 1, and in which the agent of `c0` says nothing from now on.
fn installed() -> World {
    let mut world = World::new(shop(1), Vec::new());
    let _ = world.run(&[]);
    assert_eq!(report(&world).state, ClusterState::Succeeded);
    world.take(silence());
    world
}

fn upgrading() -> World {
    let mut world = installed();
    commit(&mut world, shop(2));
    world
}

fn commit(world: &mut World, revision: Revision) {
    world.take(Event::Commit(Box::new(revision)));
    let _ = world.run(&[]);
    world.check();
}

fn work(world: &World) -> (ObjectKey, Value) {
    let mut works = world.hub.of_kind("ManifestWork").filter(|(key, _)| key.namespace == CLUSTER);
    works.next().map(|(key, work)| (key.clone(), work.clone())).unwrap()
}

fn record(work: &Value) -> Value {
    serde_json::from_str(work["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap()).unwrap()
}

fn manifest(work: &Value) -> &Value {
    let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap();
    manifests.iter().find(|manifest| manifest["kind"] == "StatefulSet").unwrap()
}

/// Returns the version and the partition of `store`, and the version of `web`.
fn delivered(world: &World) -> String {
    let (_, work) = work(world);
    let store = manifest(&work);
    let image = store["spec"]["template"]["spec"]["containers"][0]["image"].as_str().unwrap();
    let web = work["spec"]["workload"]["manifests"].as_array().unwrap().iter();
    let web = web.clone().find_map(|manifest| manifest["data"]["version"].as_str()).unwrap_or("-");
    let partition = &store["spec"]["updateStrategy"]["rollingUpdate"]["partition"];
    format!("store {} {partition}, web {web}", image.rsplit_once(':').unwrap().1)
}

fn report(world: &World) -> ClusterReport {
    world.history.last().unwrap().report.addons[Form::Application.unit()].clusters[CLUSTER].clone()
}

fn generation(work: &Value) -> i64 {
    work["metadata"]["generation"].as_i64().unwrap()
}

/// Lets the cluster report on its work as it is.
fn reported(world: &mut World, store: Store) {
    let (key, work) = work(world);
    let condition = |type_: &str| {
        json!({
            "type": type_, "status": "True", "observedGeneration": generation(&work), "lastTransitionTime": world.now,
            "reason": "R", "message": "",
        })
    };
    let of_store = store.generation.unwrap_or(generation(&work));
    let numbers = [
        ("TidegateGeneration", Some(of_store)),
        ("TidegateObservedGeneration", Some(of_store)),
        ("TidegateDesiredReplicas", Some(4)),
        ("TidegateReplicas", Some(4)),
        ("TidegateReadyReplicas", Some(store.ready)),
        ("TidegateUpdatedReplicas", Some(store.updated)),
        ("TidegatePartition", store.partition),
    ];
    let value = |(name, number): (&str, Option<i64>)| {
        number.map(|number| json!({ "name": name, "fieldValue": { "type": "Integer", "integer": number } }))
    };
    let values: Vec<Value> = numbers.into_iter().filter_map(value).collect();
    let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap().iter().enumerate();
    let manifests = manifests.map(|(ordinal, manifest)| {
        let is_set = manifest["kind"] == "StatefulSet";
        let (group, resource) = if is_set { ("apps", "statefulsets") } else { ("", "configmaps") };
        json!({
            "resourceMeta": {
                "ordinal": ordinal, "group": group, "version": "v1", "kind": manifest["kind"], "resource": resource,
                "name": manifest["metadata"]["name"], "namespace": manifest["metadata"]["namespace"],
            },
            "statusFeedback": { "values": if is_set { values.clone() } else { Vec::new() } },
            "conditions": [condition("Applied"), condition("Available")],
        })
    });
    let status = json!({
        "conditions": [condition("Applied"), condition("Available")],
        "resourceStatus": { "manifests": manifests.collect::<Vec<_>>() },
    });
    world.hub.patch(&key, &json!({ "status": status }));
}

/// Lets the cluster report, and continues until nothing is left to do.
fn reports(world: &mut World, store: Store) {
    reported(world, store);
    let _ = world.run(&[]);
    world.check();
}

#[test]
fn c5_a_cluster_counts_once_its_batches_are_done() {
    let mut world = upgrading();
    assert_eq!(delivered(&world), "store 2 3, web 1");
    reports(&mut world, Store { updated: 0, ..done(3) });
    assert_eq!(delivered(&world), "store 2 3, web 1");
    let waits = "batch 2/3 of component store waits for batch 1: statefulsets fleet/store is being updated: batch 1/3, 0 of 4 replicas (0 %)";
    assert_eq!(report(&world).reason, waits);
    reports(&mut world, done(3));
    assert_eq!(delivered(&world), "store 2 2, web 1");
    assert_eq!(report(&world).state, ClusterState::Progressing);
    reports(&mut world, Store { ready: 3, ..done(2) });
    let waits = "batch 3/3 of component store waits for batch 2: 3 of 4 replicas of statefulsets fleet/store are ready";
    assert_eq!((delivered(&world).as_str(), report(&world).reason.as_str()), ("store 2 2, web 1", waits));
    reports(&mut world, done(2));
    assert_eq!(delivered(&world), "store 2 0, web 1");
    reports(&mut world, Store { updated: 3, ..done(0) });
    let waits =
        "component web waits for store: statefulsets fleet/store is being updated: batch 3/3, 3 of 4 replicas (75 %)";
    assert_eq!((delivered(&world).as_str(), report(&world).reason.as_str()), ("store 2 0, web 1", waits));
    reports(&mut world, done(0));
    assert_eq!(delivered(&world), "store 2 0, web 2");
    assert_eq!(report(&world).state, ClusterState::Progressing);
    reports(&mut world, done(0));
    assert_eq!(report(&world).state, ClusterState::Succeeded);
}

#[test]
fn reports_with_another_partition_open_nothing() {
    let mut world = installed();
    let before = generation(&work(&world).1);
    commit(&mut world, shop(2));
    // All replicas run the version that the cluster had before, and stay there.
    for store in [done(0), Store { generation: Some(before), ..done(0) }, Store { partition: None, ..done(3) }, done(2)]
    {
        reports(&mut world, store);
        assert_eq!(delivered(&world), "store 2 3, web 1");
        assert!(report(&world).reason.contains("does not report it with the partition"), "{:?}", report(&world));
    }
    reports(&mut world, done(3));
    assert_eq!(delivered(&world), "store 2 2, web 1");
    // The report on the batch before is not one on this batch.
    reports(&mut world, done(3));
    assert_eq!(delivered(&world), "store 2 2, web 1");
}

#[test]
fn a_new_version_begins_with_the_first_batch_and_so_does_the_way_back() {
    let mut world = upgrading();
    reports(&mut world, done(3));
    assert_eq!(delivered(&world), "store 2 2, web 1");
    commit(&mut world, shop(3));
    assert_eq!(delivered(&world), "store 3 3, web 1");
    reports(&mut world, done(3));
    assert_eq!(delivered(&world), "store 3 2, web 1");
    commit(&mut world, shop(1));
    assert_eq!(delivered(&world), "store 1 3, web 1");
}

#[test]
fn a_partition_that_a_person_lowers_in_the_work_is_restored() {
    let mut world = upgrading();
    let (key, mut work) = work(&world);
    for manifest in work["spec"]["workload"]["manifests"].as_array_mut().unwrap() {
        if manifest["kind"] == "StatefulSet" {
            manifest["spec"]["updateStrategy"]["rollingUpdate"]["partition"] = json!(0);
            manifest["metadata"]["annotations"]["note"] = json!("edited");
        }
    }
    world.hub.patch(&key, &json!({ "spec": { "workload": work["spec"]["workload"] } }));
    let _ = world.run(&[]);
    assert_eq!(delivered(&world), "store 2 3, web 1");
    reports(&mut world, done(3));
    assert_eq!(delivered(&world), "store 2 2, web 1");
}

#[test]
fn a_version_without_batches_replaces_all_replicas() {
    let mut world = upgrading();
    let mut plain = stateful_set(3);
    plain["traits"] = json!([{ "type": "scaler", "properties": { "replicas": 4 } }]);
    commit(&mut world, with(3, &[plain, text("web", 3, &["store"])]));
    assert_eq!(delivered(&world), "store 3 null, web 1");
}

#[test]
#[should_panic(
    expected = "phase 1 was opened although StatefulSet fleet/store, which comes before, is not reported as ready"
)]
fn a_batch_that_is_opened_before_its_turn_is_a_violation() {
    let mut world = upgrading();
    reports(&mut world, Store { updated: 0, ..done(3) });
    let (key, work) = work(&world);
    let mut record = record(&work);
    record["phase"] = json!(1);
    world.hub.patch(&key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: record.to_string() } } }));
    world.check();
}

#[test]
#[should_panic(expected = "StatefulSet fleet/store of phase 1 was delivered while phase 0 was open")]
fn a_partition_that_is_lowered_before_its_turn_is_a_violation() {
    let mut world = upgrading();
    let (key, mut work) = work(&world);
    for manifest in work["spec"]["workload"]["manifests"].as_array_mut().unwrap() {
        if manifest["kind"] == "StatefulSet" {
            manifest["spec"]["updateStrategy"]["rollingUpdate"]["partition"] = json!(2);
        }
    }
    world.hub.patch(&key, &json!({ "spec": { "workload": work["spec"]["workload"] } }));
    world.check();
}

#[test]
fn replicas_that_were_replaced_and_are_not_ready_are_repaired_first() {
    let mut world = upgrading();
    reports(&mut world, done(3));
    assert_eq!(delivered(&world), "store 2 2, web 1");
    // Both new replicas are broken.
    reports(&mut world, Store { ready: 2, ..done(2) });
    commit(&mut world, shop(3));
    assert_eq!(delivered(&world), "store 3 2, web 1");
    reports(&mut world, Store { ready: 2, ..done(2) });
    let waits = "batch 3/3 of component store waits for batch 2: 2 of 4 replicas of statefulsets fleet/store are ready";
    assert_eq!(report(&world).reason, waits);
    reports(&mut world, done(2));
    assert_eq!(delivered(&world), "store 3 0, web 1");
    reports(&mut world, done(0));
    reports(&mut world, done(0));
    assert_eq!((delivered(&world).as_str(), report(&world).state), ("store 3 0, web 3", ClusterState::Succeeded));
}

#[test]
fn a_workload_that_is_not_ready_is_replaced_at_once() {
    let mut world = installed();
    reports(&mut world, Store { ready: 1, ..done(0) });
    commit(&mut world, shop(2));
    assert_eq!(delivered(&world), "store 2 0, web 1");
    reports(&mut world, done(0));
    reports(&mut world, done(0));
    assert_eq!((delivered(&world).as_str(), report(&world).state), ("store 2 0, web 2", ClusterState::Succeeded));
    // More replicas are broken than were replaced.
    let mut world = upgrading();
    reports(&mut world, Store { ready: 2, ..done(3) });
    commit(&mut world, shop(3));
    assert_eq!(delivered(&world), "store 3 0, web 1");
}

#[test]
fn the_same_version_is_not_replaced_at_once_because_its_own_replicas_are_broken() {
    let mut world = upgrading();
    reports(&mut world, Store { ready: 3, ..done(3) });
    // A person removes the record, so the cluster starts again.
    let (key, _) = work(&world);
    world.hub.patch(&key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: null } } }));
    let _ = world.run(&[]);
    world.check();
    assert_eq!(delivered(&world), "store 2 3, web 1");
}

#[test]
#[should_panic(expected = "batches were left out although StatefulSet fleet/store was ready")]
fn batches_that_are_left_out_without_a_reason_are_a_violation() {
    let mut world = upgrading();
    let (key, work) = work(&world);
    let mut record = record(&work);
    record["firstBatch"] = json!(1);
    world.hub.patch(&key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: record.to_string() } } }));
    world.check();
}
