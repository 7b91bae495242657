//! KubeVela's story of a rollout with Open Cluster Management in five steps, with a stand-in for the controller on the cluster.
//!
//! The stand-in also misbehaves: it sleeps, so that the status is that of the rollout before, names another revision, or fails.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;
use tidegate_repository::{Repository, hold, load};

use super::application_world::{World, holds};

const NAME: &str = "application/default/workflow-rollout-demo";

const BINDING: &str = "\
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: fleet, namespace: default}
spec: {clusterSet: fleet}
";

/// Returns the application of one step of the story. `own` is the revision of its component, and `batch` the replicas of each of two batches.
fn demo(own: &str, target: &str, size: i64, batch: &str) -> Repository {
    let image = if own == "v1" { "nginx:1.20.0" } else { "nginx:1.21.0" };
    let text = format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {{name: workflow-rollout-demo, namespace: default}}
spec:
  components:
    - name: nginx-server
      externalRevision: nginx-server-{own}
      type: webservice
      properties: {{image: '{image}', port: 80}}
      traits:
        - type: rollout
          properties:
            targetRevision: nginx-server-{target}
            targetSize: {size}
            rolloutBatches: [{{replicas: {batch}}}, {{replicas: {batch}}}]
  workflow:
    steps:
      - {{name: dispatch-comp-rev, type: dispatch-comp-rev, properties: {{compRev: nginx-server-{own}, cluster: dev2}}}}
      - {{name: dispatchRollout, type: dispatch-traits, properties: {{component: nginx-server, cluster: dev2}}}}
"
    );
    let mut tree = crate::example_tree::tree();
    tree.files.insert("fleet/demo.yaml".to_owned(), text.into_bytes());
    tree.files.insert("fleet/default.yaml".to_owned(), BINDING.as_bytes().to_vec());
    let settings = tree.files.get_mut("tidegate.toml").unwrap();
    settings.extend(b"\n[applications]\nenabled = true\nrollout = \"standard.oam.dev\"\n");
    let loaded = load(&tree, "");
    let errors: Vec<String> =
        loaded.complaints.iter().filter(|found| found.is_error()).map(ToString::to_string).collect();
    assert_eq!(errors, [""; 0]);
    hold(loaded, &BTreeMap::default(), None)
}

/// What the controller does.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    /// One batch each time.
    Works,
    /// Nothing: the status stays as it was.
    Sleeps,
    /// It says that it has succeeded with another revision.
    IsWrong,
    /// It gives up in the first batch.
    Fails,
}

/// The Rollout and the revisions on the cluster, which stay when no work names them any longer.
#[derive(Default)]
struct Cluster {
    revisions: BTreeMap<String, Value>,
    generation: i64,
    spec: Value,
    status: Value,
    /// The revision that pods run, and how many of them are ready.
    pods: (String, i64),
}

impl Cluster {
    fn applies(&mut self, object: &Value) {
        let name = object["metadata"]["name"].as_str().unwrap();
        match object["kind"].as_str().unwrap() {
            "ControllerRevision" => {
                let known = self.revisions.entry(name.to_owned()).or_insert_with(|| object["data"].clone());
                assert_eq!(*known, object["data"], "the content of a revision never changes");
            }
            "Rollout" if self.spec != object["spec"] => {
                self.spec = object["spec"].clone();
                self.generation += 1;
            }
            _ => {}
        }
    }

    fn controller(&mut self, mood: Mood) {
        let target = self.spec["targetRevisionName"].as_str().unwrap().to_owned();
        let size = self.spec["rolloutPlan"]["targetSize"].as_i64().unwrap();
        let is_known = self.revisions.contains_key(&target);
        match mood {
            Mood::Sleeps => {}
            Mood::IsWrong => {
                self.status = json!({
                    "rollingState": "rolloutSucceed", "lastTargetRevision": "nginx-server-v0", "rolloutTargetSize": size,
                    "upgradedReadyReplicas": size, "currentBatch": 1,
                });
            }
            _ if !is_known => self.status["rollingState"] = json!("locatingTargetApp"),
            _ if self.status["lastTargetRevision"] != *target || self.status["rolloutTargetSize"] != size => {
                let ready = if self.pods.0 == target { self.pods.1 } else { 0 };
                self.pods = (target.clone(), ready);
                self.status = json!({
                    "rollingState": "rollingInBatches", "lastTargetRevision": target, "rolloutTargetSize": size,
                    "upgradedReadyReplicas": ready, "currentBatch": 0,
                });
            }
            Mood::Fails => self.status["rollingState"] = json!("rolloutFailed"),
            Mood::Works => self.batch(size),
        }
    }

