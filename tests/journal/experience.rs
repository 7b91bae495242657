//! What earlier rollouts show about the behavior of clusters.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_journal::experience;
use tidegate_model::time::SignedDuration;

/// A sealed rollout with these clusters, given as state and seconds from the start until it was done.
fn sealed(number: u32, clusters: &[(&str, Option<i64>)]) -> (String, Vec<u8>) {
    let start: i64 = 1_700_000_000;
    let at = |second: i64| super::at("1970-01-01T00:00:00Z") + SignedDuration::from_secs(second);
    let cluster = |(n, (state, seconds)): (usize, &(&str, Option<i64>))| {
        let finished = seconds.map(|seconds| at(start + seconds));
        json!({ "cluster": format!("c{n}"), "state": state, "started": at(start), "finished": finished })
    };
    let clusters: Vec<Value> = clusters.iter().enumerate().map(cluster).collect();
    let document = json!({
        "apiVersion": "tidegate.io/v1alpha1", "kind": "Rollout", "addon": "hello", "number": number, "from": "1", "to": "2",
        "target": "x", "started": at(start), "outcome": "Completed", "clusters": clusters,
    });
    (format!("addons/hello/rollouts/{number}.yaml"), document.to_string().into_bytes())
}

#[test]
fn the_last_five_rollouts_show_how_long_clusters_take_and_how_many_fail() {
    let old = sealed(1, &[("Succeeded", Some(10_000)); 9]);
    let last = (2..=6).map(|number| {
        sealed(number, &[("Succeeded", Some(60)), ("Succeeded", Some(120)), ("Failed", None), ("Waiting", None)])
    });
    let unreadable = ("addons/hello/rollouts/7.yaml".to_owned(), b"no: rollout".to_vec());
    let files: BTreeMap<String, Vec<u8>> = std::iter::once(old).chain(last).chain([unreadable]).collect();
    let known = experience(&files).remove("hello").unwrap();
    assert_eq!(known.latencies.len(), 10);
    assert_eq!(known.median(), Some(SignedDuration::from_mins(2)));
    assert!((known.failing - 1.0 / 3.0).abs() < 1e-9, "{}", known.failing);
}

#[test]
fn nothing_is_known_without_rollouts() {
    assert!(experience(&BTreeMap::new()).is_empty());
}
