//! Tests of decision groups and pages.

use serde_json::{Value, json};

use super::fixture::{Hub, groups};

fn strategy(per_group: Value, named: &[(&str, Value)]) -> Value {
    let named: Vec<Value> = named
        .iter()
        .map(|(name, selector)| json!({ "groupName": name, "groupClusterSelector": { "labelSelector": selector } }))
        .collect();
    json!({ "decisionStrategy": { "groupStrategy": { "clustersPerDecisionGroup": per_group, "decisionGroups": named } } })
}

fn tier(name: &str) -> Value {
    json!({ "matchLabels": { "tier": name } })
}

fn tiers(spec: Value, clusters: &[(&str, &str)]) -> Hub {
    let mut hub = Hub::new(spec);
    for (name, tier) in clusters {
        hub.labelled(name, json!({ "tier": tier }));
    }
    hub
}

const FOUR: [(&str, &str); 4] = [("c1", ""), ("c2", ""), ("c3", "canary"), ("c4", "canary")];

#[test]
fn named_groups_come_first_and_are_cut_too() {
    for per_group in [json!(1), json!("25%")] {
        let outcome = tiers(strategy(per_group, &[("canary", tier("canary"))]), &FOUR).run();
        assert_eq!(groups(&outcome), ["canary/0: c3", "canary/1: c4", "/2: c1", "/3: c2"]);
        let names: Vec<_> = outcome.decisions.iter().map(|page| page.name.as_str()).collect();
        assert_eq!(names, ["p-decision-1", "p-decision-2", "p-decision-3", "p-decision-4"]);
        assert!(outcome.status.decision_groups.iter().all(|group| group.clusters_count == 1));
    }
}

#[test]
fn a_cluster_belongs_to_the_first_group_that_matches() {
    let spec = strategy(json!(0), &[("one", tier("canary")), ("two", json!({}))]);
    assert_eq!(groups(&tiers(spec, &FOUR).run()), ["one/0: c3 c4", "two/1: c1 c2"]);
}

#[test]
fn groups_that_match_everything_leave_no_empty_group() {
    let spec = strategy(json!(null), &[("group1", tier("a")), ("group2", tier("b"))]);
    let outcome = tiers(spec, &[("c1", "a"), ("c2", "a"), ("c3", "b")]).run();
    assert_eq!(groups(&outcome), ["group1/0: c1 c2", "group2/1: c3"]);
    assert_eq!(outcome.decisions.len(), 2);
}

#[test]
fn a_named_group_without_clusters_takes_no_index() {
    let spec = strategy(json!(null), &[("canary", tier("nobody"))]);
    assert_eq!(groups(&Hub::with_clusters(spec, 3).run()), ["/0: c1 c2 c3"]);
}

#[test]
fn a_group_can_be_selected_by_claim() {
    let selector = json!({ "claimSelector": { "matchExpressions": [{ "key": "gpu", "operator": "Exists" }] } });
    let named = json!([{ "groupName": "gpu", "groupClusterSelector": selector }]);
    let mut hub =
        Hub::with_clusters(json!({ "decisionStrategy": { "groupStrategy": { "decisionGroups": named } } }), 2);
    hub.cluster("c2", json!({ "status": { "clusterClaims": [{ "name": "gpu", "value": "any thing" }] } }));
    assert_eq!(groups(&hub.run()), ["gpu/0: c2", "/1: c1"]);
}

fn first_group(per_group: &str, total: usize) -> usize {
    Hub::with_clusters(strategy(json!(per_group), &[]), total).run().groups[0].clusters.len()
}

#[test]
fn percentages_are_rounded_up() {
    let table = [("25%", 3, 1), ("20%", 7, 2), ("33%", 3, 1), ("34%", 3, 2), ("25%", 10, 3), ("10%", 30, 3)];
    for (per_group, total, size) in table {
        assert_eq!(first_group(per_group, total), size, "{per_group} of {total}");
    }
}

#[test]
fn percentages_of_a_hundred_have_upstreams_rounding_errors() {
    for percent in 1..=100 {
        let odd = [7, 14, 28, 55, 56].contains(&percent);
        assert_eq!(first_group(&format!("{percent}%"), 100), percent + usize::from(odd), "{percent}%");
    }
}

#[test]
fn a_meaningless_size_means_one_group() {
    for per_group in
        [json!(0), json!(-3), json!(5), json!("0%"), json!("-20%"), json!("150%"), json!("NaN%"), json!("Inf%")]
    {
        let outcome = Hub::with_clusters(strategy(per_group.clone(), &[]), 3).run();
        assert_eq!(groups(&outcome), ["/0: c1 c2 c3"], "{per_group}");
    }
}

#[test]
fn pages_hold_a_hundred_clusters_and_are_numbered_across_groups() {
    let mut hub = Hub::new(strategy(json!(null), &[("canary", tier("canary"))]));
    for i in 0..351 {
        hub.labelled(&format!("c{i:03}"), json!({ "tier": if i < 250 { "canary" } else { "rest" } }));
    }
    let outcome = hub.run();
    let sizes: Vec<_> = outcome.decisions.iter().map(|page| (page.name.as_str(), page.clusters.len())).collect();
    let expected = [
        ("p-decision-1", 100),
        ("p-decision-2", 100),
        ("p-decision-3", 50),
        ("p-decision-4", 100),
        ("p-decision-5", 1),
    ];
    assert_eq!(sizes, expected);
    let statuses = serde_json::to_value(&outcome.status.decision_groups).unwrap();
    let expected = json!([
        { "decisionGroupIndex": 0, "decisionGroupName": "canary", "clusterCount": 250,
          "decisions": ["p-decision-1", "p-decision-2", "p-decision-3"] },
        { "decisionGroupIndex": 1, "decisionGroupName": "", "clusterCount": 101,
          "decisions": ["p-decision-4", "p-decision-5"] },
    ]);
    assert_eq!(statuses, expected);
}

#[test]
fn no_clusters_give_one_empty_page() {
    let outcome = Hub::new(json!({})).run();
    assert_eq!(groups(&outcome), ["/0: "]);
    assert_eq!(outcome.decisions.len(), 1);
    let labels = json!(outcome.decisions[0].labels);
    let expected = json!({
        "cluster.open-cluster-management.io/placement": "p",
        "cluster.open-cluster-management.io/decision-group-index": "0",
        "cluster.open-cluster-management.io/decision-group-name": "",
    });
    assert_eq!(labels, expected);
    assert_eq!(outcome.status.decision_groups[0].decisions, ["p-decision-1"]);
}

#[test]
fn groups_are_sorted_bytewise_regardless_of_rank() {
    let mut hub = Hub::with_clusters(json!({ "numberOfClusters": 11 }), 12);
    hub.decision("ns", "p", 1, &["c9"]);
    let outcome = hub.run();
    assert_eq!(outcome.selected[0].cluster.as_str(), "c9");
    assert_eq!(groups(&outcome), ["/0: c1 c10 c11 c12 c2 c3 c4 c5 c6 c7 c9"]);
}