    /// Replaces the pods of one batch.
    fn batch(&mut self, size: i64) {
        let written = &self.spec["rolloutPlan"]["rolloutBatches"][0]["replicas"];
        let percent = written.as_str().and_then(|text| text.strip_suffix('%')?.parse::<i64>().ok());
        let left = size - self.pods.1;
        let batch = percent.map_or(written.as_i64().unwrap_or(1), |percent| (left.abs() * percent + 99) / 100);
        self.pods.1 += left.signum() * batch.min(left.abs());
        self.status["upgradedReadyReplicas"] = json!(self.pods.1);
        match self.pods.1 == size {
            true => self.status["rollingState"] = json!("rolloutSucceed"),
            false => self.status["currentBatch"] = json!(1),
        }
    }

    /// Applies a work, and writes what the agent reports about it.
    fn answer(&mut self, work: &mut Value, mood: Mood) {
        let objects = work["spec"]["workload"]["manifests"].as_array().cloned().unwrap_or_default();
        objects.iter().for_each(|object| self.applies(object));
        self.controller(mood);
        let value = |name: &str, value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(json!({ "name": name, "fieldValue": { "type": "String", "string": text } })),
            number => Some(json!({ "name": name, "fieldValue": { "type": "Integer", "integer": number } })),
        };
        let status = &self.status;
        let values: Vec<Value> = [
            value("TidegateGeneration", &json!(self.generation)),
            value("TidegateTargetRevision", &self.spec["targetRevisionName"]),
            value("TidegateTargetSize", &self.spec["rolloutPlan"]["targetSize"]),
            value("TidegateRollingState", &status["rollingState"]),
            value("TidegateLastTargetRevision", &status["lastTargetRevision"]),
            value("TidegateRolloutTargetSize", &status["rolloutTargetSize"]),
            value("TidegateCurrentBatch", &status["currentBatch"]),
            value("TidegateUpgradedReadyReplicas", &status["upgradedReadyReplicas"]),
        ]
        .into_iter()
        .flatten()
        .collect();
        let report = |(ordinal, object): (usize, &Value)| {
            let (group, resource) = match object["kind"].as_str().unwrap() {
                "Rollout" => ("standard.oam.dev", "rollouts"),
                _ => ("apps", "controllerrevisions"),
            };
            json!({
                "resourceMeta": {
                    "ordinal": ordinal, "group": group, "kind": object["kind"], "resource": resource,
                    "name": object["metadata"]["name"], "namespace": object["metadata"]["namespace"],
                },
                "statusFeedback": { "values": if resource == "rollouts" { values.clone() } else { Vec::new() } },
                "conditions": [],
            })
        };
        work["status"] = json!({
            "conditions": [holds(work, "Applied"), holds(work, "Available")],
            "resourceStatus": { "manifests": objects.iter().enumerate().map(report).collect::<Vec<_>>() },
        });
    }
}

struct Story {
    world: World,
    cluster: Cluster,
}

impl Story {
    fn new() -> Self {
        Self { world: World::new(NAME, "dev2"), cluster: Cluster::default() }
    }

    fn step(&mut self, repository: &Repository, mood: Mood) -> ClusterReport {
        let cluster = &mut self.cluster;
        self.world.step(repository, |work| cluster.answer(work, mood))
    }

    /// Plans until the cluster is done, and returns what it says before.
    fn done(&mut self, repository: &Repository) -> Vec<String> {
        let mut said: Vec<String> = Vec::new();
        let is_done = (0..20).any(|_| {
            let report = self.step(repository, Mood::Works);
            let is_done = report.state == ClusterState::Succeeded;
            if !is_done && said.last() != Some(&report.reason) {
                said.push(report.reason);
            }
            is_done
        });
        assert!(is_done, "{said:#?}");
        said
    }

    fn pods(&self) -> String {
        format!("{} * {}", self.cluster.pods.1, self.cluster.pods.0)
    }
}

