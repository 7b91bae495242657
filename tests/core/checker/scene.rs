//! A hub on which an add-on is rolled out by hand, step by step, with a checker watching.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_checker::{Checker, Observation};
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_model::unseen::Unseen;
use tidegate_repository::{Repository, hold, load};

use tidegate_simulation::hub::Hub;
use tidegate_simulation::revision::{Amount, Pace, Policy, Revision};

const ADDONS: &str = "addon.open-cluster-management.io";
const CLUSTERS: &str = "cluster.open-cluster-management.io";
const TEMPLATES: &str = "addontemplates";
const CONFIGS: &str = "addondeploymentconfigs";

pub(super) struct Scene {
    pub(super) hub: Hub,
    pub(super) revision: Revision,
    pub(super) repository: Repository,
    checker: Checker,
    pub(super) approvals: Arc<Approvals>,
    pub(super) last_good: BTreeMap<UnitName, Digest>,
    pub(super) unseen: Unseen,
    pub(super) clock: ClockSteps,
    pub(super) now: Timestamp,
}

/// Returns a policy of one cluster at a time, no failures and no soak.
pub(super) fn one_at_a_time() -> Policy {
    let failures = Amount::Unset;
    let concurrency = Amount::Count(1);
    Policy { pace: Pace::Progressive, canary_first: false, concurrency, failures, deadline: None, soak: 0 }
}

pub(super) fn all_at_once() -> Policy {
    Policy { pace: Pace::All, ..one_at_a_time() }
}

impl Scene {
    /// Creates a hub with an add-on that no cluster has yet. Groups are written as `canary: c1 c2 | c3 c4`; names are
    /// optional.
    pub(super) fn new(policy: Policy, groups: &str) -> Self {
        let revision = Revision::simple(1, policy);
        let mut scene = Self {
            hub: Hub::default(),
            revision,
            repository: Repository::default(),
            checker: Checker::new(),
            approvals: Arc::default(),
            last_good: BTreeMap::new(),
            unseen: Unseen::default(),
            clock: ClockSteps::default(),
            now: "2026-03-01T12:00:00Z".parse().unwrap(),
        };
        scene.hub.apply(json!({
            "apiVersion": format!("{ADDONS}/v1beta1"), "kind": "ClusterManagementAddOn",
            "metadata": { "name": "hello", "annotations": { key::LIFECYCLE: "self" } }, "spec": {},
        }));
        scene.commit();
        scene.select(groups);
        for cluster in ["c1", "c2", "c3", "c4", "c9"] {
            scene.hub.apply(json!({
                "apiVersion": format!("{CLUSTERS}/v1"), "kind": "ManagedCluster", "metadata": { "name": cluster }, "spec": {},
            }));
            scene.hub.apply(json!({
                "apiVersion": format!("{ADDONS}/v1beta1"), "kind": "ManagedClusterAddOn",
                "metadata": { "name": "hello", "namespace": cluster }, "spec": {},
            }));
        }
        assert_eq!(scene.look(), Vec::<String>::new());
        scene
    }

    /// Loads the revision into the repository.
    pub(super) fn commit(&mut self) {
        self.repository = hold(load(&self.revision.tree(), ""), &Default::default(), Some(&self.repository));
    }

