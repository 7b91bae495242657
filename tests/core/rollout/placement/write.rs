//! Tests of the writes that update the hub to the decision.

use serde_json::json;
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;

use super::fixture::Hub;

fn decision_key(name: &str) -> ObjectKey {
    ObjectKey::new("cluster.open-cluster-management.io", "PlacementDecision", "ns", name)
}

/// Returns `verb name` of every write, lane by lane.
fn verbs(lanes: &[Lane]) -> Vec<Vec<String>> {
    let verb = |write: &Write| {
        let verb = match write {
            Write::Create { .. } => "create",
            Write::PatchStatus { .. } => "status",
            Write::Patch { .. } => "patch",
            Write::Replace { .. } => "replace",
            Write::Delete { .. } => "delete",
            Write::Apply { .. } | Write::Declare { .. } => "apply",
        };
        format!("{verb} {}", write.key().unwrap().name)
    };
    lanes.iter().map(|lane| lane.writes.iter().map(verb).collect()).collect()
}

#[test]
fn a_decision_is_created_without_status_and_filled_next() {
    let mut hub = Hub::with_clusters(json!({}), 1);
    let lanes = hub.settle();
    let object = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1beta1",
        "kind": "PlacementDecision",
        "metadata": {
            "name": "p-decision-1",
            "namespace": "ns",
            "labels": {
                "cluster.open-cluster-management.io/placement": "p",
                "cluster.open-cluster-management.io/decision-group-name": "",
                "cluster.open-cluster-management.io/decision-group-index": "0",
            },
            "ownerReferences": [{
                "apiVersion": "cluster.open-cluster-management.io/v1beta1", "kind": "Placement", "name": "p", "uid": "uid-p",
                "controller": true, "blockOwnerDeletion": true,
            }],
        },
    });
    let status = json!({ "decisions": [{ "clusterName": "c1", "reason": "" }] });
    let writes = vec![
        Write::Create { object: object.into() },
        Write::PatchStatus { key: decision_key("p-decision-1"), precondition: None, status: status.into() },
    ];
    assert_eq!(lanes[0], Lane { stage: Stage::Decide, writes });
    assert_eq!(verbs(&lanes), [vec!["create p-decision-1", "status p-decision-1"], vec!["status p"]]);
    assert_eq!(hub.placement.status.as_ref().unwrap().number_of_selected_clusters, 1);
    assert_eq!(hub.writes(), []);
}

#[test]
fn an_empty_decision_gets_no_status() {
    let mut hub = Hub::new(json!({}));
    assert_eq!(verbs(&hub.settle()), [["create p-decision-1"], ["status p"]]);
    assert_eq!(hub.writes(), []);
}

#[test]
fn pages_of_new_clusters_do_not_wait_for_one_another() {
    let mut hub = Hub::with_clusters(json!({}), 250);
    let lanes = hub.settle();
    assert_eq!(lanes.len(), 4);
    assert_eq!(hub.writes(), []);
}

#[test]
fn shrinking_rewrites_the_first_page_and_deletes_the_rest() {
    let mut hub = Hub::with_clusters(json!({}), 128);
    hub.settle();
    hub.spec(json!({ "numberOfClusters": 10 }));
    assert_eq!(verbs(&hub.settle()), [["status p-decision-1", "delete p-decision-2", "status p"]]);
    assert_eq!(hub.decided().len(), 10);
    assert_eq!(hub.writes(), []);
}

#[test]
fn wrong_labels_alone_are_patched_alone() {
    let mut hub = Hub::with_clusters(json!({}), 1);
    hub.settle();
    let id = NamespacedName::new("ns", "p-decision-1");
    let decision = std::sync::Arc::make_mut(hub.decisions.get_mut(&id).unwrap());
    let labels = decision.metadata.labels.as_mut().unwrap();
    labels.insert("cluster.open-cluster-management.io/decision-group-name".into(), "wrong".into());
    labels.insert("stray".into(), "x".into());
    let meta = decision.metadata.clone();
    let patch = json!({ "metadata": { "labels": {
        "cluster.open-cluster-management.io/placement": "p",
        "cluster.open-cluster-management.io/decision-group-name": "",
        "cluster.open-cluster-management.io/decision-group-index": "0",
        "stray": null,
    } } });
    let precondition = Precondition { uid: meta.uid.unwrap(), resource_version: meta.resource_version };
    let write = Write::Patch { key: decision_key("p-decision-1"), precondition, patch: patch.into() };
    assert_eq!(hub.settle(), [Lane { stage: Stage::Decide, writes: vec![write] }]);
    assert_eq!(hub.writes(), []);
}

#[test]
fn a_new_group_layout_is_written_in_one_run() {
    let mut hub = Hub::with_clusters(json!({}), 4);
    hub.settle();
    let named = json!([{ "groupName": "all-of-them", "groupClusterSelector": {} }]);
    hub.spec(
        json!({ "decisionStrategy": { "groupStrategy": { "decisionGroups": named, "clustersPerDecisionGroup": 2 } } }),
    );
    hub.settle();
    assert_eq!(hub.decisions.len(), 2);
    assert_eq!(hub.writes(), []);
}

#[test]
fn an_object_with_the_name_of_a_page_is_taken_over_and_strays_are_removed() {
    let mut hub = Hub::with_clusters(json!({}), 1);
    hub.decision("ns", "p", 9, &["c1"]);
    hub.decision("ns", "other", 1, &["c1"]);
    let mut foreign = (*hub.decisions[&NamespacedName::new("ns", "p-decision-9")]).clone();
    foreign.metadata.name = Some("p-decision-1".into());
    foreign.metadata.uid = Some("uid-foreign".into());
    foreign.metadata.labels = None;
    hub.decisions.insert(NamespacedName::new("ns", "p-decision-1"), foreign.into());
    assert_eq!(verbs(&hub.settle()), [["patch p-decision-1", "delete p-decision-9", "status p"]]);
    assert!(hub.decisions.contains_key(&NamespacedName::new("ns", "other-decision-1")));
    assert_eq!(hub.writes(), []);
}

#[test]
fn a_cluster_that_moves_to_another_page_is_always_in_a_page() {
    let grown = |hub: &mut Hub| hub.cluster("a-first", json!({}));
    let shrunk = |hub: &mut Hub| {
        hub.clusters.remove("c1").unwrap();
    };
    for change in [grown as fn(&mut Hub), shrunk] {
        let mut hub = Hub::with_clusters(json!({}), 300);
        hub.settle();
        let before = hub.decided();
        change(&mut hub);
        let staying: Vec<_> = before.into_iter().filter(|name| hub.clusters.contains_key(name)).collect();
        for write in hub.writes().iter().flat_map(|lane| &lane.writes) {
            hub.apply(write);
            let now = hub.decided();
            assert!(staying.iter().all(|name| now.contains(name)), "after {}", write.key().unwrap());
        }
        assert_eq!(hub.writes(), []);
    }
}

#[test]
fn a_foreign_condition_is_kept() {
    let mut hub = Hub::with_clusters(json!({}), 1);
    let foreign = json!({ "type": "Foreign", "status": "True", "reason": "Because", "message": "",
                          "lastTransitionTime": "2025-01-01T00:00:00Z" });
    hub.placement.status = Some(serde_json::from_value(json!({ "conditions": [foreign] })).unwrap());
    hub.settle();
    let types: Vec<_> = hub.placement.status.unwrap().conditions.into_iter().map(|condition| condition.type_).collect();
    assert_eq!(types, ["Foreign", "PlacementMisconfigured", "PlacementSatisfied"]);
}
