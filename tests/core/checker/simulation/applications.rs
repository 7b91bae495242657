//! Applications: what happens to a cluster whose works are not as they were written.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::action::{Lane, Write};
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;
use tidegate_plan::{Input, Memo, Plan, Undecided, plan};

use super::world::{Event, World};
use tidegate_simulation::revision::{Form, Policy, Revision, Selects};

fn revision(version: u8) -> Revision {
    Revision { form: Form::Application, ..Revision::simple(version, Policy::all_at_once()) }
}

/// Returns a world in which all clusters have the application.
fn installed() -> World {
    let mut world = World::new(revision(1), Vec::new());
    let plan = world.run(&[]);
    assert!(reports(&plan).iter().all(|report| report.state == ClusterState::Succeeded), "{:#?}", plan.report);
    world
}

fn reports(plan: &Plan) -> Vec<&ClusterReport> {
    plan.report.addons[Form::Application.unit()].clusters.values().collect()
}

/// Returns the works of the hub.
fn works(world: &World) -> Vec<(ObjectKey, Value)> {
    world.hub.of_kind("ManifestWork").map(|(key, work)| (key.clone(), work.clone())).collect()
}

fn of<'w>(works: &'w [(ObjectKey, Value)], cluster: &str) -> &'w (ObjectKey, Value) {
    works.iter().find(|(key, _)| key.namespace == cluster).unwrap()
}

#[test]
fn an_application_has_no_objects_on_the_hub_but_its_works() {
    let world = installed();
    let works = works(&world);
    assert!(!works.is_empty());
    for (key, work) in &works {
        assert!(key.name.starts_with("app-hello-") && key.name.ends_with("-0"), "{key}");
        let metadata = &work["metadata"];
        assert_eq!(metadata["annotations"][key::UNIT], "application/fleet/hello");
        assert_eq!(metadata["labels"][key::INSTANCE_LABEL], crate::instance::instance().id.as_str());
        assert_eq!(metadata["ownerReferences"], Value::Null);
        assert_eq!(work["spec"]["manifestConfigs"][0]["updateStrategy"]["type"], "ServerSideApply");
    }
    for kind in ["ManagedClusterAddOn", "ClusterManagementAddOn", "AddOnTemplate", "Application"] {
        assert_eq!(world.hub.of_kind(kind).count(), 0, "{kind}");
    }
}