    /// Writes the decisions of the placement.
    pub(super) fn select(&mut self, groups: &str) {
        let decisions: Vec<_> = self.hub.of_kind("PlacementDecision").map(|(key, _)| key.clone()).collect();
        decisions.iter().for_each(|key| self.hub.delete(key));
        let mut told = Vec::new();
        for (index, group) in groups.split('|').enumerate() {
            let (name, clusters) = group.split_once(':').unwrap_or(("", group));
            let (name, clusters) = (name.trim(), clusters.split_whitespace());
            let clusters: Vec<Value> = clusters.map(|cluster| json!({ "clusterName": cluster })).collect();
            told.push(json!({
                "decisionGroupIndex": index, "decisionGroupName": name, "decisions": [], "clusterCount": clusters.len(),
            }));
            let labels = json!({
                key::PLACEMENT: "everywhere", key::GROUP_INDEX: index.to_string(), key::GROUP_NAME: name,
            });
            self.hub.apply(json!({
                "apiVersion": format!("{CLUSTERS}/v1beta1"), "kind": "PlacementDecision",
                "metadata": { "name": format!("everywhere-{index}"), "namespace": "fleet", "labels": labels },
                "status": { "decisions": clusters },
            }));
        }
        self.hub.apply(json!({
            "apiVersion": format!("{CLUSTERS}/v1beta1"), "kind": "Placement",
            "metadata": { "name": "everywhere", "namespace": "fleet" }, "spec": {},
        }));
        let placement = ObjectKey::new(CLUSTERS, "Placement", "fleet", "everywhere");
        let status = json!({ "numberOfSelectedClusters": 0, "decisionGroups": told });
        self.hub.patch(&placement, &json!({ "status": status }));
    }

    pub(super) fn pass(&mut self, seconds: i64) {
        self.now += SignedDuration::from_secs(seconds);
    }

    /// Runs the checker, and returns its violations.
    pub(super) fn look(&mut self) -> Vec<String> {
        let (repository, instance) = (&self.repository, &crate::instance::instance());
        let observation = Observation {
            repository,
            approvals: &self.approvals,
            last_good: &self.last_good,
            rules: None,
            fleet: self.hub.fleet(),
            delivery: Delivery::Native,
            instance,
            unseen: &self.unseen,
            clock: &self.clock,
            now: self.now,
        };
        self.checker.check(&observation).iter().map(ToString::to_string).collect()
    }

    /// Replaces the checker with a new one that has seen nothing.
    pub(super) fn restart(&mut self) {
        self.checker = Checker::new();
    }

    /// Returns the hash of a declared configuration.
    pub(super) fn hash(&self, name: &str) -> String {
        let configurations = self.repository.addons["hello"].configurations.iter();
        let mut named = configurations.filter(|(reference, _)| reference.name == name);
        named.next().map(|(_, configuration)| configuration.spec_hash.clone()).unwrap()
    }

    /// Returns the configurations every cluster should be assigned: the template and the shared settings, with their hashes.
    pub(super) fn declared(&self) -> Vec<(&'static str, String, String)> {
        let template = format!("hello-{}", self.revision.version);
        let hashes = (self.hash("base"), self.hash(&template));
        vec![(CONFIGS, "base".to_owned(), hashes.0), (TEMPLATES, template, hashes.1)]
    }

    /// Assigns the declared configurations to clusters.
    pub(super) fn start(&mut self, clusters: &str) {
        let declared = self.declared();
        clusters.split_whitespace().for_each(|cluster| self.start_with(cluster, &declared));
    }

    /// Assigns the given configurations to a cluster.
    pub(super) fn start_with(&mut self, cluster: &str, configs: &[(&str, String, String)]) {
        let references: Vec<Value> = configs.iter().map(reference).collect();
        let conditions =
            [self.condition("Configured", "True", "ConfigurationsConfigured"), self.progressing("Progressing")];
        self.status(cluster, json!({ "configReferences": references, "conditions": conditions }));
    }

    /// Writes the work of a cluster, with the declared configurations.
    pub(super) fn deliver(&mut self, cluster: &str) {
        let carried = self.declared().into_iter().map(|(resource, name, hash)| {
            let namespace = if resource == CONFIGS { "fleet" } else { "" };
            (format!("{resource}.{ADDONS}/{namespace}/{name}"), json!(hash))
        });
        let carried = Value::Object(carried.collect()).to_string();
        self.hub.apply(json!({
            "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
            "metadata": {
                "name": "addon-hello-deploy-0", "namespace": cluster, "labels": { key::ADDON_NAME: "hello" },
                "annotations": { key::CONFIG_SPEC_HASH: carried },
            },
            "spec": { "workload": { "manifests": [{ "text": self.now }] } },
        }));
    }

