//! A unit at rest is not planned again until something changes that it depends on.

use serde_json::json;
use tidegate_api::object_key;
use tidegate_model::followed::Rejection;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::PlacementMode;

use super::ordered::{text, with};
use super::takeover::application;
use super::world::{Event, World};
use tidegate_simulation::revision::{Policy, Revision};

fn revision(version: u8) -> Revision {
    Revision::simple(version, Policy::all_at_once())
}

/// Returns a world in which everything is done.
fn at_rest(is_upstream: bool) -> World {
    let world = World::new(revision(1), Vec::new());
    let mut world = if is_upstream { world.delivered_upstream() } else { world };
    let plan = world.run(&[]);
    assert_eq!(plan.report.addons["hello"].phase, Phase::Completed);
    let _ = world.run_for(2, &[]);
    world
}

/// Returns whether the add-on is at rest in the plan after a change, which does not depend on who delivers.
fn rests_after(change: impl Fn(&mut World)) -> bool {
    let rests = |is_upstream| {
        let mut world = at_rest(is_upstream);
        change(&mut world);
        let rests = world.plan(PlacementMode::Builtin).at_rest == 1;
        // The simulation compares each plan with one that keeps nothing.
        let _ = world.run(&[]);
        world.check();
        rests
    };
    let (native, upstream) = (rests(false), rests(true));
    assert_eq!(native, upstream);
    native
}

#[test]
fn a_unit_rests_while_nothing_changes_or_what_changes_does_not_concern_it() {
    assert!(rests_after(|_| {}));
    assert!(rests_after(|world| world
        .hub
        .patch(&object_key::cluster("c0"), &json!({ "metadata": { "labels": { "rack": "7" } } }))));
    let claim = json!({ "status": { "clusterClaims": [{ "name": "id", "value": "1" }] } });
    assert!(rests_after(|world| world.hub.patch(&object_key::cluster("c0"), &claim)));
}

#[test]
fn a_unit_is_planned_again_if_something_changes_that_it_depends_on() {
    let addon = object_key::cluster_addon("c0", "hello");
    let unavailable = json!({ "status": { "conditions": [] } });
    let unreachable = json!({ "status": { "conditions": [
        { "type": "ManagedClusterConditionAvailable", "status": "Unknown", "reason": "a", "message": "", "lastTransitionTime": "2026-03-01T12:00:00Z" },
    ] } });
    let registries = json!({ "metadata": { "annotations": { "open-cluster-management.io/image-registries": "{}" } } });
    assert!(!rests_after(|world| world.hub.patch(&addon, &unavailable)));
    assert!(!rests_after(|world| world.hub.delete(&addon)));
    assert!(!rests_after(|world| world.hub.patch(&object_key::cluster("c0"), &unreachable)));
    assert!(!rests_after(|world| world.hub.patch(&object_key::cluster("c0"), &registries)));
    assert!(!rests_after(|world| world.hub.delete(&object_key::cluster("c0"))));
    assert!(!rests_after(|world| world.take(Event::Commit(Box::new(revision(2))))));
}

#[test]
fn an_upgrade_reaches_units_that_rested() {
    for is_upstream in [false, true] {
        let mut world = at_rest(is_upstream);
        world.take(Event::Commit(Box::new(revision(2))));
        let plan = world.run(&[]);
        let clusters = &plan.report.addons["hello"].clusters;
        let is_done = |(state, version)| (state, version) == (ClusterState::Succeeded, "2");
        assert!(clusters.values().all(|it| is_done((it.state, it.version.as_str()))), "{:#?}", plan.report);
    }
}

#[test]
fn a_unit_with_a_rejection_on_the_hub_does_not_rest() {
    // A retry that lies in the future ends it by time alone.
    let mut world = at_rest(false);
    let digest = world.past.report.addons["hello"].digest.clone().unwrap();
    let rejection =
        Rejection { digest, at: world.now, reason: "broken".to_owned(), policy: "p".to_owned(), good: None };
    let annotation = json!({ "tidegate.io/rejected": serde_json::to_string(&rejection).unwrap() });
    world.hub.patch(&object_key::addon("hello"), &json!({ "metadata": { "annotations": annotation } }));
    let _ = world.run_for(3, &[]);
    assert_eq!(world.plan(PlacementMode::Builtin).at_rest, 0);
    assert_eq!(world.past.report.addons["hello"].phase, Phase::Completed);
}

/// Returns a revision with two applications, the second one in a version of its own, with a policy for both if `has_policy`.
fn two(version: u8, has_policy: bool) -> Revision {
    let mut revision = with(1, &[text("page", 1, &[])]);
    revision.files.insert("other.yaml", application("other", &format!("v{version}"), json!({})));
    if has_policy {
        let policy = json!({
            "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": "few" },
            "spec": { "limits": [{ "name": "few", "maxClusters": 2 }] },
        });
        revision.files.insert("policies.yaml", policy);
    }
    revision
}

#[test]
fn a_unit_rests_over_a_commit_that_changes_another_one_and_while_that_is_rolled_out() {
    for has_policy in [false, true] {
        let mut world = World::new(two(1, has_policy), Vec::new());
        let _ = world.run(&[]);
        let _ = world.run_for(2, &[]);
        assert_eq!(world.plan(PlacementMode::Builtin).at_rest, 2, "{has_policy}");
        world.take(Event::Commit(Box::new(two(2, has_policy))));
        let plan = world.plan(PlacementMode::Builtin);
        assert_eq!((plan.at_rest, plan.lanes.is_empty()), (1, false), "{has_policy}");
        assert!(world.run_for(1, &[]).is_none());
        assert_eq!(world.plan(PlacementMode::Builtin).at_rest, 1, "{has_policy}");
        let plan = world.run(&[]);
        let other = &plan.report.addons["application/fleet/other"];
        assert!(other.clusters.values().all(|cluster| cluster.state == ClusterState::Succeeded), "{other:#?}");
        world.check();
    }
}