#[test]
fn a_cluster_is_given_its_content_and_the_record_of_it_in_one_write() {
    let mut world = installed();
    let before = works(&world);
    world.take(Event::Commit(Box::new(revision(2))));
    let plan = world.plan(tidegate_plan::PlacementMode::Builtin);
    let writes: Vec<_> = plan.lanes.iter().flat_map(|lane| &lane.writes).collect();
    assert_eq!(writes.len(), before.len(), "{writes:#?}");
    for write in writes {
        let Write::Patch { key, patch, .. } = write else { panic!("{write:?}") };
        let patch = patch.value();
        let record = patch["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap();
        assert!(record.contains("hello@2") && patch["spec"]["workload"].is_object(), "{key}: {patch}");
    }
}

#[test]
fn a_work_of_someone_else_is_never_touched_and_its_cluster_waits_with_a_reason() {
    let mut world = installed();
    let (key, _) = of(&works(&world), "c0").clone();
    world.hub.patch(&key, &json!({ "metadata": { "labels": { key::INSTANCE_LABEL: "fedcba9876543210" } } }));
    let before = of(&works(&world), "c0").clone();
    world.take(Event::Commit(Box::new(revision(2))));
    let plan = world.run(&[]);
    assert_eq!(of(&works(&world), "c0"), &before);
    let report = &plan.report.addons[Form::Application.unit()].clusters["c0"];
    assert_ne!(report.state, ClusterState::Succeeded);
    assert!(!report.reason.is_empty(), "{report:?}");
    // It is not removed from there, either.
    world.take(Event::Commit(Box::new(Revision { selects: Selects::Nobody, ..revision(2) })));
    let _ = world.run(&[]);
    assert_eq!(of(&works(&world), "c0"), &before);
}

#[test]
fn a_work_that_lost_its_mark_is_marked_again_and_its_cluster_starts_in_its_turn() {
    let mut world = installed();
    let (key, _) = of(&works(&world), "c0").clone();
    world.hub.patch(&key, &json!({ "metadata": { "labels": { key::INSTANCE_LABEL: Value::Null } } }));
    world.take(Event::Commit(Box::new(revision(2))));
    let plan = world.run(&[]);
    world.check();
    assert!(reports(&plan).iter().all(|report| report.state == ClusterState::Succeeded), "{:#?}", plan.report);
    let (_, work) = of(&works(&world), "c0").clone();
    assert!(work["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap().contains("hello@2"));
}

#[test]
fn a_cluster_whose_record_was_removed_starts_again_in_its_turn() {
    for record in [Value::Null, json!("{"), json!("{}")] {
        let mut world = installed();
        let (key, _) = of(&works(&world), "c0").clone();
        world.hub.patch(&key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: record } } }));
        let plan = world.run(&[]);
        world.check();
        assert!(reports(&plan).iter().all(|report| report.state == ClusterState::Succeeded), "{:#?}", plan.report);
        let (_, work) = of(&works(&world), "c0").clone();
        assert!(work["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap().contains("hello@1"));
    }
}

#[test]
fn a_record_of_another_cluster_or_unit_counts_for_nothing() {
    let mut world = installed();
    let all = works(&world);
    let copied = of(&all, "c1").1["metadata"]["annotations"][key::ASSIGNMENT].clone();
    world.take(Event::Commit(Box::new(revision(2))));
    let (key, _) = of(&all, "c0");
    world.hub.patch(key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: copied } } }));
    let plan = world.run(&[]);
    world.check();
    assert!(reports(&plan).iter().all(|report| report.version == "2"), "{:#?}", plan.report);
}

#[test]
fn an_application_that_left_leaves_nothing_on_the_hub() {
    let mut world = installed();
    // Without its record, it is still known that the work belongs to it.
    let (key, _) = of(&works(&world), "c0").clone();
    world.hub.patch(&key, &json!({ "metadata": { "annotations": { key::ASSIGNMENT: Value::Null } } }));
    let settings = "[prune]\nmax_percent = 100\n";
    world.take(Event::Commit(Box::new(Revision { selects: Selects::Nobody, settings, ..revision(1) })));
    let _ = world.run_for(60, &[]);
    let _ = world.run(&[]);
    assert_eq!(works(&world), []);
}

#[test]
fn works_stay_while_applications_are_switched_off() {
    let mut world = installed();
    let before = works(&world);
    let off = Revision {
        form: Form::AddOn,
        selects: Selects::Nobody,
        settings: "[prune]\nmax_percent = 100\n",
        ..revision(1)
    };
    world.take(Event::Commit(Box::new(off)));
    let _ = world.run_for(60, &[]);
    let _ = world.run(&[]);
    assert_eq!(works(&world), before);
}

