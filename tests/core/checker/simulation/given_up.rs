//! Objects that move to another unit, which cannot start yet.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::progress::ClusterState;
use tidegate_plan::Plan;
use tidegate_plan::report::ClusterReport;
use tidegate_simulation::revision::{Form, Policy, Revision, Selects};

use super::contested::{agent, deployment};
use super::generate::OPEN;
use super::moved::{holders, works};
use super::ordered::{text, with};
use super::takeover::application;
use super::world::{Event, World};

const OTHER: &str = "application/fleet/other";

/// Files with another application that has an object.
fn other(object: &str, annotations: Value) -> BTreeMap<&'static str, Value> {
    [("other.yaml", application("other", object, annotations))].into()
}

/// Adds a control file that pauses the other application.
fn paused(mut files: BTreeMap<&'static str, Value>) -> BTreeMap<&'static str, Value> {
    let control = json!({ "apiVersion": "tidegate.io/v1alpha1", "kind": "Control", "pause": { "reason": "incident" } });
    files.insert("control/applications/fleet/other.yaml", control);
    files
}

/// A revision in which the first application has one object, besides these files.
fn having(object: &str, files: BTreeMap<&'static str, Value>) -> Revision {
    let mut revision = Revision { settings: OPEN, ..with(2, &[text(object, 1, &[])]) };
    revision.files.extend(files);
    revision
}

/// A world in which the first application has the object `shared` on all clusters, besides these files.
fn installed(files: BTreeMap<&'static str, Value>) -> World {
    let mut world = World::new(having("shared", files), Vec::new());
    let _ = world.run(&[]);
    assert_eq!(holders(&world, "shared"), ["app-hello"]);
    world
}

/// Commits a revision, and lets it be rolled out as far as possible.
fn commit(world: &mut World, revision: Revision) -> Plan {
    world.take(Event::Commit(Box::new(revision)));
    let plan = world.run(&[]);
    world.check();
    plan
}

fn report<'p>(plan: &'p Plan, unit: &str) -> &'p ClusterReport {
    &plan.report.addons[unit].clusters["c0"]
}

#[test]
fn an_object_that_moves_stays_until_the_other_unit_has_it() {
    let mut world = installed(BTreeMap::new());
    let moved = other("shared", json!({}));
    let plan = commit(&mut world, having("page", paused(moved.clone())));
    let hello = report(&plan, Form::Application.unit());
    assert_eq!((hello.state, hello.started, hello.since), (ClusterState::Waiting, None, None));
    assert_eq!(
        hello.reason,
        "waits until application/fleet/other has ConfigMap fleet/shared on the cluster: it moves there, and would be deleted"
    );
    assert_eq!(holders(&world, "shared"), ["app-hello"]);
    let plan = commit(&mut world, having("page", moved));
    assert_eq!(holders(&world, "shared"), ["app-other"]);
    assert_eq!(report(&plan, Form::Application.unit()).state, ClusterState::Succeeded);
}

#[test]
fn a_unit_that_was_renamed_stays_until_the_new_one_has_its_objects() {
    let mut world = installed(BTreeMap::new());
    let renamed = |files| Revision { files, ..having("shared", BTreeMap::new()) };
    let moved = other("shared", json!({}));
    let plan = commit(&mut world, renamed(paused(moved.clone())));
    let hello = report(&plan, Form::Application.unit());
    assert_eq!(hello.state, ClusterState::Leaving);
    assert_eq!(
        hello.reason,
        "keeps the application until application/fleet/other has ConfigMap fleet/shared on the cluster: it moves there, and would be deleted"
    );
    let _ = commit(&mut world, renamed(moved));
    assert_eq!(holders(&world, "shared"), ["app-other"]);
}

/// A world in which the first application was replaced by another one with its object, which is paused.
fn waiting(object: &str) -> World {
    let mut world = installed(BTreeMap::new());
    let files = paused(other("shared", json!({})));
    let revision = match object {
        "" => Revision { files, ..having("shared", BTreeMap::new()) },
        own => having(own, files),
    };
    let _ = commit(&mut world, revision);
    world
}

