//! Objects of a unit that is not rolled out any more, and keeps what clusters have.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::action::Write;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;
use tidegate_plan::{Input, Memo, Plan, plan};

use super::world::{Event, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Form, Policy, Revision, Selects};

const OTHER: &str = "application/fleet/other";

fn installed() -> World {
    let revision = Revision { form: Form::Application, ..Revision::simple(1, Policy::all_at_once()) };
    let mut world = World::new(revision, Vec::new());
    let _ = world.run(&[]);
    world
}

/// Returns an application with a ConfigMap.
pub(super) fn application(name: &str, object: &str, annotation: Value) -> Value {
    let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": object } });
    let policy = json!({ "name": "all", "type": "placement", "properties": { "name": "everywhere" } });
    json!({
        "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
        "metadata": { "name": name, "namespace": "fleet", "annotations": annotation },
        "spec": {
            "components": [{ "name": name, "type": "k8s-objects", "properties": { "objects": [object] } }],
            "policies": [policy],
        },
    })
}

/// Returns a revision in which the application that was rolled out is a candidate, and another one has an object.
fn candidate_beside(object: &str) -> Revision {
    let candidate = application("hello", "elsewhere", json!({ "app.oam.dev/revision-only": "true" }));
    let other = application("other", object, json!({}));
    Revision {
        form: Form::Application,
        selects: Selects::Nobody,
        files: [("candidate.yaml", candidate), ("other.yaml", other)].into(),
        ..Revision::simple(1, Policy::all_at_once())
    }
}

/// Returns the reports about the other application in the revision.
fn reports(world: &mut World, revision: Revision) -> Vec<ClusterReport> {
    world.take(Event::Commit(Box::new(revision)));
    let plan = world.run(&[]);
    world.check();
    plan.report.addons[OTHER].clusters.values().cloned().collect()
}

/// Returns the number of works of the other application.
fn works(world: &World) -> usize {
    world.hub.of_kind("ManifestWork").filter(|(key, _)| key.name.starts_with("app-other-")).count()
}

#[test]
fn an_object_of_a_candidate_is_not_taken_over() {
    let mut world = installed();
    let kept = reports(&mut world, candidate_beside("text"));
    assert_eq!((works(&world), kept.len()), (0, 2));
    for report in kept {
        assert_eq!(report.state, ClusterState::Waiting);
        assert_eq!(
            report.reason,
            "the cluster has an object of it that application/fleet/hello delivered there, and keeps: it is revision-only, or has errors"
        );
    }
    // Another object does not matter.
    let done = reports(&mut world, candidate_beside("page"));
    assert!(done.iter().all(|report| report.state == ClusterState::Succeeded), "{done:?}");
}

#[test]
fn an_object_is_taken_over_once_the_candidate_is_rolled_out_without_it() {
    let mut world = installed();
    let _ = reports(&mut world, candidate_beside("text"));
    let mut rolled_out = candidate_beside("text");
    rolled_out.files.insert("candidate.yaml", application("hello", "elsewhere", json!({})));
    let done = reports(&mut world, rolled_out);
    assert!(done.iter().all(|report| report.state == ClusterState::Succeeded), "{done:?}");
}

/// Returns a revision with a limit of one cluster under way.
fn limited(mut revision: Revision) -> Revision {
    let limit = json!({
        "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": "one" },
        "spec": { "limits": [{ "name": "one", "maxClusters": 1 }] },
    });
    revision.files.insert("limit.yaml", limit);
    revision
}

#[test]
fn a_cluster_that_was_under_way_takes_no_slot_once_its_unit_is_a_candidate() {
    // Nothing looks after it, so that the slot would never be free.
    let mut world = installed();
    let nature = Nature { conduct: Conduct::Silent, delay: 1 };
    world.take(Event::Happens(Accident::Turn { cluster: 1, nature }));
    let second = Revision { form: Form::Application, ..Revision::simple(2, Policy::all_at_once()) };
    world.take(Event::Commit(Box::new(limited(second))));
    let plan = world.run(&[]);
    let state = |plan: &Plan, unit: &str, cluster: &str| plan.report.addons[unit].clusters[cluster].state;
    let hello = Form::Application.unit();
    assert_eq!(
        (state(&plan, hello, "c0"), state(&plan, hello, "c1")),
        (ClusterState::Succeeded, ClusterState::Progressing)
    );
    world.take(Event::Commit(Box::new(limited(candidate_beside("page")))));
    let plan = world.run(&[]);
    world.check();
    // Both have started; the agent of the second one never answered.
    assert_eq!(
        (state(&plan, OTHER, "c0"), state(&plan, OTHER, "c1")),
        (ClusterState::Succeeded, ClusterState::TimedOut)
    );
}

#[test]
fn nothing_starts_beside_a_work_of_a_candidate_that_cannot_be_read() {
    let mut world = installed();
    world.take(Event::Commit(Box::new(candidate_beside("page"))));
    let mut fleet = world.hub.fleet().clone();
    let (key, _) = world.hub.of_kind("ManifestWork").find(|(key, _)| key.namespace == "c0").unwrap();
    fleet.works.get_mut(Form::Application.unit()).unwrap().remove("c0");
    fleet.unreadable.insert(key.clone(), "spec: invalid type".to_owned());
    let instance = crate::instance::instance();
    let input = Input { now: world.now, ..Input::offline(&world.repository, &fleet, &instance) };
    let plan = plan(&input, &mut Memo::default());
    let keys = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(Write::key);
    let started: Vec<String> = keys.filter(|key| key.kind == "ManifestWork").map(|key| key.namespace).collect();
    assert_eq!(started, ["c1"]);
}

#[test]
#[should_panic(
    expected = "application/fleet/other was started on c0 with ConfigMap fleet/text, which application/fleet/hello has there, and keeps"
)]
fn a_start_with_an_object_of_a_candidate_is_a_violation() {
    let mut world = installed();
    // The work of another cluster, which does not have the candidate, is copied.
    let _ = reports(&mut world, candidate_beside("page"));
    let of_other =
        world.hub.of_kind("ManifestWork").find(|(key, _)| key.name.starts_with("app-other-") && key.namespace == "c0");
    let mut work = of_other.unwrap().1.clone();
    let record = work["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap().to_owned();
    world.take(Event::Commit(Box::new(candidate_beside("text"))));
    let _ = world.run_for(1, &[]);
    let next = &world.repository.addons[OTHER];
    let hash = &next.configurations.values().next().unwrap().spec_hash;
    let mut recorded: Value = serde_json::from_str(&record).unwrap();
    recorded["configReferences"][0]["desiredConfig"]["specHash"] = json!(hash);
    work["metadata"]["annotations"][key::ASSIGNMENT] = json!(recorded.to_string());
    work["spec"]["workload"]["manifests"][0]["metadata"]["name"] = json!("text");
    world.hub.apply(work);
    world.check();
}
