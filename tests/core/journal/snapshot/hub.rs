//! A hub with one of everything that is recorded.

use serde_json::json;
use tidegate_journal::snapshot::Snapshot;
use tidegate_model::time::Timestamp;

use tidegate_simulation::hub::Hub;

pub(super) const ADDON: &str = "addon.open-cluster-management.io";
pub(super) const CLUSTERS: &str = "cluster.open-cluster-management.io";

pub(super) fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

pub(super) fn recorded(hub: &Hub) -> Snapshot {
    Snapshot::of(hub.fleet(), Some(&crate::instance::instance().id), now())
}

/// Returns a hub with two clusters: one has the add-on, and the other one is to get it.
pub(super) fn hub() -> Hub {
    let mut hub = Hub::default();
    let own = json!({ "tidegate.io/owned": "true", "tidegate.io/instance": "0123456789abcdef" });
    hub.apply(json!({
        "apiVersion": format!("{CLUSTERS}/v1"), "kind": "ManagedCluster",
        "metadata": { "name": "c1", "labels": { "region": "eu" }, "annotations": {
            "agent.example.com/seen": "12:00:00", "open-cluster-management.io/image-registries": "{}",
        } },
        "spec": { "hubAcceptsClient": true, "taints": [{ "key": "gpu", "effect": "NoSelect" }] },
        "status": {
            "conditions": [{
                "type": "ManagedClusterConditionAvailable", "status": "True", "reason": "R", "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }],
            "capacity": { "cpu": "8", "pods": "110" }, "allocatable": { "cpu": "7", "pods": "110" },
            "version": { "kubernetes": "v1.33.1" }, "clusterClaims": [{ "name": "product", "value": "EKS" }],
        },
    }));
    hub.apply(json!({
        "apiVersion": format!("{CLUSTERS}/v1"), "kind": "ManagedCluster",
        "metadata": { "name": "c2" }, "spec": { "hubAcceptsClient": false },
    }));
    hub.apply(json!({
        "apiVersion": format!("{CLUSTERS}/v1beta2"), "kind": "ManagedClusterSet",
        "metadata": { "name": "global" }, "spec": { "clusterSelector": { "selectorType": "LabelSelector", "labelSelector": {} } },
    }));
    hub.apply(json!({
        "apiVersion": format!("{CLUSTERS}/v1beta2"), "kind": "ManagedClusterSetBinding",
        "metadata": { "name": "global", "namespace": "ocm" }, "spec": { "clusterSet": "global" },
    }));
    hub.apply(json!({
        "apiVersion": format!("{CLUSTERS}/v1beta1"), "kind": "Placement",
        "metadata": { "name": "all", "namespace": "ocm", "labels": own }, "spec": { "numberOfClusters": 2 },
        "status": { "numberOfSelectedClusters": 1, "decisionGroups": [{
            "decisionGroupIndex": 0, "decisionGroupName": "canary", "decisions": ["all-decision-1"], "clusterCount": 1,
        }] },
    }));
    hub.apply(json!({
        "apiVersion": format!("{CLUSTERS}/v1beta1"), "kind": "PlacementDecision",
        "metadata": { "name": "all-decision-1", "namespace": "ocm", "labels": {
            format!("{CLUSTERS}/placement"): "all", format!("{CLUSTERS}/decision-group-index"): "0",
            format!("{CLUSTERS}/decision-group-name"): "canary",
        } },
        "status": { "decisions": [{ "clusterName": "c1", "reason": "" }] },
    }));
    hub.apply(json!({
        "apiVersion": format!("{ADDON}/v1beta1"), "kind": "ClusterManagementAddOn",
        "metadata": { "name": "hello", "labels": own },
        "spec": { "installStrategy": { "type": "Placements", "placements": [{ "namespace": "ocm", "name": "all" }] } },
    }));
    let config = json!({ "name": "hello-0.4.1", "specHash": "aa11" });
    hub.apply(json!({
        "apiVersion": format!("{ADDON}/v1beta1"), "kind": "ManagedClusterAddOn",
        "metadata": { "name": "hello", "namespace": "c1", "labels": { "tidegate.io/instance": "0123456789abcdef" } },
        "status": {
            "conditions": [
                {
                    "type": "Configured", "status": "True", "reason": "ConfigurationsConfigured", "message": "",
                    "lastTransitionTime": "2026-03-01T11:00:00Z",
                },
                {
                    "type": "Progressing", "status": "False", "reason": "Completed", "message": "",
                    "lastTransitionTime": "2026-03-01T11:00:05Z",
                },
                {
                    "type": "Available", "status": "False", "reason": "R",
                    "message": "desired numberReady should be 3, but it is 2: deployments default/hello",
                    "lastTransitionTime": "2026-03-01T11:30:00Z",
                },
            ],
            "configReferences": [{
                "group": ADDON, "resource": "addontemplates", "lastObservedGeneration": 1,
                "desiredConfig": config, "lastAppliedConfig": config,
            }],
        },
    }));
    hub.apply(json!({
        "apiVersion": format!("{ADDON}/v1beta1"), "kind": "ManagedClusterAddOn",
        "metadata": { "name": "hello", "namespace": "c2", "labels": { "tidegate.io/instance": "fedcba9876543210" },
            "annotations": { "tidegate.io/instance-name": "west" } },
    }));
    hub
}

#[test]
fn a_fleet_is_one_line_per_cluster() {
    insta::assert_snapshot!("fleet", recorded(&hub()).to_yaml());
}

#[test]
fn a_fleet_says_from_when_it_is() {
    let (early, late) = (now(), now() + std::time::Duration::from_secs(600));
    let of = |at| Snapshot::of(hub().fleet(), None, at);
    assert_eq!(Snapshot::read(of(late).to_yaml().as_bytes()).unwrap().as_of, Some(late));
    // The time alone is no reason to write it again.
    assert!(of(late).is_same(&of(early)) && of(late) != of(early));
}

#[test]
fn a_fleet_that_was_formatted_by_hand_is_read() {
    let snapshot = recorded(&hub());
    let value = serde_json::to_value(&snapshot).unwrap();
    let block = serde_saphyr::to_string(&value).unwrap();
    assert_ne!(block, snapshot.to_yaml());
    assert_eq!(Snapshot::read(block.as_bytes()).unwrap(), snapshot);
    let json = serde_json::to_string_pretty(&value).unwrap();
    let yaml = serde_saphyr::from_str::<serde_json::Value>(&snapshot.to_yaml()).unwrap();
    assert_eq!((yaml, json.is_empty()), (value, false));
}