#[test]
fn the_five_steps_of_the_story() {
    let mut story = Story::new();
    let mut text = String::new();
    // What each cluster says: before the first report, and after it.
    let first = "its add-on is not known to be healthy: rollouts default/nginx-server is under way: ";
    let then = "Rollout default/nginx-server is under way: ";
    for (what, repository) in [
        ("first scale", demo("v1", "v1", 2, "1")),
        ("upgrade", demo("v2", "v2", 2, "1")),
        ("scale to 4", demo("v2", "v2", 4, "50%")),
        ("back", demo("v2", "v1", 4, "2")),
        ("scale down", demo("v2", "v1", 2, "50%")),
    ] {
        let said = story.done(&repository);
        let said = said.join("; ").replace(first, "").replace(then, "");
        text.push_str(&format!("{what}: {said}; {}\n", story.pods()));
    }
    assert_eq!(story.cluster.revisions.keys().collect::<Vec<_>>(), ["nginx-server-v1", "nginx-server-v2"]);
    let expected = "\
first scale: starts; batch 1/2, 0 of 2 replicas (0 %); batch 2/2, 1 of 2 replicas (50 %); reports success; 2 * nginx-server-v1
upgrade: starts; batch 1/2, 0 of 2 replicas (0 %); batch 2/2, 1 of 2 replicas (50 %); reports success; 2 * nginx-server-v2
scale to 4: starts; batch 1/2, 2 of 4 replicas (50 %); batch 2/2, 3 of 4 replicas (75 %); reports success; 4 * nginx-server-v2
back: starts; batch 1/2, 0 of 4 replicas (0 %); batch 2/2, 2 of 4 replicas (50 %); reports success; 4 * nginx-server-v1
scale down: starts; batch 1/2, 4 of 2 replicas (100 %); batch 2/2, 3 of 2 replicas (100 %); reports success; 2 * nginx-server-v1
";
    assert_eq!(text, expected);
}

#[test]
fn the_way_back_by_a_revert_of_the_commit_needs_no_other_revision() {
    let mut story = Story::new();
    for repository in [demo("v1", "v1", 2, "1"), demo("v2", "v2", 2, "1"), demo("v1", "v1", 2, "1")] {
        story.done(&repository);
    }
    assert_eq!(story.pods(), "2 * nginx-server-v1");
}

#[test]
fn a_status_of_the_rollout_before_never_counts() {
    for next in [demo("v2", "v2", 2, "1"), demo("v1", "v1", 4, "50%")] {
        for mood in [Mood::Sleeps, Mood::IsWrong] {
            let mut story = Story::new();
            story.done(&demo("v1", "v1", 2, "1"));
            for _ in 0..10 {
                let report = story.step(&next, mood);
                assert_ne!(report.state, ClusterState::Succeeded, "{report:?}");
            }
            story.done(&next);
        }
    }
}

#[test]
fn a_cluster_without_the_revision_is_not_done() {
    let mut story = Story::new();
    let back = demo("v2", "v1", 2, "1");
    for _ in 0..10 {
        let report = story.step(&back, Mood::Works);
        assert_ne!(report.state, ClusterState::Succeeded, "{report:?}");
    }
}

#[test]
fn a_failed_batch_fails_the_cluster_and_the_next_version_starts_again() {
    let mut story = Story::new();
    story.done(&demo("v1", "v1", 2, "1"));
    let second = demo("v2", "v2", 2, "1");
    let reports: Vec<ClusterReport> = (0..6).map(|_| story.step(&second, Mood::Fails)).collect();
    let last = reports.last().unwrap();
    assert_eq!(last.state, ClusterState::Failed, "{reports:#?}");
    assert!(last.reason.contains("rollouts default/nginx-server has failed"), "{last:?}");
    // The controller still says that it has failed, and sleeps: that is about the version before.
    let back = demo("v2", "v1", 2, "1");
    let states: Vec<ClusterState> = (0..6).map(|_| story.step(&back, Mood::Sleeps).state).collect();
    assert!(states.iter().skip(1).all(|state| *state == ClusterState::Progressing), "{states:?}");
    story.done(&back);
    assert_eq!(story.pods(), "2 * nginx-server-v1");
}
