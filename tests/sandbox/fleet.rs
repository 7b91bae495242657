//! The simulated fleet.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use tidegate_sandbox::fleet::{FleetSpec, cluster_sets, clusters};

use super::support::*;

fn canaries(clusters: &[Value], cloud: &str) -> usize {
    let is_canary = |cluster: &&Value| {
        cluster["metadata"]["labels"]["tier"] == json!("canary")
            && cluster["metadata"]["labels"]["cloud"] == json!(cloud)
    };
    clusters.iter().filter(is_canary).count()
}

#[test]
fn clusters_alternate_between_the_clouds() {
    let fleet = clusters(&FleetSpec { clusters: 5, ..FleetSpec::default() });
    let names: Vec<&str> = fleet.iter().map(|cluster| cluster["metadata"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["aws-001", "gcp-001", "aws-002", "gcp-002", "aws-003"]);
}

#[test]
fn canaries_are_the_first_of_each_cloud() {
    let fleet = clusters(&FleetSpec { clusters: 300, ..FleetSpec::default() });
    assert_eq!((canaries(&fleet, "aws"), canaries(&fleet, "gcp")), (5, 5));
    assert!(fleet[..10].iter().all(|cluster| cluster["metadata"]["labels"]["tier"] == json!("canary")));
}

#[tokio::test]
async fn a_seeded_fleet_is_available_and_has_its_namespaces() {
    let hub = hub();
    hub.seed(clusters(&FleetSpec { clusters: 20, ..FleetSpec::default() })).unwrap();
    let list = get(&hub, CLUSTERS).await;
    assert_eq!(list.names().len(), 20);
    for cluster in list.body["items"].as_array().unwrap() {
        let available = cluster["status"]["conditions"]
            .as_array()
            .unwrap()
            .iter()
            .find(|condition| condition["type"] == json!("ManagedClusterConditionAvailable"));
        assert_eq!(available.unwrap()["status"], json!("True"));
    }
    let selector = "labelSelector=open-cluster-management.io%2Fcluster-name%3Daws-001";
    assert_eq!(get(&hub, &format!("/api/v1/namespaces?{selector}")).await.names(), ["aws-001"]);
}

#[test]
fn an_object_that_the_hub_refuses_is_not_seeded() {
    let refused =
        hub().seed([json!({ "apiVersion": "v1", "kind": "Nosuch", "metadata": { "name": "a" } })]).unwrap_err();
    assert_eq!(refused.code, 400);
    assert_eq!(hub().seed([json!(1)]).unwrap_err().code, 400);
}

proptest! {
    // A case has up to 2,500 clusters.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_fleet_has_the_requested_number_of_clusters_and_canaries(count in 0_usize..2500, canary in 0_usize..40) {
        let fleet = clusters(&FleetSpec { clusters: count, canaries: canary, ..FleetSpec::default() });
        let names: BTreeSet<String> = fleet.iter().map(|cluster| cluster["metadata"]["name"].to_string()).collect();
        prop_assert_eq!(names.len(), count);
        let found = canaries(&fleet, "aws") + canaries(&fleet, "gcp");
        prop_assert!(found <= canary);
        prop_assert!(count < canary + 2 || found == canary, "{found} canaries among {count}");
    }
}

#[tokio::test]
async fn a_hub_has_the_sets_global_and_default() {
    let hub = hub();
    hub.seed(cluster_sets()).unwrap();
    let sets = get(&hub, "/apis/cluster.open-cluster-management.io/v1beta2/managedclustersets").await;
    assert_eq!(sets.names(), ["default", "global"]);
}
