//! Components that come after others on a cluster: what each tick delivers, whatever the agent of the cluster reports.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Form, Policy, Revision, Selects};

use super::world::{Event, Fate, World};

/// The agent of `c0` does nothing; the tests write what it reports.
const CLUSTER: &str = "c0";

pub(super) fn worker(name: &str, version: u8, after: &[&str]) -> Value {
    json!({
        "name": name, "type": "worker", "dependsOn": after,
        "properties": { "image": format!("example.com/{name}:{version}") },
        "traits": [{ "type": "scaler", "properties": { "replicas": 1 } }],
    })
}

pub(super) fn text(name: &str, version: u8, after: &[&str]) -> Value {
    let map = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name },
        "data": { "version": version.to_string() },
    });
    json!({ "name": name, "type": "k8s-objects", "dependsOn": after, "properties": { "objects": [map] } })
}

/// Returns a revision with these components.
pub(super) fn with(version: u8, components: &[Value]) -> Revision {
    within("None", version, components)
}

/// Returns a revision with these components and a deadline.
fn within(deadline: &str, version: u8, components: &[Value]) -> Revision {
    let application = json!({
        "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
        "metadata": {
            "name": "hello", "namespace": "fleet",
            "annotations": { "app.oam.dev/publishVersion": version.to_string() },
        },
        "spec": {
            "components": components,
            "policies": [{
                "name": "all", "type": "placement",
                "properties": {
                    "name": "everywhere",
                    "rolloutStrategy": { "type": "All", "all": { "progressDeadline": deadline } },
                },
            }],
        },
    });
    let files = [("application.yaml", application)].into();
    // Its own application is left out.
    Revision {
        form: Form::Application,
        selects: Selects::Nobody,
        files,
        ..Revision::simple(version, Policy::all_at_once())
    }
}

/// Returns a revision in which `web` comes after `api`, and `api` after `database`.
fn shop(version: u8) -> Revision {
    with(
        version,
        &[text("web", version, &["api"]), worker("api", version, &["database"]), worker("database", version, &[])],
    )
}

/// The agent of the cluster says nothing from now on.
pub(super) fn silence() -> Event {
    Event::Happens(Accident::Turn { cluster: 0, nature: Nature { conduct: Conduct::Silent, delay: 1 } })
}

/// Returns a world in which `c0` has not reported anything yet.
fn installing() -> World {
    let mut world = World::new(shop(1), vec![(0, silence())]);
    let _ = world.run(&[]);
    world
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
    world.take(Event::Commit(Box::new(shop(2))));
    let _ = world.run(&[]);
    world
}

fn works(world: &World) -> Vec<(ObjectKey, Value)> {
    let works = world.hub.of_kind("ManifestWork").filter(|(key, _)| key.namespace == CLUSTER);
    works.map(|(key, work)| (key.clone(), work.clone())).collect()
}

/// Returns the names of the objects in the works, each with its version.
fn delivered(world: &World) -> Vec<String> {
    let works = works(world);
    let manifests = works.iter().flat_map(|(_, work)| work["spec"]["workload"]["manifests"].as_array().unwrap());
    let version = |manifest: &Value| {
        let image = manifest["spec"]["template"]["spec"]["containers"][0]["image"].as_str();
        let of_image = image.and_then(|image| image.rsplit_once(':')).map(|(_, version)| version.to_owned());
        of_image.or(manifest["data"]["version"].as_str().map(str::to_owned)).unwrap()
    };
    let mut named: Vec<String> = manifests
        .map(|manifest| format!("{} {}", manifest["metadata"]["name"].as_str().unwrap(), version(manifest)))
        .collect();
    named.sort();
    named
}

fn record(world: &World) -> Value {
    let works = works(world);
    let record = works.iter().find_map(|(_, work)| work["metadata"]["annotations"][key::ASSIGNMENT].as_str());
    serde_json::from_str(record.unwrap()).unwrap()
}

fn report(world: &World) -> ClusterReport {
    world.history.last().unwrap().report.addons[Form::Application.unit()].clusters[CLUSTER].clone()
}

/// What the cluster reports about its objects.
#[derive(Clone, Copy)]
struct Reported<'a> {
    /// The workloads whose replicas are ready.
    ready: &'a [&'a str],
    /// The objects that the cluster refuses.
    refused: &'a [&'a str],
    /// The workloads that have not been looked at since, and their generation. That of the others is the one of the work.
    stale: (&'a [&'a str], i64),
}

