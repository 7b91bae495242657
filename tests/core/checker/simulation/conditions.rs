//! Objects with conditions of their own (`readyWhen`): what each tick delivers and reports, whatever the agent of the cluster says about them.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Form, Policy, Revision, Selects};

use super::world::{Event, World};

/// The agent of `c0` does nothing; the tests write what it reports.
const CLUSTER: &str = "c0";

/// Returns a revision with a cache, whose kind nothing is known about, and with a worker that comes after it.
fn shop(version: u8) -> Revision {
    let cache = json!({
        "apiVersion": "example.com/v1", "kind": "Cache", "metadata": { "name": "${context.name}" },
        "spec": { "size": "${parameters.size}" },
    });
    let definition = json!({
        "apiVersion": "core.oam.dev/v1beta1", "kind": "ComponentDefinition",
        "metadata": { "name": "cache", "namespace": "fleet" },
        "spec": { "schematic": { "tidegate": {
            "parameters": { "type": "object", "properties": { "size": { "type": "integer" } } },
            "objects": [{
                "name": "cache", "template": cache,
                "readyWhen": ["${object.status.phase == 'Running'}", "${object.status.size == object.spec.size}"],
            }],
        } } },
    });
    let application = json!({
        "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
        "metadata": {
            "name": "hello", "namespace": "fleet",
            "annotations": { "app.oam.dev/publishVersion": version.to_string() },
        },
        "spec": {
            "components": [
                { "name": "store", "type": "cache", "properties": { "size": version } },
                { "name": "web", "type": "worker", "dependsOn": ["store"], "properties": { "image": "example.com/web:1" } },
            ],
            "policies": [{ "name": "all", "type": "placement", "properties": {
                "name": "everywhere", "rolloutStrategy": { "type": "All", "all": { "progressDeadline": "None" } },
            } }],
        },
    });
    // Its own application is left out.
    Revision {
        form: Form::Application,
        selects: Selects::Nobody,
        files: [("application.yaml", application), ("definition.yaml", definition)].into(),
        ..Revision::simple(version, Policy::all_at_once())
    }
}

fn installing() -> World {
    let silence = Accident::Turn { cluster: 0, nature: Nature { conduct: Conduct::Silent, delay: 1 } };
    let mut world = World::new(shop(1), vec![(0, Event::Happens(silence))]);
    let _ = world.run(&[]);
    world
}

fn work(world: &World) -> (ObjectKey, Value) {
    let mut works = world.hub.of_kind("ManifestWork").filter(|(key, _)| key.namespace == CLUSTER);
    works.next().map(|(key, work)| (key.clone(), work.clone())).unwrap()
}

fn report(world: &World) -> ClusterReport {
    world.history.last().unwrap().report.addons[Form::Application.unit()].clusters[CLUSTER].clone()
}

/// A value as an agent reports it.
fn value(name: &str, value: Value) -> Value {
    let (type_, member) = if value.is_string() { ("String", "string") } else { ("Integer", "integer") };
    json!({ "name": name, "fieldValue": { "type": type_, member: value } })
}

/// What the cluster reports of a cache with this phase and size.
fn running(phase: &str, size: u8) -> Vec<Value> {
    vec![
        value("TidegateReady.status.phase", json!(phase)),
        value("TidegateReady.status.size", json!(size)),
        value("TidegateReady.spec.size", json!(size)),
    ]
}

