//! Clusters of mandatory groups that succeeded only after their deadline.

use serde_json::{Value, json};
use tidegate_model::semantics::Semantics;
use tidegate_model::time::SignedDuration;
use tidegate_rollout::{Verdict, Wait};

use super::scene::{Scene, two};

/// Two canaries, the first of which took `took` seconds to succeed, and four other clusters.
fn canary(settings: Value, existing: &str, took: i64) -> Scene {
    let mut strategy = json!({
        "progressDeadline": "10m", "maxFailures": 5, "mandatoryDecisionGroups": [{ "groupName": "g0" }],
    });
    strategy.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let mut scene = Scene::new(two(), json!({ "type": "Progressive", "progressive": strategy }), existing);
    scene.existing[0].took = Some(SignedDuration::from_secs(took));
    scene
}

const LATE: &str = "stopped by the failure budget of group 0 (\"g0\"): 1 failed, 0 allowed (c1 succeeded only after the progressDeadline)";

#[test]
fn a_canary_that_succeeded_late_holds_the_others_back() {
    let scene = canary(json!({}), "c1S@1h c2S@1h", 600);
    assert_eq!(scene.strict(), "- / - / breach / -");
    assert_eq!(scene.reason("c3"), LATE);
    let decision = scene.decide(Semantics::Strict).unwrap();
    let verdict = &decision.verdicts["c1"];
    assert_eq!(verdict.to_string(), "succeeded 10m0s after its start, which is after its progressDeadline");
    assert_eq!(verdict.opens(), "", "nothing is left to do for the cluster itself");
    assert_eq!(decision.verdicts["c2"], Verdict::Done);
    let (_, wait) = decision.waiting().next().unwrap();
    let lasting =
        "stopped by the failure budget of mandatory group 0 (\"g0\"): c1 succeeded only after the progressDeadline";
    assert_eq!(wait.lasting(), lasting);
    let opens = "a commit brings another configuration, reverts to the one before, sets a progressDeadline longer than they took, \
                 or removes the group from mandatoryDecisionGroups";
    assert_eq!(wait.opens(), opens);
    assert_eq!(scene.compat(), "c3A c4A c5A c6A / - / no / -", "upstream forgets that it was late");
}

#[test]
fn a_canary_that_was_in_time_by_the_current_deadline_lets_the_others_start() {
    let open = "c3A c4A c5A c6A / - / no / -";
    assert_eq!(canary(json!({}), "c1S@1h c2S@1h", 599).strict(), open);
    for settings in [
        json!({ "progressDeadline": "10m1s" }),
        json!({ "progressDeadline": "None" }),
        json!({ "mandatoryDecisionGroups": [] }),
    ] {
        assert_eq!(canary(settings, "c1S@1h c2S@1h", 600).strict(), open);
    }
    let of_others = json!({ "mandatoryDecisionGroups": [{ "groupName": "g1" }] });
    assert_eq!(canary(of_others, "c1S@1h c2S@1h", 600).strict(), "c3A c4A / - / no / -");
}

#[test]
fn a_late_canary_that_soaks_or_is_unhealthy_again_holds_the_others_back_as_well() {
    for (existing, expected) in [
        ("c1S@1m c2S@1h", "c1S / - / breach / 4m0s"),
        ("c1P@1m c2S@1h", "c1P / - / breach / 9m0s"),
        ("c1P@1h c2S@1h", "- / c1 / breach / -"),
    ] {
        assert_eq!(canary(json!({ "minSuccessTime": "5m" }), existing, 600).strict(), expected);
    }
}

#[test]
fn a_late_canary_that_no_cluster_waits_for_is_not_a_breach() {
    let scene = canary(json!({}), "c1S@1h c2S@1h c3S@1h c4S@1h c5S@1h c6S@1h", 600);
    assert_eq!(scene.strict(), "- / - / no / -");
    let decision = scene.decide(Semantics::Strict).unwrap();
    assert_eq!(decision.verdicts["c1"], Verdict::Late { took: SignedDuration::from_mins(10) });
}

#[test]
fn a_cluster_outside_of_the_mandatory_groups_that_succeeded_late_is_done() {
    let mut scene = canary(json!({}), "c1S@1h c2S@1h c3S@1h", 599);
    scene.existing[2].took = Some(SignedDuration::from_mins(10));
    assert_eq!(scene.strict(), "c4A c5A c6A / - / no / -");
    assert_eq!(scene.decide(Semantics::Strict).unwrap().verdicts["c3"], Verdict::Done);
}

#[test]
fn the_reason_names_three_late_clusters_and_counts_the_others() {
    let late = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
    let wait = Wait::MandatoryFailure { group: Default::default(), failed: 5, late, may_recover: false };
    assert!(
        wait.lasting().ends_with(": a, b, c and 2 more succeeded only after the progressDeadline"),
        "{}",
        wait.lasting()
    );
}

#[test]
fn a_larger_budget_does_not_unblock_a_mandatory_group_that_failed() {
    let strategy = json!({ "maxFailures": 5, "mandatoryDecisionGroups": [{ "groupName": "g0" }] });
    let scene = Scene::new(two(), json!({ "type": "Progressive", "progressive": strategy }), "c1F c2S");
    let opens = |semantics| {
        let decision = scene.decide(semantics).unwrap();
        decision.waiting().find(|(cluster, _)| cluster.as_str() == "c3").map(|(_, wait)| wait.opens()).unwrap()
    };
    let commit = "a commit brings another configuration, reverts to the one before, or removes the group from mandatoryDecisionGroups";
    assert_eq!(opens(Semantics::Strict), commit);
    assert_eq!(opens(Semantics::Compat), format!("failed clusters recover, or {commit}"));
}
