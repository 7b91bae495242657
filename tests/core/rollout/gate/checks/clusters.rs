//! Expressions over clusters, and comparisons between them.

use serde_json::{Value, json};

use super::bench::{Bench, at};

fn told(check: Value, values: &[(&str, Value)]) -> (bool, String) {
    let mut bench = Bench::new(check);
    bench.values = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let judged = bench.judge(at(200));
    Bench::told(&judged)
}

#[test]
fn an_expression_is_true_for_each_cluster_or_for_all() {
    let of = |expression: &str| {
        told(
            json!({ "cel": { "expression": expression } }),
            &[("c0", json!({ "name": "c0", "feedback": { "Deployment hello/agent": { "Restarts": 3 } } }))],
        )
    };
    let restarts = "cluster.feedback['Deployment hello/agent'].Restarts";
    assert!(of(&format!("{restarts} <= 3")).0);
    assert_eq!(of(&format!("{restarts} < 3")), (false, "false for c0 (failed 1 of 3 times)".to_owned()));
    assert!(of("clusters.all(c, c.name.startsWith('c')) && size(clusters) == 1").0);
    assert_eq!(of("size(clusters) > 1").1, "false (failed 1 of 3 times)");
    assert_eq!(
        of("cluster.claims.region == 'eu'").1,
        "no result: the expression reads \"claims\", which does not exist (cluster c0)"
    );
    assert_eq!(of("clusters.map(c, c.name)[0]").1, "no result: the expression gives a string, and not true or false");
}

#[test]
fn the_means_of_upgraded_and_waiting_clusters_are_compared() {
    let of = |values: [Option<f64>; 4]| {
        let values = values.iter().enumerate().filter_map(|(n, value)| Some((n, (*value)?)));
        let values: Vec<(String, Value)> =
            values.map(|(n, value)| (format!("c{n}"), json!({ "latency": value }))).collect();
        let values: Vec<(&str, Value)> = values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        told(json!({ "compare": { "value": "cluster.latency", "difference": "<= 5" } }), &values)
    };
    assert!(of([Some(15.0), Some(10.0), Some(11.0), Some(9.0)]).0);
    assert_eq!(
        of([Some(15.5), Some(10.0), Some(11.0), Some(9.0)]).1,
        "5.5 (15.5 of the upgraded clusters, 10 of the waiting ones), must be <= 5 (failed 1 of 3 times)"
    );
    assert!(of([Some(15.0), Some(10.0), Some(11.0), None]).0);
    assert_eq!(of([Some(15.0), Some(10.0), None, None]).1, "no result: 1 of 3 waiting clusters give a number");
    assert_eq!(of([None, Some(10.0), None, None]).1, "no result: 0 of 1 upgraded clusters give a number");
    assert_eq!(
        of([Some(1e308), Some(-1e308), None, Some(-1e308)]).1,
        "no result: the numbers are too large to compare"
    );
}
