//! An application with a Job: its cluster is done when the Job is complete, and fails at once when the Job has failed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_checker::{Checker, Observation};
use tidegate_consent::GoodDigests;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::action::Write;
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;
use tidegate_model::unseen::Unseen;
use tidegate_plan::report::ClusterReport;
use tidegate_plan::{Input, Memo, plan};
use tidegate_repository::{Repository, hold, load};

use super::read;

const NAME: &str = "application/fleet-addons/shop";

const SHOP: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: shop, namespace: fleet-addons}
spec:
  components:
    - {name: migrate, type: task, properties: {image: 'example.com/migrate:1'}}
  policies:
    - {name: fleet, type: placement, properties: {name: fleet}}
";

/// A hub with one cluster, and the agent of that cluster.
pub(super) struct World {
    pub(super) works: BTreeMap<String, Value>,
    memo: Memo,
    /// Judges each tick.
    checker: Checker,
    now: i64,
}

pub(super) fn repository(shop: &str) -> Repository {
    let mut tree = crate::example_tree::tree();
    tree.files.insert("fleet/shop.yaml".to_owned(), shop.as_bytes().to_vec());
    let settings = tree.files.get_mut("tidegate.toml").unwrap();
    settings.extend(b"\n[applications]\nenabled = true\n");
    hold(load(&tree, ""), &BTreeMap::default(), None)
}

fn merge(value: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else { return *value = patch.clone() };
    if !value.is_object() {
        *value = json!({});
    }
    for (name, change) in patch {
        let members = value.as_object_mut().unwrap();
        if change.is_null() {
            members.remove(name);
        } else {
            merge(members.entry(name).or_insert(Value::Null), change);
        }
    }
}

impl World {
    fn fleet(&self, repository: &Repository) -> Fleet {
        let cluster: ClusterName = "c1".parse().unwrap();
        let mut fleet = Fleet {
            cluster_sets: repository.cluster_sets.clone(),
            cluster_set_bindings: repository.cluster_set_bindings.clone(),
            ..Fleet::default()
        };
        let member = json!({ "metadata": { "name": "c1", "labels": { "fleet": "demo" } }, "spec": { "hubAcceptsClient": true } });
        fleet.clusters.insert(cluster.clone(), read(member));
        let works = self.works.iter().map(|(name, work)| (name.clone(), read::<ManifestWork>(work.clone()))).collect();
        fleet.works.entry(NAME.parse().unwrap()).or_default().insert(cluster, works);
        fleet
    }

    /// Plans, writes the works, and lets the agent report this condition of the Job.
    fn step(&mut self, repository: &Repository, condition: Option<&str>) -> ClusterReport {
        let (report, _) = self.tick(repository);
        self.works.values_mut().for_each(|work| answer(work, condition));
        report
    }

    /// Plans and writes the works. Returns the report and the number of writes.
    pub(super) fn tick(&mut self, repository: &Repository) -> (ClusterReport, usize) {
        let instance = crate::instance::instance();
        let fleet = self.fleet(repository);
        let now = Timestamp::from_second(self.now).unwrap();
        self.now += 60;
        let observation = Observation {
            repository,
            approvals: &Arc::default(),
            last_good: &GoodDigests::default(),
            rules: None,
            fleet: &fleet,
            delivery: Delivery::Native,
            instance: &instance,
            unseen: &Unseen::default(),
            clock: &ClockSteps::default(),
            now,
        };
        let violations = self.checker.check(&observation);
        assert!(violations.is_empty(), "{violations:#?}");
        let planned = plan(&Input { now, ..Input::offline(repository, &fleet, &instance) }, &mut self.memo);
        let is_of_work = |write: &&Write| write.key().is_some_and(|key| key.kind == "ManifestWork");
        let writes: Vec<&Write> = planned.lanes.iter().flat_map(|lane| &lane.writes).filter(is_of_work).collect();
        let count = writes.len();
        for write in writes {
            self.write(write);
        }
        let cluster: ClusterName = "c1".parse().unwrap();
        (planned.report.addons[NAME].clusters[&cluster].clone(), count)
    }

