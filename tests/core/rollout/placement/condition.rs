//! Tests of the conditions of a Placement and their times.

use serde_json::json;

use super::fixture::{Hub, condition, says};

const SATISFIED: &str = "PlacementSatisfied";

#[test]
fn a_missing_binding_is_reported() {
    let mut hub = Hub::with_clusters(json!({ "clusterSets": ["all"] }), 1);
    hub.bindings.clear();
    let expected = "False NoManagedClusterSetBindings: No valid ManagedClusterSetBindings found in placement namespace";
    assert_eq!(says(&hub.run(), SATISFIED), expected);
}

#[test]
fn sets_that_are_not_bound_are_named() {
    let hub = Hub::with_clusters(json!({ "clusterSets": ["b", "a"] }), 1);
    let expected = "False NoIntersection: None of ManagedClusterSets [b,a] is bound to placement namespace";
    assert_eq!(says(&hub.run(), SATISFIED), expected);
}

#[test]
fn sets_without_members_are_named() {
    let mut hub = Hub::new(json!({}));
    hub.set("a", json!({ "selectorType": "ExclusiveClusterSetLabel" }));
    hub.bind("ns", "a");
    let expected = "False AllManagedClusterSetsEmpty: All ManagedClusterSets [a,all] have no member ManagedCluster";
    assert_eq!(says(&hub.run(), SATISFIED), expected);
}

#[test]
fn predicates_that_match_nothing_differ_from_empty_sets() {
    let nobody = json!({ "labelSelector": { "matchLabels": { "a": "b" } } });
    let hub = Hub::with_clusters(json!({ "predicates": [{ "requiredClusterSelector": nobody }] }), 1);
    let expected = "False NoManagedClusterMatched: No ManagedCluster matches any of the cluster predicate";
    assert_eq!(says(&hub.run(), SATISFIED), expected);
    let none = Hub::with_clusters(json!({ "numberOfClusters": 0 }), 1);
    assert_eq!(says(&none.run(), SATISFIED), expected);
}

#[test]
fn missing_clusters_are_counted() {
    let outcome = Hub::with_clusters(json!({ "numberOfClusters": 3 }), 1).run();
    assert_eq!(says(&outcome, SATISFIED), "False NotAllDecisionsScheduled: 2 cluster decisions unscheduled");
    assert_eq!(outcome.status.number_of_selected_clusters, 1);
}

#[test]
fn a_satisfied_placement_reports_both_conditions() {
    let outcome = Hub::with_clusters(json!({ "numberOfClusters": 1 }), 2).run();
    assert_eq!(says(&outcome, SATISFIED), "True AllDecisionsScheduled: All cluster decisions scheduled");
    let expected = "False Succeedconfigured: Placement configurations check pass";
    assert_eq!(says(&outcome, "PlacementMisconfigured"), expected);
}

#[test]
fn the_time_of_a_condition_moves_only_with_its_status() {
    let mut hub = Hub::with_clusters(json!({ "numberOfClusters": 4 }), 1);
    hub.settle();
    let first = condition(&hub.run(), SATISFIED).last_transition_time.clone();
    hub.now = "2026-01-02T00:00:00.5Z".parse().unwrap();
    hub.cluster("c2", json!({}));
    let outcome = hub.run();
    assert_eq!(says(&outcome, SATISFIED), "False NotAllDecisionsScheduled: 2 cluster decisions unscheduled");
    assert_eq!(condition(&outcome, SATISFIED).last_transition_time, first);
    hub.cluster("c3", json!({}));
    hub.cluster("c4", json!({}));
    let outcome = hub.run();
    let at = |type_| condition(&outcome, type_).last_transition_time.0.to_string();
    assert_eq!(at(SATISFIED), "2026-01-02T00:00:00Z");
    assert_eq!(at("PlacementMisconfigured"), "2026-01-01T00:00:00Z");
}
