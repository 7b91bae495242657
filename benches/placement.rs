//! Measures one decision of a Placement with a label selector, taints, three prioritizers and decision groups.
//!
//! Run `cargo bench --bench placement` on one core. The argument of a row is the number of clusters.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};

use tidegate_api::fleet::ClusterScores;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::{PlacementDecision, PlacementSpec};
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::time::Timestamp;
use tidegate_rollout::placement::{Code, Input, Outcome, Tally, schedule};

const FLEETS: [usize; 3] = [1_000, 10_000, 100_000];
const API: &str = "cluster.open-cluster-management.io";
/// Number of clusters in one PlacementDecision.
const PAGE: usize = 100;

fn main() {
    divan::main();
}

struct Scene {
    placement: NamespacedName,
    spec: PlacementSpec,
    clusters: BTreeMap<ClusterName, Arc<ManagedCluster>>,
    sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    scores: ClusterScores,
    decisions: Vec<PlacementDecision>,
    now: Timestamp,
}

impl Scene {
    fn new(count: usize) -> Self {
        let names: Vec<ClusterName> = (0..count).map(|n| format!("cluster-{n:06}").parse().unwrap()).collect();
        let numbered = || names.iter().cloned().zip(0..);
        let set = json!({
            "apiVersion": format!("{API}/v1beta2"), "kind": "ManagedClusterSet", "metadata": { "name": "fleet" },
            "spec": { "clusterSelector": { "selectorType": "ExclusiveClusterSetLabel" } },
        });
        let binding = json!({
            "apiVersion": format!("{API}/v1beta2"), "kind": "ManagedClusterSetBinding",
            "metadata": { "name": "fleet", "namespace": "apps" }, "spec": { "clusterSet": "fleet" },
        });
        let score = |n| Arc::new(serde_json::from_value(score(n)).unwrap());
        Self {
            placement: NamespacedName::new("apps", "shop"),
            spec: serde_json::from_value(spec(count)).unwrap(),
            clusters: numbered().map(|(name, n)| (name, Arc::new(cluster(n)))).collect(),
            sets: [("fleet".to_owned(), Arc::new(serde_json::from_value(set).unwrap()))].into(),
            bindings: [(NamespacedName::new("apps", "fleet"), Arc::new(serde_json::from_value(binding).unwrap()))]
                .into(),
            scores: numbered().map(|(name, n)| (name, [("load".to_owned(), score(n))].into())).collect(),
            decisions: decisions(&names),
            now: "2026-03-01T12:00:00Z".parse().unwrap(),
        }
    }

    fn schedule(&self, tally: &Tally, decided: &BTreeSet<ClusterName>) -> Outcome {
        schedule(&Input {
            placement: &self.placement,
            spec: &self.spec,
            status: None,
            clusters: &self.clusters,
            sets: &self.sets,
            bindings: &self.bindings,
            scores: &self.scores,
            decided,
            balance: &tally.balance(&self.placement),
            now: self.now,
        })
    }
}

/// Nine out of ten clusters match, and four fifths of all clusters are wanted, in at least twenty groups.
fn spec(clusters: usize) -> Value {
    let built_in = |name: &str| json!({ "scoreCoordinate": { "type": "BuiltIn", "builtIn": name }, "weight": 2 });
    let add_on = json!({ "resourceName": "load", "scoreName": "cpu" });
    let group = |tier: &str| json!({ "groupName": tier, "groupClusterSelector": { "labelSelector": { "matchLabels": { "tier": tier } } } });
    json!({
        "numberOfClusters": clusters / 5 * 4,
        "predicates": [{ "requiredClusterSelector": { "labelSelector": { "matchExpressions": [
            { "key": "region", "operator": "NotIn", "values": ["region-3"] },
        ] } } }],
        "tolerations": [{ "key": "maintenance", "operator": "Exists" }],
        "prioritizerPolicy": { "mode": "Exact", "configurations": [
            built_in("Balance"),
            built_in("ResourceAllocatableMemory"),
            { "scoreCoordinate": { "type": "AddOn", "addOn": add_on }, "weight": 1 },
        ] },
        "decisionStrategy": { "groupStrategy": {
            "clustersPerDecisionGroup": "5%", "decisionGroups": [group("canary"), group("silver")],
        } },
    })
}