const NOTHING: Reported<'_> = Reported { ready: &[], refused: &[], stale: (&[], 0) };

/// Lets the cluster report on its works as they are, and continues until nothing is left to do.
fn reports(world: &mut World, reported: Reported<'_>) {
    report_on_works(world, reported);
    let _ = world.run(&[]);
    world.check();
}

fn report_on_works(world: &mut World, reported: Reported<'_>) {
    for (key, work) in works(world) {
        world.hub.patch(&key, &json!({ "status": status(&work, reported, world) }));
    }
}

fn generation(work: &Value) -> i64 {
    work["metadata"]["generation"].as_i64().unwrap()
}

fn ready(world: &mut World, ready: &[&str]) {
    reports(world, Reported { ready, ..NOTHING });
}

fn status(work: &Value, Reported { ready, refused, stale }: Reported<'_>, world: &World) -> Value {
    let of_work = work["metadata"]["generation"].as_i64().unwrap();
    let condition = |type_: &str, holds: bool| {
        json!({
            "type": type_, "status": if holds { "True" } else { "False" }, "observedGeneration": of_work,
            "lastTransitionTime": world.now, "reason": "R", "message": "",
        })
    };
    let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap();
    let of_manifest = |(ordinal, manifest): (usize, &Value)| {
        let (name, kind) = (manifest["metadata"]["name"].as_str().unwrap(), manifest["kind"].as_str().unwrap());
        let (group, resource) = if kind == "Deployment" { ("apps", "deployments") } else { ("", "configmaps") };
        let replicas = i64::from(ready.contains(&name));
        let generation = if stale.0.contains(&name) { stale.1 } else { of_work };
        let number =
            |(name, value): (&str, i64)| json!({ "name": name, "fieldValue": { "type": "Integer", "integer": value } });
        let values = [
            ("ReadyReplicas", replicas),
            ("Replicas", 1),
            ("TidegateGeneration", generation),
            ("TidegateObservedGeneration", generation),
            ("TidegateUpdatedReplicas", 1),
            ("TidegateDesiredReplicas", 1),
        ];
        let values: Vec<Value> =
            if kind == "Deployment" { values.into_iter().map(number).collect() } else { Vec::new() };
        let holds = !refused.contains(&name);
        json!({
            "resourceMeta": {
                "ordinal": ordinal, "group": group, "version": "v1", "kind": kind, "resource": resource, "name": name,
                "namespace": manifest["metadata"]["namespace"],
            },
            "statusFeedback": { "values": values },
            "conditions": [condition("Applied", holds), condition("Available", holds)],
        })
    };
    let is_whole = !manifests.iter().any(|manifest| refused.contains(&manifest["metadata"]["name"].as_str().unwrap()));
    json!({
        "conditions": [condition("Applied", is_whole), condition("Available", is_whole)],
        "resourceStatus": { "manifests": manifests.iter().enumerate().map(of_manifest).collect::<Vec<_>>() },
    })
}

#[test]
fn c18_a_component_is_installed_once_the_one_before_it_is_healthy() {
    let mut world = installing();
    assert_eq!(delivered(&world), ["database 1"]);
    assert_eq!(record(&world)["phase"], Value::Null);
    ready(&mut world, &[]);
    assert_eq!(delivered(&world), ["database 1"]);
    assert_eq!(
        report(&world).reason,
        "component api waits for database: 0 of 1 replicas of deployments fleet/database are ready"
    );
    assert_eq!(report(&world).opens, "the component becomes healthy on the cluster");
    ready(&mut world, &["database"]);
    assert_eq!(delivered(&world), ["api 1", "database 1"]);
    assert_eq!(record(&world)["phase"], 1);
    assert_eq!(report(&world).state, ClusterState::Progressing);
    ready(&mut world, &["database"]);
    assert_eq!(
        report(&world).reason,
        "component web waits for api: 0 of 1 replicas of deployments fleet/api are ready"
    );
    ready(&mut world, &["api", "database"]);
    assert_eq!(delivered(&world), ["api 1", "database 1", "web 1"]);
    assert_eq!(report(&world).state, ClusterState::Progressing);
    ready(&mut world, &["api", "database"]);
    assert_eq!(report(&world).state, ClusterState::Succeeded);
    assert_eq!(record(&world)["phase"], 2);
}

