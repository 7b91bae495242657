//! Tests of misconfigured Placements: the reported problem, and that nothing is evicted.

use serde_json::{Value, json};
use tidegate_rollout::placement::Code;

use super::fixture::{Hub, says};

fn prioritizers(coordinate: Value) -> Value {
    json!({ "prioritizerPolicy": { "configurations": [{ "scoreCoordinate": coordinate, "weight": 1 }] } })
}

fn labels(expression: Value) -> Value {
    json!({ "predicates": [{ "requiredClusterSelector": { "labelSelector": { "matchExpressions": [expression] } } }] })
}

fn group(expression: Value) -> Value {
    let selector = json!({ "labelSelector": { "matchExpressions": [expression] } });
    let named = json!([{ "groupName": "broken", "groupClusterSelector": selector }]);
    json!({ "decisionStrategy": { "groupStrategy": { "decisionGroups": named } } })
}

fn size(size: &str) -> Value {
    json!({ "decisionStrategy": { "groupStrategy": { "clustersPerDecisionGroup": size } } })
}

/// Returns invalid specs, each with the plugin and the start of the message.
fn table() -> Vec<(Value, &'static str, &'static str)> {
    let cel = json!({ "celExpressions": ["managedCluster.metadata.name == 'c1'", "cluster.metadata.name == 'c1'"] });
    vec![
        (json!({ "numberOfClusters": -1 }), "", "numberOfClusters must not be negative: -1"),
        (
            json!({ "predicates": [{ "requiredClusterSelector": { "celSelector": cel } }] }),
            "Predicate",
            "compilation failed: ERROR: <input>:1:1: undeclared reference to 'cluster' (in container '')\n | cluster",
        ),
        (
            labels(json!({ "key": "a", "operator": "Gt", "values": ["1"] })),
            "Predicate",
            "\"Gt\" is not a valid label selector operator",
        ),
        (
            labels(json!({ "key": "a", "operator": "In" })),
            "Predicate",
            "values: Invalid value: null: for 'in', 'notin' operators",
        ),
        (
            labels(json!({ "key": "a", "operator": "NotIn", "values": [] })),
            "Predicate",
            "values: Invalid value: []: for 'in', 'notin'",
        ),
        (
            labels(json!({ "key": "a", "operator": "Exists", "values": ["b"] })),
            "Predicate",
            "values: Invalid value: [\"b\"]: values set must",
        ),
        (
            labels(json!({ "key": "bad key!", "operator": "Exists" })),
            "Predicate",
            "key: Invalid value: \"bad key!\": name part must consist",
        ),
        (
            labels(json!({ "key": "UPPER/a", "operator": "Exists" })),
            "Predicate",
            "key: Invalid value: \"UPPER/a\": prefix part a lowercase",
        ),
        (
            labels(json!({ "key": "a/b/c", "operator": "Exists" })),
            "Predicate",
            "key: Invalid value: \"a/b/c\": a qualified name must",
        ),
        (
            labels(json!({ "key": "", "operator": "In", "values": ["-"] })),
            "Predicate",
            "[key: Invalid value: \"\": name part must be non-empty; ",
        ),
        (
            labels(json!({ "key": "a", "operator": "In", "values": ["ok", "-bad-"] })),
            "Predicate",
            "values[1][a]: Invalid value: \"-bad-\": a valid",
        ),
        (
            json!({ "tolerations": [{ "value": "v" }] }),
            "TaintToleration",
            "If the key is empty, operator must be Exists.",
        ),
        (
            json!({ "tolerations": [{ "key": "k", "operator": "Exists", "value": "v" }] }),
            "TaintToleration",
            "If the operator is Exists, the value should be empty.",
        ),
        (json!({ "prioritizerPolicy": { "mode": "exact" } }), "", "incorrect prioritizer policy mode: exact"),
        (json!({ "prioritizerPolicy": { "configurations": [{}] } }), "", "scoreCoordinate field is required"),
        (prioritizers(json!({ "type": "BuiltIn", "builtIn": "Spread" })), "", "incorrect builtin prioritizer: Spread"),
        (prioritizers(json!({ "type": "BuiltIn" })), "", "incorrect builtin prioritizer: "),
        (prioritizers(json!({ "type": "AddOn" })), "", "addOn should not be empty"),
        (group(json!({ "key": "a", "operator": "Nope" })), "", "\"Nope\" is not a valid label selector operator"),
        (size("5"), "", "5 invalid type: string is not a percentage"),
        (size("%"), "", "% invalid type: string is not a percentage"),
        (size("x%"), "", "x% invalid type: string is not a percentage"),
    ]
}

