//! Where strict differs from compat: the answers of both.

use serde_json::{Value, json};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::SignedDuration;

use super::scene::{Scene, group, now, one, removed, two};

fn progressive(groups: Vec<DecisionGroup>, settings: Value, existing: &str) -> Scene {
    Scene::new(groups, json!({ "type": "Progressive", "progressive": settings }), existing)
}

fn per_group(settings: Value, existing: &str) -> Scene {
    Scene::new(two(), json!({ "type": "ProgressivePerGroup", "progressivePerGroup": settings }), existing)
}

fn all(settings: Value, existing: &str) -> Scene {
    Scene::new(one(), json!({ "type": "All", "all": settings }), existing)
}

#[test]
fn an_unknown_mandatory_group_blocks_every_start() {
    for unknown in [json!({ "groupName": "canray" }), json!({ "groupIndex": 7 })] {
        let scene = progressive(two(), json!({ "maxConcurrency": 2, "mandatoryDecisionGroups": [unknown] }), "c3P");
        assert_eq!(scene.compat(), "c3P c1A / - / no / -");
        assert_eq!(scene.strict(), "c3P / - / no / -");
        assert_eq!(scene.decide(Semantics::Strict).unwrap().waiting().count(), 5);
    }
}

#[test]
fn a_percentage_that_is_a_whole_number_of_clusters_is_not_rounded_up() {
    let names: Vec<String> = (1..=25).map(|n| format!("c{n:02}")).collect();
    let groups = vec![group(0, "", &names.join(" "))];
    let scene = progressive(groups, json!({ "maxConcurrency": "28%" }), "");
    let starts = |semantics| scene.decide(semantics).unwrap().rollout.len();
    assert_eq!((starts(Semantics::Compat), starts(Semantics::Strict)), (8, 7));
}

#[test]
fn an_empty_mandatory_group_blocks_every_start() {
    let groups = vec![group(0, "canary", ""), group(1, "", "c1 c2")];
    let settings = json!({ "mandatoryDecisionGroups": [{ "groupName": "canary" }] });
    let scene = progressive(groups, settings, "");
    assert_eq!(scene.compat(), "c1A c2A / - / no / -");
    assert_eq!(scene.strict(), "- / - / no / -");
}

#[test]
fn a_spent_budget_stops_a_cluster_whose_name_comes_first() {
    let scene = progressive(one(), json!({ "maxConcurrency": 2, "maxFailures": 0 }), "c1A c2T");
    assert_eq!(scene.compat(), "c1A / - / breach / -");
    assert_eq!(scene.strict(), "- / - / breach / -");
}

#[test]
fn a_breach_shows_even_if_the_window_is_full() {
    let scene = progressive(one(), json!({ "maxConcurrency": 1, "maxFailures": 0 }), "c1A c2T");
    assert_eq!(scene.compat(), "c1A / - / no / -");
    assert_eq!(scene.strict(), "- / - / breach / -");
}

#[test]
fn a_spent_budget_of_a_later_group_stops_an_earlier_one() {
    let scene = per_group(json!({ "maxFailures": 0 }), "c5T");
    assert_eq!(scene.compat(), "c1A c2A / - / no / -");
    assert_eq!(scene.strict(), "- / - / breach / -");
}

#[test]
fn more_failures_allowed_than_there_are_clusters_means_all() {
    let scene = per_group(json!({ "maxFailures": 5 }), "c1F c2S");
    assert_eq!(scene.compat(), "c1F / - / breach / -");
    assert_eq!(scene.strict(), "c1F c3A c4A / - / no / -");
    let settings = json!({ "maxConcurrency": 1, "maxFailures": 10, "progressDeadline": "1m" });
    let scene = progressive(one(), settings, "c1F@1h c2A");
    assert_eq!(scene.compat(), "- / c1 / breach / -");
    assert_eq!(scene.strict(), "c2A / c1 / no / -");
}

#[test]
fn max_concurrency_holds_inside_a_mandatory_group() {
    let canary = |concurrency: Value| {
        let groups = vec![group(0, "canary", "c1 c2 c3 c4"), group(1, "", "c5 c6")];
        let settings = json!({ "maxConcurrency": concurrency, "mandatoryDecisionGroups": [{ "groupName": "canary" }] });
        progressive(groups, settings, "")
    };
    assert_eq!(canary(json!(3)).compat(), "c1A c2A c3A c4A / - / no / -");
    assert_eq!(canary(json!(3)).strict(), "c1A c2A c3A / - / no / -");
    assert_eq!(canary(json!("50%")).strict(), "c1A c2A / - / no / -");
    assert_eq!(canary(Value::Null).strict(), "c1A c2A c3A c4A / - / no / -");
    assert_eq!(canary(json!(0)).strict(), "- / - / no / -");
}

#[test]
fn clusters_under_way_are_counted_before_any_other_starts() {
    let scene = progressive(one(), json!({ "maxConcurrency": 2 }), "c1A c2P c3P c4P");
    assert_eq!(scene.compat(), "c1A c2P / - / no / -");
    assert_eq!(scene.strict(), "c2P c3P c4P / - / no / -");
}