#[test]
fn c18_an_upgrade_keeps_what_later_components_have() {
    let mut world = upgrading();
    assert_eq!(delivered(&world), ["api 1", "database 2", "web 1"]);
    assert_eq!(record(&world)["phase"], Value::Null);
    let strategies = |world: &World| -> Vec<Value> {
        let works = works(world);
        let configs = works.iter().flat_map(|(_, work)| work["spec"]["manifestConfigs"].as_array().unwrap());
        configs.map(|config| config["updateStrategy"]["type"].clone()).collect()
    };
    assert_eq!(strategies(&world), ["ServerSideApply"; 3]);
    // The old version of a later component need not be healthy.
    ready(&mut world, &["database"]);
    assert_eq!(delivered(&world), ["api 2", "database 2", "web 1"]);
    assert_eq!(strategies(&world), ["ServerSideApply"; 3]);
    ready(&mut world, &["api", "database"]);
    assert_eq!(delivered(&world), ["api 2", "database 2", "web 2"]);
}

#[test]
fn c18_reports_from_before_open_nothing() {
    let mut world = installed();
    let before = works(&world);
    ready(&mut world, &["api", "database"]);
    world.take(Event::Commit(Box::new(shop(2))));
    let _ = world.run(&[]);
    // The agent has not seen the new version, and everything it reports is healthy.
    assert_eq!(delivered(&world), ["api 1", "database 2", "web 1"]);
    assert_ne!(generation(&works(&world)[0].1), generation(&before[0].1));
    // It has applied it, and repeats what it observed before: that counts only once it must have looked again.
    let at = world.now;
    let stale = (&["api", "database"][..], generation(&before[0].1));
    let reported = Reported { ready: &["api", "database"], stale, ..NOTHING };
    report_on_works(&mut world, reported);
    while record(&world)["phase"] != 1 {
        assert!(world.run_for(1, &[]).is_none());
    }
    assert_eq!(delivered(&world), ["api 2", "database 2", "web 1"]);
    assert!(at.duration_until(world.now).as_secs() >= 25, "{at} {}", world.now);
    // It applies the next phase before the next plan, and repeats what it observed again.
    let at = world.now;
    reports(&mut world, reported);
    assert_eq!(delivered(&world), ["api 2", "database 2", "web 2"]);
    assert!(at.duration_until(world.now).as_secs() >= 25, "{at} {}", world.now);
}

#[test]
fn what_does_not_change_counts_once_it_is_reported_after_the_start() {
    let mut world = installed();
    let generation = generation(&works(&world)[0].1);
    let components = [text("web", 2, &["api"]), worker("api", 1, &["database"]), worker("database", 2, &[])];
    world.take(Event::Commit(Box::new(with(2, &components))));
    let _ = world.run(&[]);
    let at = world.now;
    reports(&mut world, Reported { ready: &["api", "database"], stale: (&["api"], generation), ..NOTHING });
    assert_eq!(delivered(&world), ["api 1", "database 2", "web 2"]);
    assert!(at.duration_until(world.now).as_secs() >= 25, "{at} {}", world.now);
}

#[test]
fn a_pause_does_not_stop_the_phases_of_a_cluster_that_has_started() {
    let mut world = installing();
    let control = json!({
        "apiVersion": "tidegate.io/v1alpha1", "kind": "Control", "pause": { "reason": "incident" },
    });
    let mut paused = shop(1);
    paused.files.insert(Form::Application.control(), control);
    world.take(Event::Commit(Box::new(paused)));
    ready(&mut world, &["database"]);
    assert_eq!(delivered(&world), ["api 1", "database 1"]);
}

#[test]
fn objects_that_the_new_version_does_not_have_stay_until_the_last_phase() {
    let mut world = installed();
    let components = [worker("api", 2, &["database"]), worker("database", 2, &[]), worker("other", 2, &[])];
    world.take(Event::Commit(Box::new(with(2, &components))));
    let _ = world.run(&[]);
    assert_eq!(delivered(&world), ["api 1", "database 2", "other 2", "web 1"]);
    ready(&mut world, &["database"]);
    assert_eq!(
        report(&world).reason,
        "component api waits for other: 0 of 1 replicas of deployments fleet/other are ready"
    );
    ready(&mut world, &["database", "other"]);
    assert_eq!(delivered(&world), ["api 2", "database 2", "other 2"]);
}