fn cluster(n: usize) -> ManagedCluster {
    let tier = ["gold", "gold", "silver", "gold", "bronze", "canary"][n * 7 % 6];
    let taints = if n.is_multiple_of(50) { json!([{ "key": "maintenance", "effect": "NoSelect" }]) } else { json!([]) };
    let resources = json!({ "cpu": format!("{}m", 4_000 + n * 13 % 997), "memory": format!("{}Ki", 32_000_000 + n * 7_919 % 99_991),
        "pods": "250", "ephemeral-storage": "100Gi" });
    let name = format!("cluster-{n:06}");
    serde_json::from_value(json!({
        "apiVersion": format!("{API}/v1"), "kind": "ManagedCluster",
        "metadata": { "name": &name, "labels": {
            format!("{API}/clusterset"): "fleet", "tier": tier, "region": format!("region-{}", n % 10), "name": &name,
            "cloud": "Amazon", "vendor": "OpenShift", "clusterID": format!("4d2f1a90-0000-4000-8000-{n:012}"),
        } },
        "spec": { "hubAcceptsClient": true, "taints": taints },
        "status": {
            "capacity": &resources, "allocatable": &resources, "version": { "kubernetes": "v1.33.1" },
            "clusterClaims": [{ "name": "id.k8s.io", "value": &name }, { "name": "platform.open-cluster-management.io", "value": "AWS" }],
        },
    }))
    .unwrap()
}

fn score(n: usize) -> Value {
    json!({
        "apiVersion": format!("{API}/v1alpha1"), "kind": "AddOnPlacementScore", "metadata": { "name": "load" }, "spec": {},
        "status": { "scores": [{ "name": "cpu", "value": n * 31 % 201 }, { "name": "memory", "value": n % 100 }] },
    })
}

/// Three placements: the one being decided holds half of the clusters, the two others every second and every third one.
fn decisions(names: &[ClusterName]) -> Vec<PlacementDecision> {
    let pages = |placement: &str, clusters: Vec<&ClusterName>| -> Vec<PlacementDecision> {
        let page = |(number, clusters): (usize, &[&ClusterName])| {
            let entries: Vec<Value> = clusters.iter().map(|c| json!({ "clusterName": c, "reason": "" })).collect();
            serde_json::from_value(json!({
                "apiVersion": format!("{API}/v1beta1"), "kind": "PlacementDecision", "spec": {},
                "metadata": {
                    "name": format!("{placement}-decision-{number}"), "namespace": "apps",
                    "labels": { format!("{API}/placement"): placement },
                },
                "status": { "decisions": entries },
            }))
            .unwrap()
        };
        (1..).zip(clusters.chunks(PAGE)).map(page).collect()
    };
    let own = pages("shop", names.iter().take(names.len() / 2).collect());
    let others = [("even", 2), ("third", 3)].map(|(name, step)| pages(name, names.iter().step_by(step).collect()));
    own.into_iter().chain(others.into_iter().flatten()).collect()
}

/// The decision alone. The existing decisions are already counted, which is done once for all placements.
#[divan::bench(args = FLEETS)]
fn decided(bencher: Bencher<'_, '_>, clusters: usize) {
    let scene = Scene::new(clusters);
    let tally = Tally::of(&scene.decisions);
    let decided = tally.decided(&scene.placement);
    let outcome = scene.schedule(&tally, &decided);
    assert!(outcome.code == Code::Success && outcome.unscheduled == 0 && outcome.groups.len() >= 20);
    bencher.counter(ItemsCount::new(clusters)).bench(|| black_box(&scene).schedule(&tally, &decided));
}

/// Everything for one placement, starting from the PlacementDecisions of the hub.
#[divan::bench(args = FLEETS)]
fn counted_and_decided(bencher: Bencher<'_, '_>, clusters: usize) {
    let scene = Scene::new(clusters);
    bencher.counter(ItemsCount::new(clusters)).bench(|| {
        let tally = Tally::of(&black_box(&scene).decisions);
        scene.schedule(&tally, &tally.decided(&scene.placement))
    });
}

/// The decision with CEL selectors: each cluster is converted to CEL values, and two expressions are evaluated for it.
#[divan::bench(args = FLEETS)]
fn decided_by_expressions(bencher: Bencher<'_, '_>, clusters: usize) {
    let mut scene = Scene::new(clusters);
    let expressions = json!([
        "managedCluster.metadata.labels['region'] != 'region-3'",
        "semver(managedCluster.status.version.kubernetes.substring(1)).isGreaterThan(semver('1.30.0'))",
    ]);
    let predicate = json!([{ "requiredClusterSelector": { "celSelector": { "celExpressions": expressions } } }]);
    scene.spec.predicates = serde_json::from_value(predicate).unwrap();
    let tally = Tally::of(&scene.decisions);
    let decided = tally.decided(&scene.placement);
    let outcome = scene.schedule(&tally, &decided);
    assert!(outcome.code == Code::Success && outcome.unscheduled == 0 && outcome.groups.len() >= 20);
    bencher.counter(ItemsCount::new(clusters)).bench(|| black_box(&scene).schedule(&tally, &decided));
}
