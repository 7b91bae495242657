//! What looks like a breach and is none: what happens in between, and what is not seen.

use serde_json::json;

use super::scene::{Scene, addon, all_at_once, one_at_a_time};
use crate::simulation::revision::{Amount, Pace, Policy};

const QUIET: [String; 0] = [];

#[test]
fn the_first_look_knows_of_no_past() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.restart();
    scene.start("c1 c2 c3 c9");
    scene.succeed("c3");
    scene.conclude();
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_restart_forgets_no_rule() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.start("c1");
    scene.restart();
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_cluster_that_is_deselected_after_its_start() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.start("c1");
    scene.select("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_cluster_that_is_selected_and_started_at_once() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.select("c1 c2 c9");
    scene.start("c9");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_selection_that_is_still_being_written() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2");
    let page = tidegate_model::object::ObjectKey::new(
        "cluster.open-cluster-management.io",
        "PlacementDecision",
        "fleet",
        "everywhere-0",
    );
    scene.hub.patch(&page, &json!({ "status": { "decisions": [] } }));
    assert_eq!(scene.look(), QUIET);
    scene.start("c1");
    assert_eq!(scene.look(), QUIET, "the status of the Placement tells of two clusters");
}

#[test]
fn groups_that_are_laid_out_anew_around_a_start() {
    let policy = Policy { pace: Pace::PerGroup, ..one_at_a_time() };
    let mut scene = Scene::new(policy, "c1 c2 | c3 c4");
    scene.complete("c1 c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c3 c4");
    scene.select("c1 c2 | c9 | c3 c4");
    assert_eq!(scene.look(), QUIET, "c9 was not there when they started");
}

#[test]
fn a_start_on_what_was_declared_until_then() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.start("c1");
    scene.revision.version = 2;
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_configuration_that_changes_midway_begins_anew() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.revision.version = 2;
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET, "nobody is under way to this version");
    scene.start("c1");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_cluster_that_succeeds_between_two_looks_leaves_its_place() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.complete("c1 c2");
    scene.start("c3");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_cluster_that_goes_and_comes_back_was_not_started_again() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.complete("c1 c2");
    scene.start("c3");
    assert_eq!(scene.look(), QUIET);
    let mut without = scene.hub.clone();
    without.delete(&addon("c1"));
    let with = std::mem::replace(&mut scene.hub, without);
    assert_eq!(scene.look(), QUIET);
    scene.hub = with;
    assert_eq!(scene.look(), QUIET, "it was out of sight");
}

#[test]
fn a_cluster_that_leaves_takes_its_failure_with_it() {
    let policy = Policy { deadline: Some(60), concurrency: Amount::Count(2), ..one_at_a_time() };
    let mut scene = Scene::new(policy, "c1 c2 c3");
    scene.start("c1");
    scene.pass(60);
    assert_eq!(scene.look(), QUIET);
    scene.select("c2 c3");
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn an_addon_that_somebody_else_drives() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    let key = tidegate_model::object::ObjectKey::new(
        "addon.open-cluster-management.io",
        "ClusterManagementAddOn",
        "",
        "hello",
    );
    let lifecycle = json!({ tidegate_api::key::LIFECYCLE: "addon-manager" });
    scene.hub.patch(&key, &json!({ "metadata": { "annotations": lifecycle } }));
    assert_eq!(scene.look(), QUIET);
    scene.start("c1 c2 c3 c9");
    assert_eq!(scene.look(), QUIET);
}
