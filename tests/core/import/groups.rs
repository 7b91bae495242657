//! Each cluster is in the group of the stage that the other tool would put it into, and clusters of no stage get nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;
use tidegate_api::fleet::ClusterScores;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_import::Imported;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_rollout::placement::{Input, Tally, schedule};

use crate::samples::{SAMPLES, imported};

/// The labels of a cluster.
type Labels<'a> = BTreeMap<&'a str, &'a str>;

/// Returns clusters with all combinations of these labels; an empty value is an absent label.
fn all_of<'a>(labels: &[(&'a str, &[&'a str])]) -> Vec<Labels<'a>> {
    labels.iter().fold(vec![BTreeMap::new()], |clusters, (key, values)| {
        let with = |cluster: &Labels<'a>, value: &'a str| {
            let mut cluster = cluster.clone();
            if !value.is_empty() {
                cluster.insert(*key, value);
            }
            cluster
        };
        clusters.iter().flat_map(|cluster| values.iter().map(move |value| with(cluster, value))).collect()
    })
}

/// Returns the groups of a placement as names of clusters by the name of the group.
fn groups(imported: &Imported, clusters: &[(String, Labels<'_>)]) -> BTreeMap<String, BTreeSet<String>> {
    let api = "cluster.open-cluster-management.io";
    let cluster = |(name, labels): &(String, Labels<'_>)| {
        let object = json!({
            "apiVersion": format!("{api}/v1"), "kind": "ManagedCluster",
            "metadata": { "name": name, "labels": labels }, "spec": {},
        });
        let cluster: ManagedCluster = serde_json::from_value(object).unwrap();
        (name.parse::<ClusterName>().unwrap(), Arc::new(cluster))
    };
    let set = json!({
        "apiVersion": format!("{api}/v1beta2"), "kind": "ManagedClusterSet", "metadata": { "name": "all" },
        "spec": { "clusterSelector": { "selectorType": "LabelSelector", "labelSelector": {} } },
    });
    let binding = json!({
        "apiVersion": format!("{api}/v1beta2"), "kind": "ManagedClusterSetBinding",
        "metadata": { "name": "all", "namespace": "fleet" }, "spec": { "clusterSet": "all" },
    });
    let placement = NamespacedName::new("fleet", "web");
    let tally = Tally::of([]);
    let outcome = schedule(&Input {
        placement: &placement,
        spec: &imported.placement.spec,
        status: None,
        clusters: &clusters.iter().map(cluster).collect(),
        sets: &BTreeMap::from([("all".to_owned(), Arc::new(serde_json::from_value(set).unwrap()))]),
        bindings: &BTreeMap::from([(
            NamespacedName::new("fleet", "all"),
            Arc::new(serde_json::from_value(binding).unwrap()),
        )]),
        scores: &ClusterScores::new(),
        decided: &BTreeSet::new(),
        balance: &tally.balance(&placement),
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    });
    assert!(!outcome.keep_decisions, "the placement is not valid: {:?}", outcome.status);
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for group in outcome.groups {
        groups.entry(group.name).or_default().extend(group.clusters.iter().map(ToString::to_string));
    }
    groups
}

/// Compares the groups with the stages that `stage` returns for each cluster.
fn check(tool: &str, labels: &[(&str, &[&str])], stage: impl Fn(&str, &Labels<'_>) -> Option<&'static str>) {
    let text = SAMPLES.iter().find(|(name, _)| *name == tool).unwrap().1;
    let imported = imported(text).0.unwrap();
    let clusters: Vec<(String, Labels<'_>)> =
        all_of(labels).into_iter().enumerate().map(|(at, labels)| (format!("spoke{at}"), labels)).collect();
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, labels) in &clusters {
        if let Some(stage) = stage(name, labels) {
            expected.entry(stage.to_owned()).or_default().insert(name.clone());
        }
    }
    assert!(expected.len() > 1, "{expected:?}");
    assert_eq!(groups(&imported, &clusters), expected, "{tool}");
}

#[test]
fn groups_are_the_stages_of_kubefleet() {
    let labels: &[(&str, &[&str])] = &[
        ("environment", &["", "staging", "production", "test"]),
        ("tier", &["", "canary", "other"]),
        ("region", &["", "eu", "us", "ap"]),
    ];
    check("kubefleet", labels, |_, labels| {
        if !["eu", "us"].contains(labels.get("region")?) {
            return None;
        }
        match (*labels.get("environment")?, labels.get("tier").copied()) {
            ("staging", _) => Some("staging"),
            ("production", Some("canary")) => Some("canary"),
            ("production", _) => Some("production"),
            _ => None,
        }
    });
}

#[test]
fn groups_are_the_steps_of_argo_cd() {
    let labels: &[(&str, &[&str])] = &[
        ("argocd.argoproj.io/secret-type", &["", "cluster"]),
        ("fleet", &["", "yes", "no"]),
        ("env", &["", "env-dev", "env-qa", "env-prod"]),
        ("topology.example.com/region", &["", "eu", "us", "ap"]),
    ];
    check("argo", labels, |_, labels| {
        // The label of Argo CD's Secrets is on no cluster.
        if labels.get("fleet") != Some(&"yes") {
            return None;
        }
        let region = labels.get("topology.example.com/region").copied();
        match (labels.get("env").copied(), region) {
            (Some("env-dev"), _) => Some("step-1"),
            (Some("env-qa"), _) => Some("step-2"),
            (_, Some("eu" | "us")) => Some("step-3"),
            _ => None,
        }
    });
}

#[test]
fn groups_are_the_partitions_of_fleet() {
    let labels: &[(&str, &[&str])] =
        &[("env", &["", "production", "test"]), ("tier", &["", "canary"]), ("region", &["", "eu", "us"])];
    check("fleet", labels, |_, labels| {
        if labels.get("env") != Some(&"production") {
            return None;
        }
        match (labels.get("tier"), labels.get("region").copied()) {
            (Some(_), _) => Some("canary"),
            (None, Some("eu")) => Some("partition-2"),
            _ => None,
        }
    });
}

#[test]
fn groups_are_the_canaries_of_talm_once_the_clusters_have_their_labels() {
    let labels: &[(&str, &[&str])] =
        &[("group", &["", "du-sites", "other"]), ("rollout-group", &["", "canary", "rest"])];
    check("talm", labels, |name, labels| {
        let is_chosen = ["spoke1", "spoke2", "spoke3"].contains(&name) || labels.get("group") == Some(&"du-sites");
        match labels.get("rollout-group").copied() {
            Some("canary") if is_chosen => Some("canary"),
            Some(_) if is_chosen => Some(""),
            _ => None,
        }
    });
}

#[test]
fn groups_are_the_stages_of_sveltos() {
    check("sveltos", &[("env", &["", "qa", "staging", "production", "test"])], |_, labels| {
        match *labels.get("env")? {
            "qa" => Some("qa"),
            "staging" => Some("staging"),
            "production" => Some("production"),
            _ => None,
        }
    });
}
