//! Why a Placement does not select a cluster.

use serde_json::json;

use super::fixture::Hub;

/// Returns why the Placement of a hub does not select `c1`.
fn why(hub: &Hub) -> String {
    hub.not_selected("c1").map(|why| why.to_string()).unwrap_or_default()
}

#[test]
fn the_first_step_that_leaves_a_cluster_out_is_named() {
    let mut hub = Hub::with_clusters(json!({}), 2);
    assert_eq!(why(&hub), "");
    hub.spec(json!({ "numberOfClusters": 0 }));
    assert!(why(&hub).starts_with("it prefers other clusters"), "{}", why(&hub));
    hub.spec(
        json!({ "predicates": [{ "requiredClusterSelector": { "labelSelector": { "matchLabels": { "a": "b" } } } }] }),
    );
    assert!(why(&hub).starts_with("the cluster meets none of its predicates"), "{}", why(&hub));
    hub.spec(json!({ "clusterSets": ["missing"] }));
    assert!(why(&hub).contains("that are not bound to its namespace: missing; bound are: "), "{}", why(&hub));

    let mut hub = Hub::new(json!({}));
    hub.cluster("c1", json!({ "spec": { "taints": [{ "key": "k", "effect": "NoSelect" }] } }));
    assert_eq!(why(&hub), "the cluster has a taint that it does not tolerate");
    hub.bindings.clear();
    assert!(why(&hub).starts_with("no cluster set is bound to namespace ns; "), "{}", why(&hub));
    hub.bind("ns", "unknown");
    assert!(why(&hub).starts_with("the bound cluster sets do not exist: unknown; "), "{}", why(&hub));
    hub.set("east", json!({ "selectorType": "ExclusiveClusterSetLabel" }));
    hub.bind("ns", "east");
    assert!(why(&hub).starts_with("the cluster is not in any of its cluster sets: east; "), "{}", why(&hub));
}
