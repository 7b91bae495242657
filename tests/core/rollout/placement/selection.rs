//! Tests of cluster sets and bindings, predicates, taints and tolerations.

use serde_json::{Value, json};
use tidegate_rollout::placement::{Code, wants_scheduling};

use super::fixture::{Hub, selected};

const SET_LABEL: &str = "cluster.open-cluster-management.io/clusterset";

fn sets() -> Hub {
    let mut hub = Hub::new(json!({}));
    hub.bindings.clear();
    hub.set("east", json!({ "selectorType": "ExclusiveClusterSetLabel" }));
    hub.set("default", json!({ "selectorType": "" }));
    hub.set("prod", json!({ "selectorType": "LabelSelector", "labelSelector": { "matchLabels": { "env": "prod" } } }));
    hub.set("nobody", json!({ "selectorType": "LabelSelector" }));
    hub.labelled("a", json!({ SET_LABEL: "east" }));
    hub.labelled("b", json!({ SET_LABEL: "east", "env": "prod" }));
    hub.labelled("c", json!({ "env": "prod" }));
    hub.labelled("d", json!({ SET_LABEL: "default" }));
    hub
}

#[test]
fn only_sets_that_are_bound_to_the_namespace_offer_clusters() {
    let table: [(&[&str], &[&str]); 7] = [
        (&[], &[]),
        (&["east"], &["a", "b"]),
        (&["default"], &["d"]),
        (&["prod"], &["b", "c"]),
        (&["nobody"], &[]),
        (&["no-such-set"], &[]),
        (&["east", "prod", "all"], &["a", "b", "c", "d"]),
    ];
    for (bound, expected) in table {
        let mut hub = sets();
        bound.iter().for_each(|set| hub.bind("ns", set));
        hub.bind("ns2", "all");
        hub.bind("nr", "all");
        assert_eq!(selected(&hub.run()), expected, "{bound:?}");
    }
}

#[test]
fn a_placement_can_want_some_of_the_bound_sets() {
    let mut hub = sets();
    hub.bind("ns", "east");
    hub.bind("ns", "prod");
    hub.spec(json!({ "clusterSets": ["prod", "prod", "default"] }));
    assert_eq!(selected(&hub.run()), ["b", "c"]);
}

#[test]
fn a_cluster_that_is_being_deleted_is_not_a_candidate() {
    let mut hub = Hub::with_clusters(json!({}), 1);
    hub.cluster("c2", json!({ "metadata": { "deletionTimestamp": "2026-01-01T00:00:00Z" } }));
    assert_eq!(selected(&hub.run()), ["c1"]);
}

#[test]
fn a_broken_set_stops_the_run_and_touches_nothing() {
    let table = [
        (json!({ "selectorType": "Other" }), "selectorType is not right: Other"),
        (
            json!({ "selectorType": "LabelSelector",
                    "labelSelector": { "matchExpressions": [{ "key": "a", "operator": "Gt", "values": ["1"] }] } }),
            "\"Gt\" is not a valid label selector operator",
        ),
    ];
    for (selector, fault) in table {
        let mut hub = Hub::with_clusters(json!({}), 2);
        hub.settle();
        hub.set("all", selector);
        let outcome = hub.run();
        let Code::Error(complaint) = &outcome.code else { panic!("{:?}", outcome.code) };
        assert_eq!(complaint.message, format!("failed to get clusters from ClusterSet \"all\": {fault}"));
        assert!(outcome.keep_decisions);
        assert_eq!(Some(outcome.status), hub.placement.status);
        assert_eq!(hub.writes(), []);
    }
}

fn predicate(label: Value, claims: Value) -> Value {
    json!({ "requiredClusterSelector": { "labelSelector": label, "claimSelector": { "matchExpressions": claims } } })
}

fn labelled() -> Hub {
    let mut hub = Hub::new(json!({}));
    for (name, labels) in [("aws", json!({ "cloud": "aws" })), ("gcp", json!({ "cloud": "gcp" })), ("none", json!({}))]
    {
        let claims = json!([{ "name": "v", "value": "old" }, { "name": "v", "value": format!("v-{name}") }]);
        hub.cluster(name, json!({ "metadata": { "labels": labels }, "status": { "clusterClaims": claims } }));
    }
    hub
}

#[test]
fn operators_of_a_selector_select_as_in_kubernetes() {
    let table: [(&str, Value, &[&str]); 4] = [
        ("In", json!(["aws", "x"]), &["aws"]),
        ("NotIn", json!(["aws"]), &["gcp", "none"]),
        ("Exists", json!([]), &["aws", "gcp"]),
        ("DoesNotExist", json!(null), &["none"]),
    ];
    for (operator, values, expected) in table {
        let mut hub = labelled();
        let expression = json!({ "key": "cloud", "operator": operator, "values": values });
        hub.spec(json!({ "predicates": [predicate(json!({ "matchExpressions": [expression] }), json!([]))] }));
        assert_eq!(selected(&hub.run()), expected, "{operator}");
    }
}

