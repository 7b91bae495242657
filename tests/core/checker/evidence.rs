//! Rules on assigned configurations, written works and reported successes.

use serde_json::json;

use super::scene::{Scene, addon, all_at_once, work};

const QUIET: [String; 0] = [];

#[test]
fn a_start_on_an_unselected_cluster_is_a_violation() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.start("c9");
    assert_eq!(scene.look(), ["add-on hello was started on c9, which no placement selects"]);
}

#[test]
fn a_start_with_another_hash_is_a_violation() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    let mut configs = scene.declared();
    configs[1].2 = "f".repeat(64);
    scene.start_with("c1", &configs);
    let told = scene.look();
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("hello-1 ffffffffffff, but the repository declares"), "{told:?}");
}

#[test]
fn a_start_without_one_of_the_configurations_is_a_violation() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    let configs = scene.declared();
    scene.start_with("c1", &configs[1..]);
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_start_with_a_clusters_own_configuration_is_allowed_for_that_cluster_only() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.revision.own.insert(1, 1);
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    let mut configs = scene.declared();
    configs[0] = ("addondeploymentconfigs", "own-1".to_owned(), scene.hash("own-1"));
    scene.start_with("c1", &configs);
    assert_eq!(scene.look(), QUIET);
    scene.start_with("c2", &configs);
    assert_eq!(scene.look().len(), 1, "it is not for another cluster");
}

#[test]
fn a_start_with_a_configuration_that_the_repository_does_not_hold_is_a_violation() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    let own = json!({ "group": "addon.open-cluster-management.io", "resource": "addondeploymentconfigs", "namespace": "fleet", "name": "by-hand" });
    scene.hub.patch(&addon("c1"), &json!({ "spec": { "configs": [own] } }));
    assert_eq!(scene.look(), QUIET);
    let mut configs = scene.declared();
    configs[0] = ("addondeploymentconfigs", "by-hand".to_owned(), String::new());
    scene.start_with("c1", &configs);
    let told = "add-on hello was started on c1 with addondeploymentconfigs.addon.open-cluster-management.io/fleet/by-hand without hash, which the repository does not hold";
    assert_eq!(scene.look(), [told]);
}

#[test]
fn a_work_written_before_the_status_is_a_violation() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.complete("c1");
    assert_eq!(scene.look(), QUIET);
    scene.revision.version = 2;
    scene.commit();
    scene.deliver("c1");
    let told = scene.look();
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("work addon-hello-deploy-0 of add-on hello on c1 carries "), "{told:?}");
    assert!(told[0].contains("//hello-2 ") && told[0].contains("but the cluster was assigned "), "{told:?}");
}

#[test]
fn a_work_may_be_written_long_after_the_status() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.complete("c1");
    assert_eq!(scene.look(), QUIET);
    scene.revision.version = 2;
    scene.commit();
    scene.start("c1");
    assert_eq!(scene.look(), QUIET, "the process was killed in between");
    scene.deliver("c1");
    assert_eq!(scene.look(), QUIET);
}

fn lack(scene: &mut Scene) -> String {
    let told = scene.look();
    assert_eq!(told.len(), 1, "{told:?}");
    let (claim, lack) = told[0].split_once(", but ").unwrap();
    assert!(claim.starts_with("add-on hello is reported as succeeded on c1 with "), "{claim}");
    lack.to_owned()
}

/// A scene in which cluster c1 was started, and nothing else is known of it.
fn started() -> Scene {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene
}

#[test]
fn a_success_without_a_work_is_a_violation() {
    let mut scene = started();
    scene.succeed("c1");
    assert_eq!(lack(&mut scene), "it has no work");
}

#[test]
fn a_success_before_the_cluster_has_answered_is_a_violation() {
    let mut scene = started();
    scene.deliver("c1");
    scene.succeed("c1");
    assert_eq!(lack(&mut scene), "it has no work", "judged by the earlier observation");
    let mut scene = started();
    scene.deliver("c1");
    assert_eq!(scene.look(), QUIET);
    scene.succeed("c1");
    assert_eq!(lack(&mut scene), "condition Applied of work addon-hello-deploy-0 does not confirm generation 1");
}

#[test]
fn a_confirmation_of_the_previous_version_proves_no_success() {
    let mut scene = started();
    scene.deliver("c1");
    scene.confirm("c1");
    scene.succeed("c1");
    assert_eq!(scene.look(), QUIET);
    scene.revision.version = 2;
    scene.commit();
    scene.pass(1);
    scene.start("c1");
    scene.deliver("c1");
    assert_eq!(scene.look(), QUIET);
    scene.succeed("c1");
    let expected =
        "condition Applied of work addon-hello-deploy-0 does not confirm generation 2; it was observed at generation 1";
    assert_eq!(lack(&mut scene), expected);
}

#[test]
fn a_work_that_carries_another_version_proves_no_success() {
    let mut scene = started();
    scene.deliver("c1");
    scene.confirm("c1");
    scene.succeed("c1");
    assert_eq!(scene.look(), QUIET);
    scene.revision.version = 2;
    scene.commit();
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.succeed("c1");
    assert!(lack(&mut scene).starts_with("work addon-hello-deploy-0 carries "));
}

#[test]
fn a_work_that_was_rewritten_proves_no_success() {
    let mut scene = started();
    scene.deliver("c1");
    scene.confirm("c1");
    assert_eq!(scene.look(), QUIET);
    scene.hub.patch(&work("c1"), &json!({ "spec": { "workload": { "manifests": [] } } }));
    scene.succeed("c1");
    assert_eq!(lack(&mut scene), "work addon-hello-deploy-0 has been written since the cluster confirmed it");
}

#[test]
fn a_success_of_an_unavailable_addon_is_a_violation() {
    for (available, expected) in [(Some("False"), "its condition Available is False"), (None, "its health is unknown")]
    {
        let mut scene = started();
        scene.deliver("c1");
        scene.confirm("c1");
        scene.succeed("c1");
        let mut conditions = vec![scene.condition("Progressing", "False", "Completed")];
        conditions.extend(available.map(|status| scene.condition("Available", status, "R")));
        scene.status("c1", json!({ "conditions": conditions }));
        assert_eq!(lack(&mut scene), expected);
    }
}

#[test]
fn compat_does_not_require_availability() {
    let mut scene = started();
    scene.revision.settings = "[rollout]\nsemantics = 'compat'\n";
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.deliver("c1");
    scene.confirm("c1");
    scene.succeed("c1");
    let conditions = [scene.condition("Progressing", "False", "Completed")];
    scene.status("c1", json!({ "conditions": conditions }));
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    scene.succeed("c2");
    assert_eq!(scene.look().len(), 1, "a work is still required");
}

#[test]
fn a_success_may_be_proven_between_two_observations() {
    let mut scene = started();
    scene.deliver("c1");
    assert_eq!(scene.look(), QUIET);
    scene.confirm("c1");
    scene.succeed("c1");
    assert_eq!(scene.look(), QUIET);
}