    fn write(&mut self, write: &Write) {
        match write {
            Write::Create { object } if object.json.value()["kind"] == "ManifestWork" => {
                let mut work = object.json.value();
                work["metadata"]["uid"] = json!("u");
                work["metadata"]["generation"] = json!(1);
                work["metadata"]["resourceVersion"] = json!(self.now.to_string());
                self.works.insert(work["metadata"]["name"].as_str().unwrap().to_owned(), work);
            }
            Write::Patch { key, patch, .. } if key.kind == "ManifestWork" => {
                let work = self.works.get_mut(&key.name).unwrap();
                let before = work["spec"].clone();
                merge(work, &patch.value());
                let generation = work["metadata"]["generation"].as_i64().unwrap();
                work["metadata"]["generation"] = json!(generation + i64::from(work["spec"] != before));
                work["metadata"]["resourceVersion"] = json!(self.now.to_string());
            }
            _ => {}
        }
    }
}

/// Writes the status of a work, with this condition of each Job in it.
fn answer(work: &mut Value, condition: Option<&str>) {
    let of_work = |type_: &str| {
        json!({
            "type": type_, "status": "True", "reason": "r", "message": "", "lastTransitionTime": "1970-01-01T00:00:00Z",
            "observedGeneration": work["metadata"]["generation"],
        })
    };
    let text = |name: String| json!({ "name": name, "fieldValue": { "type": "String", "string": "True" } });
    let report = |(ordinal, job): (usize, &Value)| {
        let generation = json!({ "name": "TidegateGeneration", "fieldValue": { "type": "Integer", "integer": 1 } });
        let condition = condition.map(|condition| text(format!("TidegateJob{condition}")));
        let values: Vec<Value> = [generation].into_iter().chain(condition).collect();
        json!({
            "resourceMeta": {
                "ordinal": ordinal, "group": "batch", "version": "v1", "kind": "Job", "resource": "jobs",
                "name": job["metadata"]["name"], "namespace": job["metadata"]["namespace"],
            },
            "statusFeedback": { "values": values },
            "conditions": [],
        })
    };
    let jobs = work["spec"]["workload"]["manifests"].as_array().cloned().unwrap_or_default();
    work["status"] = json!({
        "conditions": [of_work("Applied"), of_work("Available")],
        "resourceStatus": { "manifests": jobs.iter().enumerate().map(report).collect::<Vec<_>>() },
    });
}

pub(super) fn world() -> World {
    World { works: BTreeMap::new(), memo: Memo::default(), checker: Checker::new(), now: 1_000_000 }
}

#[test]
fn a_cluster_is_done_when_its_job_is_complete() {
    let (repository, mut world) = (repository(SHOP), world());
    let running = [(); 4].map(|()| world.step(&repository, None).state);
    assert_eq!(running, [ClusterState::Progressing; 4]);
    let complete = [(); 3].map(|()| world.step(&repository, Some("Complete")).state);
    assert_eq!(complete.last(), Some(&ClusterState::Succeeded), "{complete:?}");
}

#[test]
fn a_cluster_whose_job_has_failed_fails_at_once_and_starts_again_with_another_job() {
    let (first, mut world) = (repository(SHOP), world());
    world.step(&first, None);
    world.step(&first, Some("Failed"));
    let failed = world.step(&first, Some("Failed"));
    let failed = [failed, world.step(&first, Some("Failed"))];
    assert_eq!(failed.last().unwrap().state, ClusterState::Failed, "{failed:?}");
    assert!(failed.last().unwrap().reason.contains("has failed"), "{failed:?}");
    // It stays failed, even if the Job is complete after all.
    assert_eq!(world.step(&first, Some("Complete")).state, ClusterState::Failed);
    let second = repository(&SHOP.replace("migrate:1", "migrate:2"));
    let states = [None, Some("Complete"), Some("Complete"), Some("Complete")]
        .map(|condition| world.step(&second, condition).state);
    assert_eq!(states.last(), Some(&ClusterState::Succeeded), "{states:?}");
}