#[test]
fn an_old_object_that_the_cluster_refuses_does_not_hold_up_its_repair() {
    let mut world = upgrading();
    reports(&mut world, Reported { ready: &["database"], refused: &["database"], ..NOTHING });
    assert_eq!(delivered(&world), ["api 1", "database 2", "web 1"]);
    reports(&mut world, Reported { ready: &["database"], refused: &["api"], ..NOTHING });
    assert_eq!(delivered(&world), ["api 2", "database 2", "web 1"]);
    reports(&mut world, Reported { ready: &["database", "api"], refused: &["api"], ..NOTHING });
    assert_eq!(delivered(&world), ["api 2", "database 2", "web 1"]);
}

#[test]
fn a_component_that_becomes_unhealthy_later_takes_nothing_back() {
    let mut world = installing();
    ready(&mut world, &["database"]);
    ready(&mut world, &[]);
    assert_eq!(delivered(&world), ["api 1", "database 1"]);
    // What was delivered is repaired.
    let (key, mut work) = works(&world).remove(0);
    let manifests = work["spec"]["workload"]["manifests"].as_array_mut().unwrap();
    manifests.retain(|manifest| manifest["metadata"]["name"] == "database");
    world.hub.patch(&key, &json!({ "spec": { "workload": { "manifests": manifests } } }));
    let _ = world.run(&[]);
    assert_eq!(delivered(&world), ["api 1", "database 1"]);
    ready(&mut world, &["api"]);
    assert_eq!(
        report(&world).reason,
        "component web waits for database: 0 of 1 replicas of deployments fleet/database are ready"
    );
}

#[test]
fn a_new_version_begins_with_the_first_components_again() {
    let mut world = upgrading();
    ready(&mut world, &["database"]);
    assert_eq!(record(&world)["phase"], 1);
    world.take(Event::Commit(Box::new(shop(3))));
    let _ = world.run(&[]);
    assert_eq!(delivered(&world), ["api 2", "database 3", "web 1"]);
    assert_eq!(record(&world)["phase"], Value::Null);
    // And so does the way back.
    world.take(Event::Commit(Box::new(shop(1))));
    let _ = world.run(&[]);
    assert_eq!(delivered(&world), ["api 2", "database 1", "web 1"]);
}

#[test]
fn a_cluster_whose_first_component_never_becomes_healthy_times_out() {
    let shop = within("10m", 1, &[worker("api", 1, &["database"]), worker("database", 1, &[])]);
    let mut world = World::new(shop, vec![(0, silence())]);
    let _ = world.run_for(3, &[]);
    ready(&mut world, &[]);
    let report = report(&world);
    assert_eq!(report.state, ClusterState::TimedOut);
    assert!(report.reason.contains("component api waits for database"), "{report:?}");
    assert_eq!(delivered(&world), ["database 1"]);
    // It is late, and goes on.
    ready(&mut world, &["database"]);
    assert_eq!(delivered(&world), ["api 1", "database 1"]);
}

#[test]
fn a_cluster_that_waits_opens_no_phase_and_is_repaired_as_it_was() {
    let mut world = installing();
    let control = json!({
        "apiVersion": "tidegate.io/v1alpha1", "kind": "Control", "pause": { "reason": "incident" },
    });
    let mut next = shop(2);
    next.files.insert(Form::Application.control(), control);
    world.take(Event::Commit(Box::new(next)));
    ready(&mut world, &["database"]);
    assert_eq!(report(&world).state, ClusterState::Waiting);
    assert_eq!(delivered(&world), ["database 1"]);
    let (key, _) = works(&world).remove(0);
    let text = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "database", "namespace": "fleet" },
        "data": { "version": "9" },
    });
    world.hub.patch(&key, &json!({ "spec": { "workload": { "manifests": [text] } } }));
    let _ = world.run(&[]);
    // What was there stays until the last phase, and what was taken away is there again.
    assert_eq!(delivered(&world), ["database 1", "database 9"]);
}