    /// Lets the agent of a cluster confirm the current generation of its work.
    pub(super) fn confirm(&mut self, cluster: &str) {
        let key = work(cluster);
        let generation = self.hub.object(&key).unwrap()["metadata"]["generation"].clone();
        let conditions = ["Applied", "Available"].map(|type_| {
            let mut condition = self.condition(type_, "True", "R");
            condition["observedGeneration"] = generation.clone();
            condition
        });
        self.hub.patch(&key, &json!({ "status": { "conditions": conditions } }));
    }

    /// Reports that a cluster has applied its assigned configurations.
    pub(super) fn succeed(&mut self, cluster: &str) {
        let conditions = [
            self.condition("Configured", "True", "ConfigurationsConfigured"),
            self.progressing("Completed"),
            self.condition("Available", "True", "R"),
        ];
        let mut references = self.told(cluster);
        for reference in &mut references {
            reference["lastAppliedConfig"] = reference["desiredConfig"].clone();
        }
        self.status(cluster, json!({ "configReferences": references, "conditions": conditions }));
    }

    /// Reports that a cluster succeeded, but only after its deadline.
    pub(super) fn late(&mut self, cluster: &str) {
        let before = self.hub.object(&addon(cluster)).unwrap()["status"]["conditions"].clone();
        self.succeed(cluster);
        let mut conditions = self.hub.object(&addon(cluster)).unwrap()["status"]["conditions"].clone();
        // The start time stays as it was.
        conditions[0] = before[0].clone();
        conditions.as_array_mut().unwrap().push(self.condition(key::OVERDUE, "False", "DoneLate"));
        self.status(cluster, json!({ "conditions": conditions }));
    }

    /// Does everything that makes a cluster succeed.
    pub(super) fn complete(&mut self, clusters: &str) {
        for cluster in clusters.split_whitespace() {
            self.start(cluster);
            self.deliver(cluster);
            self.confirm(cluster);
            self.succeed(cluster);
        }
    }

    /// Reports that the placement is complete.
    pub(super) fn conclude(&mut self) {
        let progression =
            json!({ "namespace": "fleet", "name": "everywhere", "conditions": [self.progressing("Completed")] });
        let key = ObjectKey::new(ADDONS, "ClusterManagementAddOn", "", "hello");
        self.hub.patch(&key, &json!({ "status": { "installProgressions": [progression] } }));
    }

    /// Merges a patch into the status of an add-on on a cluster.
    pub(super) fn status(&mut self, cluster: &str, status: Value) {
        let key = addon(cluster);
        self.hub.patch(&key, &json!({ "status": status }));
    }

    pub(super) fn condition(&self, type_: &str, status: &str, reason: &str) -> Value {
        json!({ "type": type_, "status": status, "reason": reason, "message": "", "lastTransitionTime": self.now })
    }

    fn progressing(&self, reason: &str) -> Value {
        self.condition("Progressing", if reason == "Progressing" { "True" } else { "False" }, reason)
    }

    pub(super) fn told(&self, cluster: &str) -> Vec<Value> {
        self.hub.object(&addon(cluster)).unwrap()["status"]["configReferences"].as_array().unwrap().clone()
    }
}

fn reference((resource, name, hash): &(&str, String, String)) -> Value {
    let namespace = if *resource == CONFIGS { "fleet" } else { "" };
    json!({
        "group": ADDONS, "resource": resource, "desiredConfig": { "namespace": namespace, "name": name, "specHash": hash },
    })
}

pub(super) fn addon(cluster: &str) -> ObjectKey {
    ObjectKey::new(ADDONS, "ManagedClusterAddOn", cluster, "hello")
}

pub(super) fn work(cluster: &str) -> ObjectKey {
    ObjectKey::new("work.open-cluster-management.io", "ManifestWork", cluster, "addon-hello-deploy-0")
}
