//! An in-memory hub that holds the scheduler's input and applies its writes with their preconditions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::condition::{Condition, find};
use tidegate_api::fleet::ClusterScores;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::{Placement, PlacementDecision};
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::time::Timestamp;
use tidegate_rollout::placement::{Input, NotSelected, Outcome, Tally, decision_writes, not_selected, schedule};

const API: &str = "cluster.open-cluster-management.io";
const LABEL: &str = "cluster.open-cluster-management.io/placement";

pub(super) struct Hub {
    pub(super) placement: Placement,
    pub(super) clusters: BTreeMap<ClusterName, Arc<ManagedCluster>>,
    pub(super) sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    pub(super) bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    pub(super) decisions: BTreeMap<NamespacedName, Arc<PlacementDecision>>,
    pub(super) scores: ClusterScores,
    pub(super) now: Timestamp,
    version: u64,
}

impl Hub {
    /// Creates a hub with Placement `ns/p` of this spec; the set `all` of every cluster is bound to `ns`.
    pub(super) fn new(spec: Value) -> Self {
        let placement = json!({
            "apiVersion": format!("{API}/v1beta1"), "kind": "Placement",
            "metadata": { "name": "p", "namespace": "ns", "uid": "uid-p", "resourceVersion": "1" },
            "spec": spec,
        });
        let mut hub = Self {
            placement: serde_json::from_value(placement).unwrap(),
            clusters: BTreeMap::new(),
            sets: BTreeMap::new(),
            bindings: BTreeMap::new(),
            decisions: BTreeMap::new(),
            scores: ClusterScores::new(),
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
            version: 1,
        };
        hub.set("all", json!({ "selectorType": "LabelSelector", "labelSelector": {} }));
        hub.bind("ns", "all");
        hub
    }

    /// Creates a hub with clusters `c1` to `c<n>`.
    pub(super) fn with_clusters(spec: Value, n: usize) -> Self {
        let mut hub = Self::new(spec);
        for i in 1..=n {
            hub.cluster(&format!("c{i}"), json!({}));
        }
        hub
    }

    pub(super) fn spec(&mut self, spec: Value) {
        self.placement.spec = serde_json::from_value(spec).unwrap();
    }

    pub(super) fn cluster(&mut self, name: &str, members: Value) {
        let mut object = json!({ "metadata": {}, "spec": {} });
        object.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        object["apiVersion"] = format!("{API}/v1").into();
        object["kind"] = "ManagedCluster".into();
        object["metadata"]["name"] = name.into();
        self.clusters.insert(name.parse().unwrap(), Arc::new(serde_json::from_value(object).unwrap()));
    }

    pub(super) fn labelled(&mut self, name: &str, labels: Value) {
        self.cluster(name, json!({ "metadata": { "labels": labels } }));
    }

    pub(super) fn set(&mut self, name: &str, selector: Value) {
        let object = json!({
            "apiVersion": format!("{API}/v1beta2"), "kind": "ManagedClusterSet",
            "metadata": { "name": name }, "spec": { "clusterSelector": selector },
        });
        self.sets.insert(name.to_owned(), Arc::new(serde_json::from_value(object).unwrap()));
    }

    pub(super) fn bind(&mut self, namespace: &str, set: &str) {
        let object = json!({
            "apiVersion": format!("{API}/v1beta2"), "kind": "ManagedClusterSetBinding",
            "metadata": { "name": set, "namespace": namespace }, "spec": { "clusterSet": set },
        });
        let binding = serde_json::from_value(object).unwrap();
        self.bindings.insert(NamespacedName::new(namespace, set), Arc::new(binding));
    }

    /// Adds a decision of the given placement, for group 0 without a name.
    pub(super) fn decision(&mut self, namespace: &str, placement: &str, number: usize, clusters: &[&str]) {
        let name = format!("{placement}-decision-{number}");
        let entries: Vec<Value> = clusters.iter().map(|c| json!({ "clusterName": c, "reason": "" })).collect();
        let object = json!({
            "apiVersion": format!("{API}/v1beta1"), "kind": "PlacementDecision", "spec": {},
            "metadata": {
                "name": name, "namespace": namespace, "uid": format!("uid-{name}"), "resourceVersion": "1",
                "labels": { LABEL: placement, format!("{API}/decision-group-index"): "0", format!("{API}/decision-group-name"): "" },
            },
            "status": { "decisions": entries },
        });
        let decision = serde_json::from_value(object).unwrap();
        self.decisions.insert(NamespacedName::new(namespace, name), Arc::new(decision));
    }

    pub(super) fn id(&self) -> NamespacedName {
        let meta = &self.placement.metadata;
        NamespacedName::new(meta.namespace.clone().unwrap(), meta.name.clone().unwrap())
    }

    pub(super) fn run(&self) -> Outcome {
        self.with_input(schedule)
    }

    pub(super) fn not_selected(&self, cluster: &str) -> Option<NotSelected> {
        self.with_input(|input| not_selected(input, &cluster.parse().unwrap()))
    }

