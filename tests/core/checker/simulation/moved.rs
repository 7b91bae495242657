//! Objects that another unit has by now, or that two units have on one cluster only.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_simulation::revision::{Revision, Selects};

use super::ordered::{silence, text, with, worker};
use super::takeover::application;
use super::world::{Event, World};

const OTHER: &str = "application/fleet/other";

/// Returns the works on `c0`, or those with a start of a name.
pub(super) fn works(world: &World, prefix: &str) -> Vec<(ObjectKey, Value)> {
    let of_cluster = |key: &ObjectKey| key.namespace == "c0" && key.name.starts_with(prefix);
    let works = world.hub.of_kind("ManifestWork").filter(|(key, _)| of_cluster(key));
    works.map(|(key, work)| (key.clone(), work.clone())).collect()
}

/// Returns the names of the works on `c0` that have an object.
pub(super) fn holders(world: &World, object: &str) -> Vec<String> {
    let has = |work: &Value| {
        let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap();
        manifests.iter().any(|manifest| manifest["metadata"]["name"] == object)
    };
    let works = works(world, "").into_iter().filter(|(_, work)| has(work));
    works.map(|(key, _)| key.name.split('-').take(2).collect::<Vec<_>>().join("-")).collect()
}

/// A revision in which the object moved to another application, while the first one gets components in an order.
fn moved() -> Revision {
    let mut revision = with(2, &[worker("api", 2, &[]), text("page", 2, &["api"])]);
    revision.files.insert("other.yaml", application("other", "shared", json!({})));
    revision
}

/// A world in which the first application has the object, and the agent of `c0` says nothing from now on.
fn installed() -> World {
    let mut world = World::new(with(1, &[text("shared", 1, &[]), worker("api", 1, &[])]), Vec::new());
    let _ = world.run(&[]);
    assert_eq!(holders(&world, "shared"), ["app-hello"]);
    world.take(silence());
    world
}

#[test]
fn an_object_that_moved_is_in_one_work_while_the_first_unit_waits_for_a_component() {
    let mut world = installed();
    world.take(Event::Commit(Box::new(moved())));
    let _ = world.run(&[]);
    world.check();
    assert_eq!(holders(&world, "shared"), ["app-other"]);
    // Another object of the earlier version stays until the last phase.
    let mut stays = moved();
    stays.files.insert("other.yaml", application("other", "elsewhere", json!({})));
    let mut world = installed();
    world.take(Event::Commit(Box::new(stays)));
    let _ = world.run(&[]);
    world.check();
    assert_eq!(holders(&world, "shared"), ["app-hello"]);
    // A later commit moves it.
    world.take(Event::Commit(Box::new(moved())));
    let _ = world.run(&[]);
    world.check();
    assert_eq!(holders(&world, "shared"), ["app-other"]);
}

#[test]
#[should_panic(expected = "ConfigMap fleet/shared was kept although application/fleet/other has it by now")]
fn a_work_that_keeps_an_object_of_another_unit_is_a_violation() {
    let mut world = installed();
    world.take(Event::Commit(Box::new(moved())));
    let _ = world.run(&[]);
    world.check();
    let (key, mut work) = works(&world, "app-hello").remove(0);
    let shared =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "shared", "namespace": "fleet" } });
    work["spec"]["workload"]["manifests"].as_array_mut().unwrap().push(shared);
    world.hub.patch(&key, &json!({ "spec": { "workload": work["spec"]["workload"] } }));
    world.check();
}

/// An add-on with a ConfigMap that has the name of the cluster.
fn addon() -> BTreeMap<&'static str, Value> {
    let metadata = json!({ "name": "agent-{{CLUSTER_NAME}}", "namespace": "fleet" });
    let template = json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "AddOnTemplate", "metadata": { "name": "agent-1" },
        "spec": {
            "addonName": "agent",
            "agentSpec": { "workload": { "manifests": [{ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata }] } },
        },
    });
    let addon = json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ClusterManagementAddOn",
        "metadata": { "name": "agent" },
        "spec": {
            "defaultConfigs": [{ "group": "addon.open-cluster-management.io", "resource": "addontemplates", "name": "agent-1" }],
            "installStrategy": {
                "type": "Placements", "placements": [{ "namespace": "fleet", "name": "everywhere" }],
            },
        },
    });
    [("agent.yaml", addon), ("template.yaml", template)].into()
}

fn beside(files: BTreeMap<&'static str, Value>) -> Revision {
    Revision { files, selects: Selects::Nobody, ..with(1, &[text("text", 1, &[])]) }
}

#[test]
fn an_object_with_the_name_of_the_cluster_is_not_taken_over_where_the_names_are_the_same() {
    let mut world = World::new(beside(addon()), Vec::new());
    let _ = world.run(&[]);
    assert_eq!(holders(&world, "agent-c0"), ["addon-agent"]);
    let mut files = addon();
    files.insert("other.yaml", application("other", "agent-c0", json!({})));
    world.take(Event::Commit(Box::new(beside(files))));
    let plan = world.run(&[]);
    world.check();
    let clusters = &plan.report.addons[OTHER].clusters;
    let why =
        "agent has an object of it on the cluster, or is to have it there: the two have the same name on this cluster";
    assert_eq!((clusters["c0"].state, clusters["c0"].reason.as_str()), (ClusterState::Waiting, why));
    assert_eq!(clusters["c1"].state, ClusterState::Succeeded, "{:?}", clusters["c1"]);
    assert_eq!(holders(&world, "agent-c0"), ["addon-agent"]);
}

#[test]
fn of_two_units_that_would_get_an_object_in_one_commit_the_first_one_by_name_gets_it() {
    let mut files = addon();
    files.insert("other.yaml", application("other", "agent-c0", json!({})));
    let mut world = World::new(beside(files), Vec::new());
    let plan = world.run(&[]);
    world.check();
    assert_eq!(holders(&world, "agent-c0"), ["addon-agent"]);
    let state = |unit: &str, cluster: &str| plan.report.addons[unit].clusters[cluster].state;
    assert_eq!((state(OTHER, "c0"), state(OTHER, "c1")), (ClusterState::Waiting, ClusterState::Succeeded));
    assert_eq!(state("agent", "c0"), ClusterState::Succeeded);
}

#[test]
fn an_add_on_does_not_take_over_an_object_with_the_name_of_the_cluster_either() {
    let files: BTreeMap<_, _> = [("other.yaml", application("other", "agent-c0", json!({})))].into();
    let mut world = World::new(beside(files.clone()), Vec::new());
    let _ = world.run(&[]);
    assert_eq!(holders(&world, "agent-c0"), ["app-other"]);
    world.take(Event::Commit(Box::new(beside(files.into_iter().chain(addon()).collect()))));
    let _ = world.run(&[]);
    world.check();
    assert_eq!(holders(&world, "agent-c0"), ["app-other"]);
}