#[test]
fn a_gap_in_the_indexes_loses_no_cluster() {
    let groups = vec![group(1, "", "c1"), group(5, "", "c3")];
    let scene = Scene::new(groups, json!({ "type": "All" }), "c3A");
    assert_eq!(scene.compat(), "c1A / - / no / -");
    assert_eq!(scene.strict(), "c1A c3A / - / no / -");
    assert_eq!(removed(&scene.decide(Semantics::Compat).unwrap()), ["c3"]);
    assert!(removed(&scene.decide(Semantics::Strict).unwrap()).is_empty());
}

fn started_an_hour_ago(mut scene: Scene) -> Scene {
    for status in &mut scene.existing {
        status.started = Some(now() - SignedDuration::from_hours(1));
    }
    scene
}

#[test]
fn the_deadline_runs_from_the_start_for_a_cluster_that_reports_nothing() {
    let scene = || progressive(one(), json!({ "maxConcurrency": 1, "progressDeadline": "5m" }), "c1P");
    assert_eq!(scene().strict(), "c1P / - / no / 5m0s");
    assert_eq!(started_an_hour_ago(scene()).compat(), "c1P / - / no / 5m0s");
    assert_eq!(started_an_hour_ago(scene()).strict(), "- / c1 / breach / -");
}

#[test]
fn the_soak_time_runs_from_the_start_for_a_cluster_that_reports_no_time() {
    let scene = || progressive(one(), json!({ "maxConcurrency": 1, "minSuccessTime": "5m" }), "c1S");
    assert_eq!(scene().strict(), "c1S / - / no / 5m0s");
    assert_eq!(started_an_hour_ago(scene()).compat(), "c1S / - / no / 5m0s");
    assert_eq!(started_an_hour_ago(scene()).strict(), "c2A / - / no / -");
}

#[test]
fn a_reported_transition_takes_precedence_over_the_start() {
    let scene = progressive(one(), json!({ "maxConcurrency": 1, "progressDeadline": "5m" }), "c1P@1m");
    assert_eq!(started_an_hour_ago(scene).strict(), "c1P / - / no / 4m0s");
}

#[test]
fn a_tolerated_time_out_does_not_let_the_next_group_start_early() {
    let settings = || json!({ "maxFailures": 1, "progressDeadline": "1m" });
    let scene = per_group(settings(), "c1P@1h c2P@0s c3A");
    assert_eq!(scene.compat(), "c2P c3A c4A / c1 / no / 1m0s");
    assert_eq!(scene.strict(), "c2P / c1 / no / 1m0s");
    assert_eq!(per_group(settings(), "c1P@1h c2S@1m c3A").strict(), "c3A c4A / c1 / no / -");
}

#[test]
fn a_tolerated_time_out_elsewhere_does_not_stop_a_rollout_with_mandatory_groups() {
    let settings = json!({
        "maxConcurrency": 2, "maxFailures": 3, "progressDeadline": "1m",
        "mandatoryDecisionGroups": [{ "groupName": "g0" }],
    });
    let scene = progressive(two(), settings, "c1S c2S c3P@1h");
    assert_eq!(scene.compat(), "- / c3 / no / -");
    assert_eq!(scene.strict(), "c4A c5A / c3 / no / -");
}

#[test]
fn the_window_slides_once_the_mandatory_groups_are_done() {
    let settings = json!({ "maxConcurrency": 2, "mandatoryDecisionGroups": [{ "groupName": "g0" }] });
    let scene = progressive(two(), settings, "c1S c2S c3P");
    assert_eq!(scene.compat(), "c3P / - / no / -");
    assert_eq!(scene.strict(), "c3P c4A / - / no / -");
}

#[test]
fn a_cluster_soaks_in_type_all_too() {
    let scene = all(json!({ "minSuccessTime": "1h", "progressDeadline": "5m" }), "c1A c2P@1h c3S@1m c4F@1m c5P");
    assert_eq!(scene.compat(), "c1A c4F c5P c6A / c2 / no / 4m0s");
    assert_eq!(scene.strict(), "c1A c3S c4F c5P c6A / c2 / no / 4m0s");
}

#[test]
fn max_failures_above_zero_is_a_budget_in_type_all_too() {
    let scene = |failures: Value| all(json!({ "maxFailures": failures }), "c1T c2T");
    assert_eq!(scene(json!(1)).compat(), "c3A c4A c5A c6A / - / no / -");
    assert_eq!(scene(json!(1)).strict(), "- / - / breach / -");
    assert_eq!(scene(json!(2)).strict(), "c3A c4A c5A c6A / - / no / -");
    assert_eq!(scene(json!(0)).strict(), "c3A c4A c5A c6A / - / no / -");
    assert_eq!(scene(Value::Null).strict(), "c3A c4A c5A c6A / - / no / -");
}

#[test]
fn a_cluster_in_two_groups_belongs_to_the_mandatory_one() {
    let groups = vec![group(0, "", "c1 c2"), group(1, "canary", "c2 c3")];
    let settings = json!({ "mandatoryDecisionGroups": [{ "groupName": "canary" }] });
    assert_eq!(progressive(groups, settings, "").strict(), "c2A c3A / - / no / -");
}
