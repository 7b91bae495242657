//! Tests of prioritizers and their weights.

use serde_json::{Value, json};
use tidegate_rollout::placement::Code;

use super::fixture::{Hub, ranking, selected};

fn exact(built_in: &str) -> Value {
    json!({ "prioritizerPolicy": { "mode": "Exact", "configurations": [
        { "scoreCoordinate": { "type": "BuiltIn", "builtIn": built_in }, "weight": 1 } ] } })
}

fn scores(hub: &Hub) -> Vec<i64> {
    let mut selected = hub.run().selected;
    selected.sort_by(|a, b| a.cluster.cmp(&b.cluster));
    selected.into_iter().map(|ranked| ranked.score).collect()
}

#[test]
fn balance_falls_with_the_share_of_the_most_decided_cluster() {
    let table: [(usize, &[i64]); 9] = [
        (1, &[-100]),
        (2, &[0, -100]),
        (3, &[32, -32, -100]),
        (4, &[50, 0, -50, -100]),
        (5, &[60, 18, -18, -60, -100]),
        (6, &[66, 32, 0, -32, -66, -100]),
        (7, &[70, 42, 14, -14, -42, -70, -100]),
        (9, &[76, 54, 32, 10, -10, -32, -54, -76, -100]),
        (10, &[80, 60, 40, 18, 0, -18, -38, -60, -80, -100]),
    ];
    for (max, expected) in table {
        for (count, &score) in (1..=max).zip(expected) {
            let mut hub = Hub::with_clusters(exact("Balance"), 2);
            // A cluster that is not a candidate also counts for the maximum.
            hub.decision("elsewhere", "other", 1, &vec!["gone"; max]);
            hub.decision("elsewhere", "another", 1, &vec!["c1"; count]);
            assert_eq!(scores(&hub), [score, 100], "{count} of {max}");
        }
    }
}

#[test]
fn own_decisions_do_not_count_for_balance() {
    let mut hub = Hub::with_clusters(exact("Balance"), 2);
    hub.decision("ns", "p", 1, &["c1"]);
    assert_eq!(scores(&hub), [100, 100]);
    hub.decision("elsewhere", "p", 1, &["c1"]);
    assert_eq!(scores(&hub), [-100, 100]);
}

#[test]
fn resources_are_scored_between_the_poorest_and_the_richest_cluster() {
    let table: [(&[&str], &[i64]); 5] = [
        (&["20", "60", "100"], &[-100, 0, 100]),
        (&["0", "1", "2", "3", "4", "5", "6", "7"], &[-100, -71, -42, -14, 14, 42, 71, 100]),
        (
            &["0", "1000m", "2", "3", "4", "5", "6", "7", "8", "9", "1e1"],
            &[-100, -80, -60, -40, -19, 0, 19, 39, 60, 80, 100],
        ),
        (&["0", "0"], &[100, 100]),
        (&["1Gi", "1.5Gi", "2048Mi"], &[-100, 0, 100]),
    ];
    for (amounts, expected) in table {
        let mut hub = Hub::new(exact("ResourceAllocatableMemory"));
        for (i, amount) in amounts.iter().enumerate() {
            let status = json!({ "allocatable": { "memory": amount }, "capacity": { "memory": "1" } });
            hub.cluster(&format!("c{i:02}"), json!({ "status": status }));
        }
        assert_eq!(scores(&hub), expected, "{amounts:?}");
    }
}

#[test]
fn a_cluster_with_an_unknown_resource_scores_in_the_middle() {
    let mut hub = Hub::new(exact("ResourceAllocatableCPU"));
    let cpu = |amount: &str| json!({ "status": { "allocatable": { "cpu": amount }, "capacity": { "cpu": "8" } } });
    hub.cluster("a", cpu("500m"));
    hub.cluster("b", cpu("4"));
    hub.cluster("no-capacity", json!({ "status": { "allocatable": { "cpu": "100" } } }));
    hub.cluster("no-number", cpu("much"));
    hub.cluster("nothing", json!({}));
    assert_eq!(ranking(&hub.run()), ["b:100", "no-capacity:0", "no-number:0", "nothing:0", "a:-100"]);
}