#[test]
#[should_panic(
    expected = "application/fleet/hello gave up ConfigMap fleet/shared on c0 before application/fleet/other had it there"
)]
fn the_removal_of_a_unit_before_another_one_has_its_objects_is_a_violation() {
    let mut world = waiting("");
    for (key, _) in works(&world, "app-hello") {
        world.hub.delete(&key);
    }
    world.check();
}

#[test]
#[should_panic(
    expected = "application/fleet/hello gave up ConfigMap fleet/shared on c0 before application/fleet/other had it there"
)]
fn a_start_without_an_object_that_another_unit_does_not_have_yet_is_a_violation() {
    let mut world = waiting("page");
    let (_, mut work) = works(&world, "app-hello").remove(0);
    let hash = &world.repository.addons[Form::Application.unit()].configurations.values().next().unwrap().spec_hash;
    let record = work["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap();
    let mut record: Value = serde_json::from_str(record).unwrap();
    record["configReferences"][0]["desiredConfig"]["specHash"] = json!(hash);
    work["metadata"]["annotations"][key::ASSIGNMENT] = json!(record.to_string());
    work["spec"]["workload"]["manifests"][0]["metadata"]["name"] = json!("page");
    world.hub.apply(work);
    world.check();
}

#[test]
fn an_object_that_moves_is_deleted_where_the_other_unit_is_not_delivered() {
    let mut world = installed(BTreeMap::new());
    let mut moved = application("other", "shared", json!({}));
    moved["spec"]["policies"][0] = json!({
        "name": "all", "type": "topology", "properties": { "clusters": ["c1"] },
    });
    let plan = commit(&mut world, having("page", [("other.yaml", moved)].into()));
    assert_eq!(report(&plan, Form::Application.unit()).state, ClusterState::Succeeded);
    assert_eq!(holders(&world, "shared"), Vec::<String>::new());
}

#[test]
fn units_that_give_each_other_objects_do_not_wait_for_each_other() {
    let mut world = installed(other("page", json!({})));
    let plan = commit(&mut world, having("page", other("shared", json!({}))));
    assert_eq!(
        (holders(&world, "shared"), holders(&world, "page")),
        (vec!["app-other".to_owned()], vec!["app-hello".to_owned()])
    );
    for unit in [Form::Application.unit(), OTHER] {
        assert_eq!(report(&plan, unit).state, ClusterState::Succeeded, "{unit}");
    }
}

#[test]
fn an_application_and_an_app_deployment_of_it_replace_each_other() {
    let mut agent = agent();
    let policy = json!({ "name": "all", "type": "placement", "properties": { "name": "everywhere" } });
    agent["spec"]["policies"] = json!([policy]);
    let own = || Revision {
        form: Form::Application,
        selects: Selects::Nobody,
        files: [("agent.yaml", agent.clone())].into(),
        ..Revision::simple(1, Policy::all_at_once())
    };
    let revised = || Revision { settings: OPEN, ..deployment(&[json!({ "tier": "canary" })]) };
    let mut world = World::new(own(), Vec::new());
    let _ = world.run(&[]);
    assert_eq!(holders(&world, "agent"), ["app-agent"]);
    let _ = commit(&mut world, revised());
    assert_eq!(holders(&world, "agent"), ["app-hello"]);
    let _ = commit(&mut world, Revision { settings: OPEN, ..own() });
    assert_eq!(holders(&world, "agent"), ["app-agent"]);
}

#[test]
fn a_unit_does_not_wait_for_one_that_requires_it() {
    let mut world = installed(BTreeMap::new());
    let requires = json!({ "tidegate.io/requires": "application/fleet/hello" });
    let plan = commit(&mut world, having("page", other("shared", requires)));
    assert_eq!(holders(&world, "shared"), ["app-other"]);
    assert_eq!(report(&plan, Form::Application.unit()).state, ClusterState::Succeeded);
}