    fn with_input<T>(&self, run: impl FnOnce(&Input<'_>) -> T) -> T {
        let id = self.id();
        let tally = Tally::of(self.decisions.values().map(|decision| &**decision));
        run(&Input {
            placement: &id,
            spec: &self.placement.spec,
            status: self.placement.status.as_ref(),
            clusters: &self.clusters,
            sets: &self.sets,
            bindings: &self.bindings,
            scores: &self.scores,
            decided: &tally.decided(&id),
            balance: &tally.balance(&id),
            now: self.now,
        })
    }

    pub(super) fn writes(&self) -> Vec<Lane> {
        decision_writes(&self.run(), &self.placement, &self.decisions)
    }

    /// Schedules, applies every write, and returns the writes.
    pub(super) fn settle(&mut self) -> Vec<Lane> {
        let lanes = self.writes();
        for lane in &lanes {
            assert_eq!(lane.stage, Stage::Decide);
            lane.writes.iter().for_each(|write| self.apply(write));
        }
        lanes
    }

    /// Applies one write as an API server would, and panics if the server would refuse it.
    pub(super) fn apply(&mut self, write: &Write) {
        self.version += 1;
        let version = Some(self.version.to_string());
        let key = write.key().unwrap();
        let id = NamespacedName::new(key.namespace.clone(), key.name.clone());
        match write {
            Write::Create { object } => {
                let mut object = object.json.value();
                assert!(object.get("status").is_none(), "a create has no status");
                object["spec"] = json!({});
                let mut decision: PlacementDecision = serde_json::from_value(object).unwrap();
                decision.metadata.uid = Some(format!("uid-{}-{}", key.name, self.version));
                decision.metadata.resource_version = version;
                assert!(self.decisions.insert(id, Arc::new(decision)).is_none(), "{key} exists");
            }
            Write::PatchStatus { precondition, status, .. } if key.kind == "Placement" => {
                let meta = &mut self.placement.metadata;
                check(precondition.as_ref(), &meta.uid, &meta.resource_version);
                meta.resource_version = version;
                self.placement.status = Some(serde_json::from_value(status.value()).unwrap());
            }
            Write::PatchStatus { precondition, status, .. } => {
                let decision = Arc::make_mut(self.decisions.get_mut(&id).unwrap());
                check(precondition.as_ref(), &decision.metadata.uid, &decision.metadata.resource_version);
                decision.metadata.resource_version = version;
                decision.status = Some(serde_json::from_value(status.value()).unwrap());
            }
            Write::Patch { precondition, patch, .. } => {
                let decision = Arc::make_mut(self.decisions.get_mut(&id).unwrap());
                check(Some(precondition), &decision.metadata.uid, &decision.metadata.resource_version);
                decision.metadata.resource_version = version;
                let labels = decision.metadata.labels.get_or_insert_default();
                for (key, value) in patch.value()["metadata"]["labels"].as_object().unwrap() {
                    match value.as_str() {
                        Some(value) => labels.insert(key.clone(), value.to_owned()),
                        None => labels.remove(key),
                    };
                }
            }
            Write::Delete { precondition, .. } => {
                let decision = self.decisions.remove(&id).unwrap();
                check(Some(precondition), &decision.metadata.uid, &decision.metadata.resource_version);
            }
            Write::Apply { .. } | Write::Declare { .. } | Write::Replace { .. } => {
                panic!("the scheduler applies nothing")
            }
        }
    }

    /// Returns the clusters currently in the decisions of the placement.
    pub(super) fn decided(&self) -> BTreeSet<ClusterName> {
        Tally::of(self.decisions.values().map(|decision| &**decision)).decided(&self.id())
    }
}

fn check(precondition: Option<&Precondition>, uid: &Option<String>, version: &Option<String>) {
    let Some(precondition) = precondition else { return };
    assert_eq!(Some(&precondition.uid), uid.as_ref());
    if precondition.resource_version.is_some() {
        assert_eq!(precondition.resource_version, *version, "a stale write");
    }
}

/// Returns `cluster:score` of every selected cluster, in order.
pub(super) fn ranking(outcome: &Outcome) -> Vec<String> {
    outcome.selected.iter().map(|ranked| format!("{}:{}", ranked.cluster, ranked.score)).collect()
}

/// Returns the names of the selected clusters, in order.
pub(super) fn selected(outcome: &Outcome) -> Vec<&str> {
    outcome.selected.iter().map(|ranked| ranked.cluster.as_str()).collect()
}

/// Returns `name/index: clusters` of every group, in order.
pub(super) fn groups(outcome: &Outcome) -> Vec<String> {
    let text = |clusters: &[ClusterName]| clusters.iter().map(ClusterName::as_str).collect::<Vec<_>>().join(" ");
    outcome.groups.iter().map(|g| format!("{}/{}: {}", g.name, g.index, text(&g.clusters))).collect()
}

pub(super) fn condition<'a>(outcome: &'a Outcome, type_: &str) -> &'a Condition {
    find(&outcome.status.conditions, type_).unwrap()
}

/// Returns `status reason: message` of a condition.
pub(super) fn says(outcome: &Outcome, type_: &str) -> String {
    let Condition { status, reason, message, .. } = condition(outcome, type_);
    format!("{status} {reason}: {message}")
}