#[test]
fn a_record_moves_before_its_work_is_deleted() {
    // A work holds at most 400 KiB.
    let map = |name: &str| {
        json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name },
            "data": { "text": name.repeat(300_000 / name.len()) },
        })
    };
    let application = |names: &[&str], version: &str| {
        let objects: Vec<Value> = names.iter().map(|name| map(name)).collect();
        json!({
            "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
            "metadata": {
                "name": "hello", "namespace": "fleet", "annotations": { "app.oam.dev/publishVersion": version },
            },
            "spec": {
                "components": [{ "name": "maps", "type": "k8s-objects", "properties": { "objects": objects } }],
                "policies": [{ "name": "all", "type": "placement", "properties": { "name": "everywhere" } }],
            },
        })
    };
    let with = |names: &[&str], version: &str| {
        // Its own application is left out.
        let files = [("big.yaml", application(names, version))].into();
        Revision { selects: Selects::Nobody, files, ..revision(1) }
    };
    let mut world = World::new(with(&["one", "two"], "1"), Vec::new());
    let _ = world.run(&[]);
    let names = |world: &World| -> Vec<String> {
        works(world).into_iter().filter(|(key, _)| key.namespace == "c0").map(|(key, _)| key.name).collect()
    };
    let [first, second]: [String; 2] = names(&world).try_into().unwrap();
    let record = |world: &World, name: &str| {
        let all = works(world);
        let (_, work) = all.iter().find(|(key, _)| key.namespace == "c0" && key.name == name).unwrap();
        work["metadata"]["annotations"][key::ASSIGNMENT].as_str().map(str::to_owned)
    };
    assert!(record(&world, &first).is_some() && record(&world, &second).is_none());
    world.take(Event::Commit(Box::new(with(&["two"], "2"))));
    let plan = world.plan(tidegate_plan::PlacementMode::Builtin);
    let lane = plan.lanes.iter().find(|lane| lane.writes[0].key().is_some_and(|key| key.namespace == "c0")).unwrap();
    let written: Vec<_> = lane.writes.iter().map(|write| (write.verb(), write.key().unwrap().name)).collect();
    assert_eq!(written, [("patches", first.clone()), ("patches", second.clone()), ("deletes", first)]);
    let plan = world.run(&[]);
    world.check();
    assert_eq!(names(&world), [second.as_str()]);
    assert!(record(&world, &second).unwrap().contains("hello@2"));
    assert!(reports(&plan).iter().all(|report| report.version == "2"), "{:#?}", plan.report);
}

#[test]
fn a_cluster_with_a_work_that_cannot_be_read_is_left_alone() {
    let mut world = installed();
    world.take(Event::Commit(Box::new(revision(2))));
    let (key, _) = of(&works(&world), "c0").clone();
    let mut fleet = world.hub.fleet().clone();
    let unit = Form::Application.unit();
    fleet.works.get_mut(unit).unwrap().remove("c0");
    let starts = |fleet: &tidegate_api::fleet::Fleet| {
        let instance = crate::instance::instance();
        let input = Input { now: world.now, ..Input::offline(&world.repository, fleet, &instance) };
        let plan = plan(&input, &mut Memo::default());
        let writes = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(Write::key);
        let is_started = writes.filter(|key| key.kind == "ManifestWork").any(|key| key.namespace == "c0");
        (is_started, plan.report.addons[unit].clusters["c0"].reason.clone())
    };
    assert!(starts(&fleet).0);
    fleet.unreadable.insert(key, "spec: invalid type".to_owned());
    let (is_started, reason) = starts(&fleet);
    assert!(!is_started && reason.contains("cannot be read"), "{reason}");
}

#[test]
fn works_wait_until_the_selected_clusters_are_recorded() {
    let mut world = installed();
    world.take(Event::Commit(Box::new(revision(2))));
    let plan = world.plan(tidegate_plan::PlacementMode::Builtin);
    let page = ObjectKey::new("cluster.open-cluster-management.io", "PlacementDecision", "fleet", "everywhere-1");
    let undecided = Undecided::of(&world.repository, [&page]);
    let of_works =
        |lane: &&Lane| lane.writes.iter().any(|write| write.key().is_some_and(|it| it.kind == "ManifestWork"));
    let lanes: Vec<_> = plan.lanes.iter().filter(of_works).collect();
    assert!(!lanes.is_empty() && lanes.iter().all(|lane| undecided.concerns(lane)));
    let elsewhere = ObjectKey { namespace: "shop".to_owned(), ..page };
    let others = Undecided::of(&world.repository, [&elsewhere]);
    assert!(lanes.iter().all(|lane| !others.concerns(lane)));
}
