//! Tests of reading decision groups back.

use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::ocm::placement::PlacementDecision;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::NamespacedName;
use tidegate_rollout::placement::{Error, read_decisions};

use super::fixture::Hub;

fn decision(name: &str, labels: Value, status: Value) -> PlacementDecision {
    let mut object = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1beta1", "kind": "PlacementDecision", "spec": {},
        "metadata": { "name": name, "namespace": "ns", "labels": {} },
    });
    for (key, value) in labels.as_object().unwrap() {
        object["metadata"]["labels"][format!("cluster.open-cluster-management.io/{key}")] = value.clone();
    }
    if !status.is_null() {
        object["status"] = status;
    }
    serde_json::from_value(object).unwrap()
}

fn page(name: &str, index: &str, group: &str, clusters: &[&str]) -> PlacementDecision {
    let labels = json!({ "placement": "p", "decision-group-index": index, "decision-group-name": group });
    let entries: Vec<Value> = clusters.iter().map(|cluster| json!({ "clusterName": cluster, "reason": "" })).collect();
    decision(name, labels, json!({ "decisions": entries }))
}

fn read(decisions: &[PlacementDecision]) -> Result<Vec<DecisionGroup>, Error> {
    read_decisions(decisions.iter(), &NamespacedName::new("ns", "p"))
}

fn group(index: i32, name: &str, clusters: &[&str]) -> DecisionGroup {
    DecisionGroup {
        index,
        name: name.into(),
        clusters: clusters.iter().map(|cluster| cluster.parse().unwrap()).collect(),
    }
}

#[test]
fn pages_of_a_group_are_merged_and_groups_are_sorted_by_number() {
    let decisions = [
        page("p-decision-11", "10", "", &["z"]),
        page("p-decision-2", "2", "", &["c"]),
        page("p-decision-1", "0", "canary", &["b", "a"]),
        page("p-decision-3", "2", "", &["d", "c"]),
    ];
    let expected = [group(0, "canary", &["a", "b"]), group(2, "", &["c", "d"]), group(10, "", &["z"])];
    assert_eq!(read(&decisions).unwrap(), expected);
}

#[test]
fn an_object_without_status_selects_nothing() {
    let labels = json!({ "placement": "p", "decision-group-index": "0" });
    let decisions =
        [decision("one", labels.clone(), json!(null)), decision("two", labels, json!({ "decisions": null }))];
    assert_eq!(read(&decisions).unwrap(), [group(0, "", &[])]);
}

#[test]
fn other_placements_are_not_read() {
    let other = json!({ "placement": "q", "decision-group-index": "broken" });
    assert_eq!(
        read(&[decision("q-decision-1", other, json!(null)), decision("stray", json!({}), json!(null))]).unwrap(),
        []
    );
    let elsewhere = NamespacedName::new("elsewhere", "p");
    assert_eq!(read_decisions([page("p-decision-1", "0", "", &["a"])].iter(), &elsewhere).unwrap(), []);
}

#[test]
fn an_index_that_is_not_a_number_is_an_error_that_names_the_object() {
    for (labels, text) in [
        (json!({ "placement": "p" }), ""),
        (json!({ "placement": "p", "decision-group-index": "one" }), "one"),
        (json!({ "placement": "p", "decision-group-index": "3000000000" }), "3000000000"),
    ] {
        let error = read(&[decision("p-decision-7", labels, json!(null))]).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("ns/p-decision-7") && message.contains(&format!("{text:?}")), "{message}");
    }
}

#[test]
fn an_invalid_cluster_name_is_an_error_that_names_the_object() {
    for name in ["", "Not A Cluster"] {
        let error = read(&[page("p-decision-7", "0", "", &[name])]).unwrap_err();
        assert!(matches!(&error, Error::ClusterName { object, .. } if object.name == "p-decision-7"), "{error}");
    }
}

#[test]
fn written_groups_are_read_back() {
    let strategy = json!({ "clustersPerDecisionGroup": 120 });
    let mut hub = Hub::with_clusters(json!({ "decisionStrategy": { "groupStrategy": strategy } }), 250);
    hub.settle();
    let read = read_decisions(hub.decisions.values().map(Arc::as_ref), &hub.id()).unwrap();
    assert_eq!(read, hub.run().groups);
    assert_eq!(read.len(), 3);
}