#[test]
fn a_misconfiguration_is_described() {
    for (spec, plugin, message) in table() {
        let outcome = Hub::with_clusters(spec.clone(), 2).run();
        let Code::Misconfigured(complaint) = &outcome.code else { panic!("{spec}: {:?}", outcome.code) };
        assert_eq!(complaint.plugin, plugin, "{spec}");
        assert!(complaint.message.starts_with(message), "{spec}: {}", complaint.message);
        let said = says(&outcome, "PlacementMisconfigured");
        assert_eq!(said, format!("True Misconfigured: {plugin}:{}", complaint.message), "{spec}");
    }
}

#[test]
fn a_misconfiguration_keeps_the_decisions_and_their_status() {
    for (spec, _, _) in table() {
        let mut hub = Hub::with_clusters(json!({}), 2);
        hub.settle();
        let before = (hub.decisions.clone(), hub.placement.status.clone().unwrap());
        hub.spec(spec.clone());
        assert!(hub.run().keep_decisions, "{spec}");
        assert_eq!(hub.settle().len(), 1, "{spec}: the status reports the problem");
        let status = hub.placement.status.clone().unwrap();
        assert_eq!(hub.decisions, before.0, "{spec}");
        assert_eq!(status.decision_groups, before.1.decision_groups, "{spec}");
        assert_eq!(status.number_of_selected_clusters, 2, "{spec}");
        assert_eq!(status.conditions[1], before.1.conditions[1], "{spec}: PlacementSatisfied");
        assert_eq!(status.conditions[0].status, "True", "{spec}: PlacementMisconfigured");
        assert_eq!(hub.writes(), [], "{spec}: nothing is reported twice");
        hub.spec(json!({}));
        hub.settle();
        assert_eq!(hub.placement.status.clone().unwrap(), before.1, "{spec}: fixed");
    }
}

#[test]
fn a_placement_that_names_only_unbound_sets_keeps_its_decisions() {
    let mut hub = Hub::with_clusters(json!({ "clusterSets": ["all"] }), 2);
    hub.settle();
    let decisions = hub.decisions.clone();
    hub.spec(json!({ "clusterSets": ["al"] }));
    let outcome = hub.run();
    assert!(outcome.keep_decisions && outcome.groups.iter().all(|group| group.clusters.is_empty()));
    hub.settle();
    assert_eq!(hub.decisions, decisions);
    let status = hub.placement.status.clone().unwrap();
    assert_eq!(status.number_of_selected_clusters, 2);
    assert_eq!(
        (status.conditions[1].status.as_str(), status.conditions[1].reason.as_str()),
        ("False", "NoIntersection")
    );
    assert_eq!(hub.writes(), [], "nothing is reported twice");
}

#[test]
fn a_misconfigured_placement_that_never_decided_gets_no_decisions() {
    let mut hub = Hub::with_clusters(json!({ "numberOfClusters": -1 }), 2);
    hub.settle();
    assert!(hub.decisions.is_empty());
    let status = hub.placement.status.clone().unwrap();
    assert_eq!(status.conditions.len(), 2);
    assert_eq!(hub.writes(), []);
}

#[test]
fn a_name_that_cannot_be_a_label_is_a_misconfiguration() {
    let mut hub = Hub::with_clusters(json!({}), 1);
    hub.placement.metadata.name = Some("p".repeat(63));
    assert_eq!(hub.run().code, Code::Success);
    hub.placement.metadata.name = Some("p".repeat(64));
    assert!(matches!(hub.run().code, Code::Misconfigured(_)));
}

#[test]
fn selectors_and_tolerations_are_not_checked_without_candidates() {
    let broken = labels(json!({ "key": "a", "operator": "Gt", "values": ["1"] }));
    assert_eq!(Hub::new(broken).run().code, Code::Success);
    assert_eq!(Hub::new(json!({ "tolerations": [{ "value": "v" }] })).run().code, Code::Success);
    let mode = json!({ "prioritizerPolicy": { "mode": "exact" } });
    assert!(matches!(Hub::new(mode).run().code, Code::Misconfigured(_)));
}
