//! The reasons that strict gives for a cluster that waits.

use serde_json::{Value, json};

use super::scene::{Scene, one, two};

fn progressive(settings: Value, existing: &str) -> Scene {
    Scene::new(one(), json!({ "type": "Progressive", "progressive": settings }), existing)
}

fn per_group(settings: Value, existing: &str) -> Scene {
    Scene::new(two(), json!({ "type": "ProgressivePerGroup", "progressivePerGroup": settings }), existing)
}

fn canary(settings: Value, existing: &str) -> Scene {
    let mut scene = progressive(settings, existing);
    scene.groups = two();
    scene
}

#[test]
fn a_full_window_leaves_the_others_waiting_for_a_slot() {
    let scene = progressive(json!({ "maxConcurrency": 2 }), "c1P");
    assert_eq!(scene.strict(), "c1P c2A / - / no / -");
    assert_eq!(scene.reason("c2"), "");
    assert_eq!(scene.reason("c3"), "waits for a free slot: 2 under way, 2 allowed");
}

#[test]
fn a_window_full_of_soaking_clusters_opens_at_the_end_of_the_first_soak_time() {
    let scene = progressive(json!({ "maxConcurrency": 2, "minSuccessTime": "10m" }), "c1S@2m c2S@3m");
    assert_eq!(scene.reason("c3"), "waits for the soak time, which ends at 2026-03-01T12:07:00Z");
}

#[test]
fn an_overfull_window_opens_when_enough_soak_times_ended() {
    let scene = progressive(json!({ "maxConcurrency": 2, "minSuccessTime": "10m" }), "c1S@2m c2S@3m c3S@1m");
    assert_eq!(scene.reason("c4"), "waits for the soak time, which ends at 2026-03-01T12:08:00Z");
}

#[test]
fn second_group_waits_for_the_first() {
    let scene = per_group(json!({}), "c1S");
    assert_eq!(scene.strict(), "c2A / - / no / -");
    assert_eq!(scene.reason("c3"), "waits for group 0 (\"g0\"): 1 not done");
    assert_eq!(scene.reason("c6"), "waits for group 0 (\"g0\"): 1 not done");
}

#[test]
fn the_rest_waits_for_the_mandatory_group() {
    let scene = canary(json!({ "mandatoryDecisionGroups": [{ "groupIndex": 2 }] }), "c5P");
    assert_eq!(scene.strict(), "c5P c6A / - / no / -");
    assert_eq!(scene.reason("c1"), "waits for mandatory group 2: 2 not done");
}

#[test]
fn a_soaking_group_opens_the_next_at_the_end_of_its_last_soak_time() {
    let scene = per_group(json!({ "minSuccessTime": "10m" }), "c1S@2m c2S@3m");
    assert_eq!(scene.reason("c3"), "waits for the soak time, which ends at 2026-03-01T12:08:00Z");
}

#[test]
fn a_spent_budget_is_named_with_its_numbers() {
    let scene = progressive(json!({ "maxFailures": 1 }), "c1T c2F");
    assert_eq!(scene.reason("c3"), "stopped by the failure budget: 2 failed, 1 allowed");
    let scene = per_group(json!({ "maxFailures": 0 }), "c3T");
    assert_eq!(scene.reason("c1"), "stopped by the failure budget of group 1 (\"g1\"): 1 failed, 0 allowed");
}

#[test]
fn a_mandatory_group_tolerates_no_failure() {
    let settings = json!({ "maxFailures": 5, "mandatoryDecisionGroups": [{ "groupName": "g0" }] });
    let scene = canary(settings, "c1F c2S");
    assert_eq!(scene.strict(), "c1F / - / breach / -");
    assert_eq!(scene.reason("c3"), "stopped by the failure budget of group 0 (\"g0\"): 1 failed, 0 allowed");
}

#[test]
fn an_unknown_mandatory_group_is_named() {
    let by_name = canary(json!({ "mandatoryDecisionGroups": [{ "groupName": "canray" }] }), "");
    assert_eq!(by_name.reason("c1"), "blocked: mandatory group \"canray\" has no clusters");
    let by_index = canary(json!({ "mandatoryDecisionGroups": [{ "groupIndex": 7 }] }), "");
    assert_eq!(by_index.reason("c1"), "blocked: mandatory group 7 has no clusters");
}

#[test]
fn a_skipped_cluster_neither_waits_nor_holds_up_its_group() {
    let scene = per_group(json!({}), "c1K c2S");
    assert_eq!(scene.strict(), "c3A c4A / - / no / -");
    assert_eq!(scene.reason("c1"), "");
}
