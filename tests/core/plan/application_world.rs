//! A hub with an application on one cluster, and what the agent of that cluster reports.

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
use tidegate_model::time::Timestamp;
use tidegate_model::unseen::Unseen;
use tidegate_plan::report::ClusterReport;
use tidegate_plan::{Input, Memo, plan};
use tidegate_repository::{ClusterContents, Repository};

use super::read;

/// A hub with an application on one cluster.
pub(super) struct World {
    /// The application that reports are about.
    pub(super) unit: &'static str,
    cluster: &'static str,
    /// The labels of the cluster.
    pub(super) labels: Value,
    contents: ClusterContents,
    pub(super) works: BTreeMap<String, Value>,
    memo: Memo,
    /// Judges each tick.
    checker: Checker,
    now: i64,
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
    pub(super) fn new(unit: &'static str, cluster: &'static str) -> Self {
        Self {
            unit,
            cluster,
            labels: json!({ "fleet": "demo" }),
            contents: ClusterContents::default(),
            works: BTreeMap::new(),
            memo: Memo::default(),
            checker: Checker::new(),
            now: 1_000_000,
        }
    }

    fn fleet(&self, repository: &Repository) -> Fleet {
        let cluster: ClusterName = self.cluster.parse().unwrap();
        let mut fleet = Fleet {
            cluster_sets: repository.cluster_sets.clone(),
            cluster_set_bindings: repository.cluster_set_bindings.clone(),
            ..Fleet::default()
        };
        let member = json!({ "metadata": { "name": self.cluster, "labels": self.labels }, "spec": { "hubAcceptsClient": true } });
        fleet.clusters.insert(cluster.clone(), read(member));
        fleet.works.entry(self.unit.parse().unwrap()).or_default().entry(cluster.clone()).or_default();
        for (name, work) in &self.works {
            let unit = work["metadata"]["annotations"]["tidegate.io/unit"].as_str().unwrap_or(self.unit);
            let works = fleet.works.entry(unit.parse().unwrap()).or_default().entry(cluster.clone()).or_default();
            works.insert(name.clone(), read::<ManifestWork>(work.clone()));
        }
        fleet
    }

    /// Plans, writes the works, and lets the agent answer on each of them.
    pub(super) fn step(&mut self, repository: &Repository, answer: impl FnMut(&mut Value)) -> ClusterReport {
        let (report, _) = self.tick(repository);
        self.works.values_mut().for_each(answer);
        report
    }

    /// Plans and writes the works. Returns the report and the number of writes.
    pub(super) fn tick(&mut self, repository: &Repository) -> (ClusterReport, usize) {
        let violations = self.violations(repository);
        assert!(violations.is_empty(), "{violations:#?}");
        let instance = crate::instance::instance();
        let fleet = self.fleet(repository);
        let now = Timestamp::from_second(self.now).unwrap();
        self.now += 60;
        let rendered = self.contents.of(repository, &fleet.clusters);
        let repository = rendered.as_ref().unwrap_or(repository);
        let archive = self.contents.archive(&Arc::default());
        let planned =
            plan(&Input { now, archive: &archive, ..Input::offline(repository, &fleet, &instance) }, &mut self.memo);
        let is_of_work = |write: &&Write| write.key().is_some_and(|key| key.kind == "ManifestWork");
        let writes: Vec<&Write> = planned.lanes.iter().flat_map(|lane| &lane.writes).filter(is_of_work).collect();
        let count = writes.len();
        for write in writes {
            self.write(write);
        }
        let cluster: ClusterName = self.cluster.parse().unwrap();
        (planned.report.addons[self.unit].clusters[&cluster].clone(), count)
    }

    /// Looks at the hub as the checker does, and returns the rules that were broken since it last looked.
    fn violations(&mut self, repository: &Repository) -> Vec<String> {
        let observation = Observation {
            repository,
            approvals: &Arc::default(),
            last_good: &GoodDigests::default(),
            rules: None,
            fleet: &self.fleet(repository),
            delivery: Delivery::Native,
            instance: &crate::instance::instance(),
            unseen: &Unseen::default(),
            clock: &ClockSteps::default(),
            now: Timestamp::from_second(self.now).unwrap(),
        };
        self.checker.check(&observation).iter().map(ToString::to_string).collect()
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
            Write::Delete { key, .. } if key.kind == "ManifestWork" => {
                self.works.remove(&key.name);
            }
            _ => {}
        }
    }
}

/// Returns a condition of a work that its agent has applied.
pub(super) fn holds(work: &Value, type_: &str) -> Value {
    json!({
        "type": type_, "status": "True", "reason": "r", "message": "", "lastTransitionTime": "1970-01-01T00:00:00Z",
        "observedGeneration": work["metadata"]["generation"],
    })
}