#[test]
fn a_new_placement_selects_all_clusters_by_name() {
    assert_eq!(ranking(&Hub::with_clusters(json!({}), 2).run()), ["c1:100", "c2:100"]);
}

#[test]
fn decided_clusters_stay_when_another_one_joins() {
    let mut hub = Hub::with_clusters(json!({ "numberOfClusters": 2 }), 3);
    hub.decision("ns", "p", 1, &["c2", "c3"]);
    assert_eq!(ranking(&hub.run()), ["c2:200", "c3:200"]);
}

#[test]
fn a_cluster_without_decisions_is_preferred() {
    let mut hub = Hub::with_clusters(json!({ "numberOfClusters": 1 }), 3);
    hub.decision("ns", "other", 1, &["c1", "c2"]);
    assert_eq!(ranking(&hub.run()), ["c3:100"]);
}

#[test]
fn steady_outweighs_an_equal_balance() {
    let mut hub = Hub::with_clusters(json!({ "numberOfClusters": 1 }), 3);
    hub.decision("ns", "one", 1, &["c2", "c3"]);
    hub.decision("ns", "two", 1, &["c1", "c2"]);
    hub.decision("ns", "p", 1, &["c3"]);
    assert_eq!(ranking(&hub.run()), ["c3:100"]);
}

fn weighted(mode: &str, configurations: &[(&str, i32)]) -> Hub {
    let configurations: Vec<Value> = configurations
        .iter()
        .map(|(name, weight)| json!({ "scoreCoordinate": { "type": "BuiltIn", "builtIn": name }, "weight": weight }))
        .collect();
    let mut hub = Hub::new(json!({ "prioritizerPolicy": { "mode": mode, "configurations": configurations } }));
    for (name, memory) in [("c1", "100"), ("c2", "50"), ("c3", "0")] {
        let status = json!({ "allocatable": { "memory": memory }, "capacity": { "memory": "100" } });
        hub.cluster(name, json!({ "status": status }));
    }
    hub.decision("ns", "p", 1, &["c3"]);
    hub
}

#[test]
fn additive_weights_add_to_balance_and_steady() {
    let hub = weighted("Additive", &[("Balance", 3), ("ResourceAllocatableMemory", 1)]);
    assert_eq!(ranking(&hub.run()), ["c1:400", "c2:300", "c3:300"]);
}

#[test]
fn exact_weights_replace_balance_and_steady() {
    let hub = weighted("Exact", &[("Balance", 3), ("ResourceAllocatableMemory", 1)]);
    assert_eq!(ranking(&hub.run()), ["c1:400", "c2:300", "c3:200"]);
}

#[test]
fn weight_zero_switches_a_prioritizer_off() {
    let hub = weighted("", &[("Steady", 0), ("Balance", 0)]);
    assert_eq!(ranking(&hub.run()), ["c1:0", "c2:0", "c3:0"]);
}

#[test]
fn the_last_weight_of_a_prioritizer_counts() {
    let hub = weighted("Exact", &[("Steady", 1), ("Steady", -2)]);
    assert_eq!(ranking(&hub.run()), ["c1:0", "c2:0", "c3:-200"]);
}

#[test]
fn a_score_of_an_add_on_with_weight_zero_does_no_harm() {
    let score = json!({ "scoreCoordinate": { "type": "AddOn", "addOn": { "resourceName": "r", "scoreName": "s" } }, "weight": 0 });
    let hub = Hub::with_clusters(json!({ "prioritizerPolicy": { "configurations": [score] } }), 1);
    assert_eq!(hub.run().code, Code::Success);
    assert_eq!(selected(&hub.run()), ["c1"]);
}
