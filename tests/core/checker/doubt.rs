//! What looks like a violation but is not one: changes between two observations, and changes that were not seen.

use serde_json::json;

use super::scene::{Scene, addon, all_at_once, one_at_a_time};
use tidegate_simulation::revision::{Amount, Pace, Policy};

const QUIET: [String; 0] = [];

#[test]
fn the_first_observation_breaks_no_rule() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.restart();
    scene.start("c1 c2 c3 c9");
    scene.succeed("c3");
    scene.conclude();
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn rules_hold_after_a_restart() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.start("c1");
    scene.restart();
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_cluster_may_be_deselected_after_its_start() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.start("c1");
    scene.select("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_cluster_may_be_selected_and_started_between_two_observations() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.select("c1 c2 c9");
    scene.start("c9");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_selection_that_is_still_being_written_is_not_judged() {
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
    assert_eq!(scene.look(), QUIET, "the status of the Placement lists two clusters");
}

#[test]
fn groups_may_change_around_a_start() {
    let policy = Policy { pace: Pace::PerGroup, ..one_at_a_time() };
    let mut scene = Scene::new(policy, "c1 c2 | c3 c4");
    scene.complete("c1 c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c3 c4");
    scene.select("c1 c2 | c9 | c3 c4");
    assert_eq!(scene.look(), QUIET, "c9 was not selected when they started");
}

#[test]
fn a_cluster_may_start_on_the_previous_declaration() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.start("c1");
    scene.revision.version = 2;
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_configuration_that_changes_midway_starts_over() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.revision.version = 2;
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET, "no cluster is in flight to this version");
    scene.start("c1");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_cluster_that_succeeds_between_two_observations_frees_its_slot() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.complete("c1 c2");
    scene.start("c3");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn an_addon_that_disappears_and_comes_back_was_not_started_again() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.complete("c1 c2");
    scene.start("c3");
    assert_eq!(scene.look(), QUIET);
    let mut without = scene.hub.clone();
    without.delete(&addon("c1"));
    let with = std::mem::replace(&mut scene.hub, without);
    assert_eq!(scene.look(), QUIET);
    scene.hub = with;
    assert_eq!(scene.look(), QUIET, "it was only out of sight");
}

#[test]
fn a_failure_stops_counting_once_its_cluster_is_deselected() {
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
fn an_addon_that_upstream_drives_is_not_judged() {
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

#[test]
fn the_clock_may_be_set_right_after_a_start() {
    let mut scene = Scene::new(Policy { soak: 5, ..one_at_a_time() }, "c1 c2 c3");
    scene.complete("c1");
    scene.pass(6);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    let expected = scene.now;
    scene.pass(600);
    scene.clock.add(expected, scene.now);
    assert_eq!(scene.look(), QUIET, "c1 had soaked before");
    scene.start("c3");
    assert_eq!(scene.look().len(), 1, "c2 has not succeeded");
}

#[test]
fn a_success_in_the_future_is_over_if_no_step_of_the_clock_explains_it() {
    let mut scene = Scene::new(Policy { soak: 5, ..one_at_a_time() }, "c1 c2 c3");
    scene.complete("c1");
    scene.pass(-100);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c3");
    assert_eq!(scene.look().len(), 1, "c2 has not succeeded");
}