#[test]
fn a_phase_that_cannot_be_read_opens_nothing() {
    for phase in [json!("2"), json!(-1), json!(1.5)] {
        let mut world = installing();
        let (key, _) = works(&world).remove(0);
        let mut record = record(&world);
        record["phase"] = phase;
        world.hub.patch(&key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: record.to_string() } } }));
        ready(&mut world, &[]);
        assert_eq!(delivered(&world), ["database 1"]);
    }
}

#[test]
fn a_rollout_is_completed_if_the_hub_refuses_some_works() {
    // A work holds at most 400 KiB.
    let large = |name: &str, version: u8, after: &[&str]| {
        let mut component = text(name, version, after);
        component["properties"]["objects"][0]["data"]["text"] = json!(name.repeat(300_000 / name.len()));
        component
    };
    let shop = |version: u8| {
        with(
            version,
            &[large("web", version, &["api"]), worker("api", version, &["texts"]), large("texts", version, &[])],
        )
    };
    for fate in
        [Fate::Refused { every: 1, after: 1 }, Fate::Refused { every: 1, after: 0 }, Fate::Dies(100), Fate::Dies(200)]
    {
        let mut world = World::new(shop(1), Vec::new());
        let _ = world.run(&[fate; 12]);
        world.take(Event::Commit(Box::new(shop(2))));
        let _ = world.run(&[fate; 12]);
        world.check();
        assert_eq!(report(&world).state, ClusterState::Succeeded);
        assert_eq!(delivered(&world), ["api 2", "texts 2", "web 2"]);
    }
}

#[test]
fn what_a_person_changes_in_a_work_is_no_violation() {
    let mut world = upgrading();
    let (key, mut work) = works(&world).remove(0);
    let manifests = work["spec"]["workload"]["manifests"].as_array_mut().unwrap();
    manifests.retain(|manifest| manifest["metadata"]["name"] != "web");
    for manifest in manifests {
        manifest["metadata"]["annotations"] = json!({ "note": "edited" });
    }
    world.hub.patch(&key, &json!({ "spec": { "workload": work["spec"]["workload"] } }));
    let _ = world.run(&[]);
    ready(&mut world, &["database"]);
    ready(&mut world, &["api", "database"]);
    assert_eq!(delivered(&world), ["api 2", "database 2", "web 2"]);
    assert!(!works(&world)[0].1.to_string().contains("edited"));
}

/// Changes the record of the cluster.
fn set(world: &mut World, change: impl FnOnce(&mut Value)) {
    let (key, _) = works(world).remove(0);
    let mut record = record(world);
    change(&mut record);
    world.hub.patch(&key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: record.to_string() } } }));
    world.check();
}

#[test]
#[should_panic(
    expected = "phase 1 was opened although Deployment fleet/database, which comes before, is not reported as ready"
)]
fn a_phase_that_is_opened_before_its_turn_is_a_violation() {
    let mut world = installing();
    ready(&mut world, &[]);
    set(&mut world, |record| record["phase"] = json!(1));
}

#[test]
#[should_panic(expected = "Deployment fleet/api of phase 1 was delivered while phase 0 was open")]
fn a_component_that_is_delivered_before_its_turn_is_a_violation() {
    let mut world = installing();
    ready(&mut world, &[]);
    let (key, mut work) = works(&world).remove(0);
    let of_other = world.hub.of_kind("ManifestWork").find(|(key, _)| key.namespace != CLUSTER).unwrap().1;
    let mut all = of_other["spec"]["workload"]["manifests"].as_array().unwrap().iter();
    let early = all.find(|manifest| manifest["metadata"]["name"] == "api").unwrap().clone();
    let manifests = work["spec"]["workload"]["manifests"].as_array_mut().unwrap();
    manifests.push(early);
    world.hub.patch(&key, &json!({ "spec": { "workload": { "manifests": manifests } } }));
    world.check();
}

#[test]
#[should_panic(expected = "success was reported although ConfigMap fleet/web was not delivered")]
fn a_success_without_all_components_is_a_violation() {
    let mut world = installing();
    ready(&mut world, &[]);
    set(&mut world, |record| {
        let conditions = record["conditions"].as_array_mut().unwrap();
        let progressing = conditions.iter_mut().find(|found| found["type"] == "Progressing").unwrap();
        progressing["reason"] = json!("Completed");
        progressing["status"] = json!("False");
    });
}
