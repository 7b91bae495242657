//! The whole controller, called the way recorded cases call it.

use serde_json::{Value, json};
use tidegate_oracle::{Area, answer};

fn case(placements: &[&str], decisions: Value) -> Value {
    let strategies: Value = placements
        .iter()
        .map(|name| json!({ "namespace": "n", "name": name, "rolloutStrategy": { "type": "All" } }))
        .collect();
    let progressions: Value = placements.iter().map(|name| json!({ "namespace": "n", "name": name })).collect();
    let existing = placements.iter().filter(|name| !name.starts_with("absent"));
    json!({
        "now": "2026-01-01T00:00:00Z",
        "clusterManagementAddOn": {
            "metadata": { "name": "hello" },
            "spec": { "installStrategy": { "type": "Placements", "placements": strategies } },
            "status": { "installProgressions": progressions },
        },
        "placements": existing.map(|name| json!({ "metadata": { "namespace": "n", "name": name } })).collect::<Value>(),
        "placementDecisions": decisions,
        "managedClusterAddOns": [{ "metadata": { "namespace": "east", "name": "hello" } }],
    })
}

fn decision(placement: &str, index: &str, clusters: &[&str]) -> Value {
    let decisions: Value = clusters.iter().map(|name| json!({ "clusterName": name, "reason": "" })).collect();
    json!({
        "metadata": { "namespace": "n", "name": format!("{placement}-{index}"), "labels": {
            "cluster.open-cluster-management.io/placement": placement,
            "cluster.open-cluster-management.io/decision-group-index": index,
        } },
        "status": { "decisions": decisions },
    })
}

fn answered(case: &Value) -> Value {
    answer(Area::AddonConfig, case).unwrap()
}

#[test]
fn errors_of_several_placements_are_reported_together_and_once_each() {
    let error = |case: &Value| answered(case)["error"].as_str().unwrap().to_owned();
    let missing = |name: &str| format!("placement.cluster.open-cluster-management.io \"{name}\" not found");
    assert_eq!(error(&case(&["absent"], json!([]))), missing("absent"));
    let both = format!("[{}, {}]", missing("absent1"), missing("absent2"));
    assert_eq!(error(&case(&["absent1", "absent2"], json!([]))), both);
    let wrong = json!([decision("p", "x", &[]), decision("q", "x", &[])]);
    let text = "incorrect group index: strconv.Atoi: parsing \"x\": invalid syntax";
    assert_eq!(error(&case(&["p", "q"], wrong)), text);
}

#[test]
fn a_pass_with_an_error_writes_nothing() {
    let answer = answered(&case(&["p", "absent"], json!([decision("p", "0", &["east"])])));
    assert_eq!(answer["managedClusterAddOns"][0]["conditions"], json!([]));
    assert_eq!(answer["clusterManagementAddOn"]["installProgressions"][0]["conditions"], json!([]));
}

#[test]
fn a_cluster_belongs_to_the_last_placement_that_selects_it() {
    let decisions = json!([decision("p", "0", &["east", "west"]), decision("q", "0", &["east"])]);
    let answer = answered(&case(&["p", "q"], decisions));
    let messages: Vec<&str> = [0, 1]
        .map(|index| {
            answer["clusterManagementAddOn"]["installProgressions"][index]["conditions"][0]["message"].as_str().unwrap()
        })
        .to_vec();
    assert_eq!(
        messages,
        [
            "selected clusters 2. configured addons 0/1 progressing..., 0 failed 0 timeout.",
            "selected clusters 1. configured addons 1/1 completed with no errors, 0 failed 0 timeout.",
        ]
    );
}

#[test]
fn clusters_after_a_gap_in_the_groups_are_not_selected() {
    let decisions = json!([decision("p", "0", &["west"]), decision("p", "2", &["east"])]);
    let answer = answered(&case(&["p"], decisions));
    let message = &answer["clusterManagementAddOn"]["installProgressions"][0]["conditions"][0]["message"];
    assert_eq!(message, "selected clusters 1. configured addons 0/1 progressing..., 0 failed 0 timeout.");
}

#[test]
fn a_rollout_that_is_too_long_is_refused() {
    let mut course = case(&[], json!([]));
    course["configObjects"] = json!([]);
    course["scripts"] = json!({});
    course["tick"] = json!("1m");
    course["ticks"] = json!(4_000_000_000_u32);
    let refused = answer(Area::AddonConfig, &course).unwrap_err().to_string();
    assert!(refused.starts_with("4000000000 ticks exceed the maximum of"), "{refused}");
    course["ticks"] = json!(30);
    course["tick"] = json!("2540400h");
    let refused = answer(Area::AddonConfig, &course).unwrap_err().to_string();
    assert!(refused.ends_with("is beyond the range of times"), "{refused}");
    course["tick"] = json!("soon");
    answer(Area::AddonConfig, &course).unwrap_err();
}

#[test]
fn an_unknown_controller_is_refused() {
    answer(Area::AddonProgress, &json!({ "controller": "other" })).unwrap_err();
    answer(Area::AddonProgress, &json!([])).unwrap_err();
}
