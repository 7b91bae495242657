//! Tests of the placements in the example repository, on the fleet they were written for.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::fixture::Hub;

fn load<T: DeserializeOwned>(path: &str, kind: &str) -> T {
    let path = crate::root::path("examples-repo").join(path);
    let text = std::fs::read_to_string(path).unwrap();
    let documents: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
    let object = documents.into_iter().find(|document| document["kind"] == kind).unwrap();
    serde_json::from_value(object).unwrap()
}

/// Creates 300 clusters, half on each of two clouds, the first five of each cloud being canaries; and one outside the fleet.
fn fleet(placement: &str) -> Hub {
    let mut hub = Hub::new(json!({}));
    hub.placement = load(&format!("fleet/placements/{placement}.yaml"), "Placement");
    hub.sets = [("fleet".to_owned(), Arc::new(load("fleet/clusters/fleet.yaml", "ManagedClusterSet")))].into();
    hub.bindings.clear();
    let binding: tidegate_api::ocm::managed_cluster_set::ManagedClusterSetBinding =
        load("fleet/clusters/fleet.yaml", "ManagedClusterSetBinding");
    hub.bind(binding.metadata.namespace.as_deref().unwrap(), &binding.spec.cluster_set);
    for cloud in ["aws", "gcp"] {
        for i in 1..=150 {
            let tier = if i <= 5 { "canary" } else { "standard" };
            hub.labelled(&format!("{cloud}-{i:03}"), json!({ "fleet": "demo", "cloud": cloud, "tier": tier }));
        }
    }
    hub.labelled("stranger", json!({ "cloud": "aws", "tier": "canary" }));
    hub
}

fn sizes(placement: &str) -> Vec<(String, usize)> {
    fleet(placement).run().groups.into_iter().map(|group| (group.name, group.clusters.len())).collect()
}

fn sized(expected: &[(&str, usize)]) -> Vec<(String, usize)> {
    expected.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect()
}

#[test]
fn the_whole_fleet_is_divided_into_ten_canaries_and_two_halves() {
    assert_eq!(sizes("fleet"), sized(&[("canary", 10), ("", 150), ("", 140)]));
}

#[test]
fn each_cloud_is_divided_into_its_canaries_and_quarters() {
    for cloud in ["aws", "gcp"] {
        assert_eq!(sizes(cloud), sized(&[("canary", 5), ("", 38), ("", 38), ("", 38), ("", 31)]));
    }
}

#[test]
fn an_unreachable_cluster_stays_selected() {
    let mut hub = fleet("fleet");
    let taint = json!({ "key": "cluster.open-cluster-management.io/unreachable", "effect": "NoSelect",
                        "timeAdded": "2025-01-01T00:00:00Z" });
    hub.cluster("aws-007", json!({ "metadata": { "labels": { "fleet": "demo" } }, "spec": { "taints": [taint] } }));
    assert_eq!(hub.run().selected.len(), 300);
}