#[test]
fn one_predicate_is_enough_but_all_of_its_selectors_must_match() {
    let claim = |value: &str| json!([{ "key": "v", "operator": "In", "values": [value] }]);
    let cloud = |value: &str| json!({ "matchLabels": { "cloud": value } });
    let mut hub = labelled();
    hub.spec(json!({ "predicates": [
        predicate(cloud("aws"), claim("v-aws")),
        predicate(cloud("gcp"), claim("v-aws")),
        predicate(json!({}), claim("v-none")),
        predicate(json!({}), claim("old")),
    ] }));
    assert_eq!(selected(&hub.run()), ["aws", "none"]);
    hub.spec(json!({ "predicates": [{}] }));
    assert_eq!(selected(&hub.run()), ["aws", "gcp", "none"]);
}

fn tainted(taint: Value, toleration: Value) -> Hub {
    let mut hub = Hub::new(json!({ "tolerations": [toleration] }));
    hub.cluster("c", json!({ "spec": { "taints": [taint] } }));
    hub
}

#[test]
fn a_toleration_fits_by_key_value_and_effect() {
    let taint = json!({ "key": "k", "value": "v", "effect": "NoSelect" });
    let table = [
        (json!({ "key": "k", "value": "v" }), true),
        (json!({ "key": "k", "value": "v", "operator": "Equal", "effect": "NoSelect" }), true),
        (json!({ "key": "k", "operator": "Exists" }), true),
        (json!({ "operator": "Exists" }), true),
        (json!({ "key": "k" }), false),
        (json!({ "key": "k2", "value": "v" }), false),
        (json!({ "key": "k", "value": "v", "effect": "NoSelectIfNew" }), false),
        (json!({ "key": "k", "value": "v", "operator": "Unknown" }), false),
    ];
    for (toleration, tolerated) in table {
        let outcome = tainted(taint.clone(), toleration.clone()).run();
        assert_eq!(selected(&outcome).len(), usize::from(tolerated), "{toleration}");
        assert_eq!(outcome.code, Code::Success);
    }
}

#[test]
fn every_taint_must_be_tolerated() {
    let mut hub = Hub::new(json!({ "tolerations": [{ "key": "key1", "value": "value1" }], "numberOfClusters": 3 }));
    let one = json!({ "key": "key1", "value": "value1", "effect": "NoSelect" });
    let two = json!({ "key": "key2", "value": "value2", "effect": "NoSelect" });
    hub.cluster("c1", json!({ "spec": { "taints": [one] } }));
    hub.cluster("c2", json!({ "spec": { "taints": [two] } }));
    hub.cluster("c3", json!({}));
    hub.cluster("c4", json!({ "spec": { "taints": [one, two] } }));
    assert_eq!(selected(&hub.run()), ["c1", "c3"]);
}

#[test]
fn effects_differ_in_the_clusters_they_exclude() {
    for (effect, new, decided) in [("NoSelect", 0, 0), ("NoSelectIfNew", 0, 1), ("PreferNoSelect", 1, 1)] {
        let mut hub = Hub::new(json!({}));
        hub.cluster("c", json!({ "spec": { "taints": [{ "key": "k", "effect": effect }] } }));
        assert_eq!(hub.run().selected.len(), new, "{effect}, new");
        hub.decision("ns", "p", 1, &["c"]);
        assert_eq!(hub.run().selected.len(), decided, "{effect}, decided");
    }
}

#[test]
fn a_toleration_ends_with_its_seconds() {
    let at = |seconds: i64, added: Value| {
        let taint = json!({ "key": "k", "effect": "NoSelect", "timeAdded": added });
        let mut hub = tainted(taint, json!({ "key": "k", "operator": "Exists", "tolerationSeconds": seconds }));
        hub.decision("ns", "p", 1, &["c"]);
        let outcome = hub.run();
        (outcome.selected.len(), outcome.look_at.map(|at| at.to_string()))
    };
    let added = json!("2025-12-31T23:59:00Z");
    assert_eq!(at(61, added.clone()), (1, Some("2026-01-01T00:00:01Z".into())));
    assert_eq!(at(60, added.clone()), (0, None));
    assert_eq!(at(0, added.clone()), (0, None));
    assert_eq!(at(-5, added.clone()), (0, None));
    assert_eq!(at(i64::MAX, added.clone()), (1, None));
    assert_eq!(at(i64::MIN, added), (0, None));
    assert_eq!(at(1_000_000, json!(null)), (0, None));
}

#[test]
fn only_decided_clusters_request_another_run() {
    let taint = json!({ "key": "k", "effect": "NoSelect", "timeAdded": "2026-01-01T00:00:00Z" });
    let mut hub = tainted(taint, json!({ "key": "k", "operator": "Exists", "tolerationSeconds": 60 }));
    assert_eq!(hub.run().look_at, None);
    hub.settle();
    assert_eq!(hub.run().look_at, Some("2026-01-01T00:01:00Z".parse().unwrap()));
}

#[test]
fn a_placement_can_opt_out_of_scheduling() {
    let mut placement = Hub::new(json!({})).placement;
    assert!(wants_scheduling(&placement));
    let key = "cluster.open-cluster-management.io/experimental-scheduling-disable";
    placement.metadata.annotations = Some([(key.to_owned(), "false".to_owned())].into());
    assert!(wants_scheduling(&placement));
    placement.metadata.annotations = Some([(key.to_owned(), "true".to_owned())].into());
    assert!(!wants_scheduling(&placement));
    placement.metadata.annotations = None;
    placement.metadata.deletion_timestamp =
        Some(tidegate_api::condition::Time("2026-01-01T00:00:00Z".parse().unwrap()));
    assert!(!wants_scheduling(&placement));
}