/// Lets the cluster report on its work, and this about the cache, and continues until nothing is left to do. Its worker is ready.
fn reports(world: &mut World, cache: &[Value]) {
    let (key, work) = work(world);
    let generation = work["metadata"]["generation"].clone();
    let now = world.now;
    let condition = |type_: &str| {
        json!({
            "type": type_, "status": "True", "observedGeneration": generation, "lastTransitionTime": now, "reason": "R",
            "message": "",
        })
    };
    let of_manifest = |(ordinal, manifest): (usize, &Value)| {
        let kind = manifest["kind"].as_str().unwrap();
        let (group, _) = manifest["apiVersion"].as_str().unwrap().split_once('/').unwrap();
        let of_generation =
            ["TidegateGeneration", "TidegateObservedGeneration"].map(|name| value(name, generation.clone()));
        let numbers = ["ReadyReplicas", "Replicas", "TidegateUpdatedReplicas", "TidegateDesiredReplicas"];
        let own = if kind == "Cache" {
            [cache, &[value("TidegateUid", json!("u-1"))]].concat()
        } else {
            numbers.map(|name| value(name, json!(1))).to_vec()
        };
        let values = [&of_generation[..], &own].concat();
        json!({
            "resourceMeta": {
                "ordinal": ordinal, "group": group, "version": "v1", "kind": kind,
                "resource": format!("{}s", kind.to_lowercase()), "name": manifest["metadata"]["name"],
                "namespace": manifest["metadata"]["namespace"],
            },
            "statusFeedback": { "values": values },
            "conditions": [condition("Applied"), condition("Available")],
        })
    };
    let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap().iter().enumerate();
    let status = json!({
        "conditions": [condition("Applied"), condition("Available")],
        "resourceStatus": { "manifests": manifests.map(of_manifest).collect::<Vec<_>>() },
    });
    world.hub.patch(&key, &json!({ "status": status }));
    let _ = world.run(&[]);
    world.check();
}

fn delivered(world: &World) -> Vec<String> {
    let (_, work) = work(world);
    let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap().iter();
    manifests.map(|manifest| manifest["kind"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn c23_an_object_of_another_kind_is_done_once_its_cluster_reports_that_its_conditions_hold() {
    let mut world = installing();
    let asked = work(&world).1["spec"]["manifestConfigs"][0]["feedbackRules"].to_string();
    assert!(asked.contains(r#"{"name":"TidegateReady.status.phase","path":".status.phase"}"#), "{asked}");
    reports(&mut world, &[]);
    assert_eq!(
        report(&world).reason,
        "component web waits for store: caches fleet/store is not ready: the cluster does not report .status.phase, which \
         object.status.phase == 'Running' reads"
    );
    reports(&mut world, &running("Starting", 1));
    assert_eq!(
        report(&world).reason,
        "component web waits for store: caches fleet/store is not ready: object.status.phase == 'Running' is not true"
    );
    assert_eq!(delivered(&world), ["Cache"]);
    reports(&mut world, &running("Running", 1));
    assert_eq!(delivered(&world), ["Cache", "Deployment"]);
    reports(&mut world, &running("Starting", 1));
    assert_eq!(report(&world).state, ClusterState::Progressing);
    reports(&mut world, &running("Running", 1));
    assert_eq!(report(&world).state, ClusterState::Succeeded);
}

#[test]
fn c23_a_report_from_before_an_upgrade_proves_nothing() {
    let mut world = installing();
    reports(&mut world, &running("Running", 1));
    reports(&mut world, &running("Running", 1));
    assert_eq!(report(&world).state, ClusterState::Succeeded);
    world.take(Event::Commit(Box::new(shop(2))));
    let _ = world.run(&[]);
    let stale = [
        value("TidegateReady.status.phase", json!("Running")),
        value("TidegateReady.status.size", json!(1)),
        value("TidegateReady.spec.size", json!(2)),
    ];
    reports(&mut world, &stale);
    assert_eq!(
        report(&world).reason,
        "component web waits for store: caches fleet/store is not ready: object.status.size == object.spec.size is not true"
    );
    reports(&mut world, &running("Running", 2));
    reports(&mut world, &running("Running", 2));
    assert_eq!(report(&world).state, ClusterState::Succeeded);
}

/// Changes the record of the cluster, which has reported that its cache starts.
fn forged(change: impl FnOnce(&mut Value)) {
    let mut world = installing();
    reports(&mut world, &running("Starting", 1));
    let (key, work) = work(&world);
    let mut record: Value =
        serde_json::from_str(work["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap()).unwrap();
    change(&mut record);
    world.hub.patch(&key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: record.to_string() } } }));
    world.check();
}

#[test]
#[should_panic(
    expected = "phase 1 was opened although Cache fleet/store, which comes before, is not reported as ready"
)]
fn c23_a_phase_that_is_opened_before_the_conditions_hold_is_a_violation() {
    forged(|record| record["phase"] = json!(1));
}
