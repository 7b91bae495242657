//! The steps of an application: which of them a cluster belongs to, and what a later one waits for.

use serde_json::json;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;

use super::world::World;
use tidegate_simulation::revision::{Form, Policy, Revision, Selects};

/// Returns a revision whose first step is the clusters in the EU, and whose second step is those that are selected.
fn in_steps(selects: Selects) -> Revision {
    let eu = Some((Policy::all_at_once(), 0));
    Revision { form: Form::Application, eu, selects, ..Revision::simple(1, Policy::all_at_once()) }
}

/// Returns what is reported in the end of a cluster in the EU, and of one elsewhere.
fn ends(revision: Revision) -> [Option<ClusterReport>; 2] {
    let mut world = World::new(revision, Vec::new());
    let plan = world.run(&[]);
    world.check();
    let clusters = &plan.report.addons[Form::Application.unit()].clusters;
    ["c0", "c1"].map(|name| clusters.get(name).cloned())
}

#[test]
fn clusters_that_several_steps_select_belong_to_the_first() {
    let [eu, other] = ends(in_steps(Selects::Everybody)).map(Option::unwrap);
    assert_eq!((eu.version.as_str(), eu.placement.as_str()), ("1+level", "fleet/eu"));
    assert_eq!((other.version.as_str(), other.placement.as_str()), ("1", "fleet/everywhere"));
    assert!(eu.started <= other.started && other.state == ClusterState::Succeeded, "{eu:?} {other:?}");
}

#[test]
fn a_step_whose_clusters_all_belong_to_an_earlier_one_holds_up_nothing() {
    let [eu, other] = ends(in_steps(Selects::Eu));
    assert_eq!(eu.unwrap().state, ClusterState::Succeeded);
    assert!(other.is_none());
}

#[test]
fn a_step_waits_while_every_cluster_of_the_step_before_it_is_set_aside() {
    let control = json!({
        "apiVersion": "tidegate.io/v1alpha1", "kind": "Control",
        "quarantine": [{ "clusters": ["c0"], "mode": "Exclude", "reason": "disk" }],
    });
    let mut revision = in_steps(Selects::Everybody);
    revision.files.insert(Form::Application.control(), control);
    let [_, other] = ends(revision).map(Option::unwrap);
    assert_eq!(other.state, ClusterState::Waiting);
    assert_eq!(other.reason, "waits for placement fleet/eu (the steps of application/fleet/hello)");
}
