//! Rules on the order of starts: concurrency, failure budgets and groups.

use super::scene::{Scene, all_at_once, one_at_a_time};
use tidegate_simulation::revision::{Amount, Pace, Policy};

const QUIET: [String; 0] = [];

fn per_group() -> Policy {
    Policy { pace: Pace::PerGroup, ..one_at_a_time() }
}

#[test]
fn two_starts_where_only_one_is_allowed_are_violations() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.start("c1 c2");
    let told = |cluster: &str| {
        format!(
            "add-on hello was started on {cluster} although placement fleet/everywhere allows only 1 cluster in flight at once: 2 are"
        )
    };
    assert_eq!(scene.look(), [told("c1"), told("c2")]);
    assert_eq!(scene.look(), QUIET, "a violation is reported once");
}

#[test]
fn a_success_frees_its_slot() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.complete("c1");
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_while_the_previous_cluster_soaks_is_a_violation() {
    let mut scene = Scene::new(Policy { soak: 60, ..one_at_a_time() }, "c1 c2 c3");
    scene.complete("c1");
    assert_eq!(scene.look(), QUIET);
    scene.pass(59);
    scene.start("c2");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_start_at_the_end_of_the_soak_time_is_allowed() {
    let mut scene = Scene::new(Policy { soak: 60, ..one_at_a_time() }, "c1 c2 c3");
    scene.complete("c1");
    assert_eq!(scene.look(), QUIET);
    scene.pass(60);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_percentage_counts_the_clusters_outside_mandatory_groups() {
    let policy = Policy { concurrency: Amount::Percent(50), ..one_at_a_time() };
    let mut scene = Scene::new(policy, "c1 c2 c3 c4");
    scene.start("c1 c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c3");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_limit_may_be_lowered_below_the_number_in_flight() {
    let mut scene = Scene::new(Policy { concurrency: Amount::Count(3), ..one_at_a_time() }, "c1 c2 c3 c4");
    scene.start("c1 c2 c3");
    assert_eq!(scene.look(), QUIET);
    scene.revision.everywhere.concurrency = Amount::Count(1);
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.pass(1);
    assert_eq!(scene.look(), QUIET, "clusters in flight stay in flight");
    scene.start("c4");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_start_after_the_budget_was_spent_is_a_violation() {
    let policy = Policy { concurrency: Amount::Count(2), deadline: Some(60), ..one_at_a_time() };
    let mut scene = Scene::new(policy, "c1 c2 c3");
    scene.start("c1");
    scene.pass(60);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    let told = "add-on hello was started on c2 although the failure budget of placement fleet/everywhere is spent: 1 failed, 0 allowed";
    assert_eq!(scene.look(), [told]);
}

#[test]
fn a_start_before_the_budget_was_spent_is_allowed() {
    let policy = Policy { concurrency: Amount::Count(2), deadline: Some(60), ..one_at_a_time() };
    let mut scene = Scene::new(policy, "c1 c2 c3");
    scene.start("c1");
    scene.pass(59);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    scene.pass(1);
    assert_eq!(scene.look(), QUIET, "it ran out of time after the start");
}

#[test]
fn a_start_within_the_budget_is_allowed() {
    let policy = Policy { deadline: Some(60), failures: Amount::Count(1), ..one_at_a_time() };
    let mut scene = Scene::new(policy, "c1 c2 c3");
    scene.start("c1");
    scene.pass(60);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_reported_failure_counts_against_the_budget() {
    let mut scene = Scene::new(Policy { concurrency: Amount::Count(2), ..one_at_a_time() }, "c1 c2 c3");
    scene.start("c1");
    let conditions = [scene.condition("Configured", "True", "R"), scene.condition("Progressing", "False", "Failed")];
    scene.status("c1", serde_json::json!({ "conditions": conditions }));
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_start_ahead_of_a_mandatory_group_is_a_violation() {
    let policy = Policy { canary_first: true, concurrency: Amount::Count(3), ..one_at_a_time() };
    let mut scene = Scene::new(policy, "canary: c1 c2 | c3 c4");
    scene.complete("c1");
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c3");
    let told = "add-on hello was started on c3 although 1 cluster of mandatory group 0 (\"canary\") of placement fleet/everywhere, which comes first, did not finish";
    assert_eq!(scene.look(), [told]);
}

#[test]
fn a_start_once_the_mandatory_group_has_finished_is_allowed() {
    let policy = Policy { canary_first: true, ..one_at_a_time() };
    let mut scene = Scene::new(policy, "canary: c1 | c3 c4");
    scene.complete("c1");
    scene.start("c3");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_while_the_mandatory_group_is_missing_is_a_violation() {
    let mut scene = Scene::new(Policy { canary_first: true, ..one_at_a_time() }, "c1 c2");
    scene.start("c1");
    let told = "add-on hello was started on c1 although mandatory group \"canary\" of placement fleet/everywhere has no clusters";
    assert_eq!(scene.look(), [told]);
}

#[test]
fn a_start_in_a_later_group_is_a_violation() {
    let mut scene = Scene::new(per_group(), "c1 c2 | c3 c4");
    scene.complete("c1");
    scene.start("c2 c3");
    let told = "add-on hello was started on c3 although 1 cluster of group 0 of placement fleet/everywhere, which comes first, did not finish";
    assert_eq!(scene.look(), [told]);
}

#[test]
fn a_tolerated_failure_does_not_stop_later_groups() {
    let policy = Policy { deadline: Some(60), failures: Amount::Count(1), ..per_group() };
    let mut scene = Scene::new(policy, "c1 c2 | c3 c4");
    scene.complete("c1");
    scene.start("c2");
    scene.pass(60);
    assert_eq!(scene.look(), QUIET);
    scene.start("c3 c4");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_completion_ahead_of_a_cluster_is_a_violation() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.complete("c1");
    scene.start("c2");
    scene.conclude();
    let told = "add-on hello is reported complete on placement fleet/everywhere, but 1 of 2 clusters did not finish";
    assert_eq!(scene.look(), [told]);
}

#[test]
fn a_completion_after_all_clusters_is_allowed() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.complete("c1 c2");
    assert_eq!(scene.look(), QUIET);
    scene.conclude();
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn compat_is_not_held_to_the_strict_order() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2");
    scene.revision.settings = "[rollout]\nsemantics = 'compat'\n";
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.start("c1 c2");
    scene.conclude();
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_after_a_late_canary_is_a_violation_until_the_deadline_is_raised() {
    let policy = Policy { canary_first: true, deadline: Some(60), failures: Amount::Count(3), ..one_at_a_time() };
    let mut scene = Scene::new(policy, "canary: c1 | c3 c4");
    scene.start("c1");
    scene.deliver("c1");
    assert_eq!(scene.look(), QUIET);
    scene.pass(60);
    scene.confirm("c1");
    assert_eq!(scene.look(), QUIET);
    scene.late("c1");
    assert_eq!(scene.look(), QUIET);
    scene.pass(1);
    scene.start("c3");
    let told = "add-on hello was started on c3 although the failure budget of group 0 (\"canary\") of placement fleet/everywhere is spent: 1 failed, 0 allowed";
    assert_eq!(scene.look(), [told]);
    // A commit raises the deadline to the time that it took.
    scene.revision.everywhere.deadline = Some(61);
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.complete("c3");
    assert_eq!(scene.look(), QUIET);
    scene.start("c4");
    assert_eq!(scene.look(), QUIET);
}
