//! Measures the plan of a fleet at rest: everything is delivered, and nothing is left to write.
//!
//! Run `cargo bench --bench plan` on one core. The argument of a row is the number of clusters. `native` is delivery by Tidegate,
//! `upstream` by OCM's add-on manager. In `relabelled`, a label of one cluster has changed since the last plan, and in `changed`, an
//! add-on on one cluster.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::collections::BTreeSet;
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::{Assignment, Delivery};
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::{Input, Memo, Past, PlacementMode, Plan, plan};
use tidegate_repository::{Archive, Repository, load};
use tidegate_rollout::gate::checks::Observations;
use tidegate_simulation::agents::{Agents, Conduct, Nature};
use tidegate_simulation::hub::Hub;
use tidegate_simulation::revision::{Policy, Revision};

#[path = "../tests/support/instance.rs"]
mod instance;

const FLEETS: [usize; 3] = [100, 1_000, 10_000];

fn main() {
    divan::main();
}

struct Scene {
    hub: Hub,
    repository: Repository,
    delivery: Delivery,
    memo: Memo,
    past: Past,
    now: Timestamp,
}

impl Scene {
    /// Creates a fleet, and delivers the add-on to all clusters at once.
    fn new(clusters: usize, delivery: Delivery) -> Self {
        let repository = load(&Revision::simple(1, Policy::all_at_once()).tree(), "").repository;
        let now = "2026-03-01T12:00:00Z".parse().unwrap();
        let mut scene =
            Self { hub: Hub::default(), repository, delivery, memo: Memo::default(), past: Past::default(), now };
        let mut agents = Agents::default();
        for number in 0..clusters {
            let name = format!("cluster-{number:06}");
            agents.behave(&name, Nature { conduct: Conduct::Well, delay: 0 });
            scene.hub.apply(json!({
                "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
                "metadata": { "name": name, "labels": { "tier": "rest" } }, "spec": { "hubAcceptsClient": true },
            }));
        }
        loop {
            let plan = scene.planned();
            if plan.lanes.is_empty() {
                return scene;
            }
            let mut lanes = plan.lanes;
            lanes.sort_by_key(|lane| lane.stage);
            for write in lanes.iter().flat_map(|lane| &lane.writes) {
                let _refused = scene.hub.carry_out(write);
            }
            let _next = agents.answer(&mut scene.hub, scene.now);
            if delivery == Delivery::Upstream {
                scene.deliver();
            }
            scene.now += SignedDuration::from_secs(1);
        }
    }

    fn planned(&mut self) -> Plan {
        let input = Input {
            repository: &self.repository,
            fleet: self.hub.fleet(),
            unobserved: &BTreeSet::new(),
            placement_mode: PlacementMode::Builtin,
            delivery: self.delivery,
            instance: &instance::instance(),
            revision: None,
            past: &self.past,
            archive: &Archive::default(),
            approvals: Approvals::none(),
            observations: Observations::none(),
            now: self.now,
        };
        let mut plan = plan(&input, &mut self.memo);
        self.past.report = Arc::new(std::mem::take(&mut plan.report));
        plan
    }

    /// Changes something about one cluster, and plans.
    fn planned_after(&mut self, key: &ObjectKey, change: impl Fn(u64) -> Value) -> Plan {
        self.hub.patch(key, &change(self.hub.version()));
        self.planned()
    }

    /// Reports what every cluster was assigned as delivered, as OCM's add-on manager does.
    fn deliver(&mut self) {
        let addons: Vec<(ObjectKey, Value)> =
            self.hub.of_kind("ManagedClusterAddOn").map(|(key, addon)| (key.clone(), addon.clone())).collect();
        for (key, addon) in addons {
            let text = addon["metadata"]["annotations"][key::ASSIGNMENT].as_str().unwrap();
            let assignment: Assignment = serde_json::from_str(text).unwrap();
            let mut references = assignment.copies;
            references.iter_mut().for_each(|copy| copy.last_applied_config.clone_from(&copy.desired_config));
            let condition = |type_: &str, status: &str, reason: &str| {
                json!({
                    "type": type_, "status": status, "reason": reason, "message": "", "lastTransitionTime": self.now,
                })
            };
            let conditions =
                [condition("Progressing", "False", "Completed"), condition("Available", "True", "ProbeAvailable")];
            self.hub.patch(&key, &json!({ "status": { "configReferences": references, "conditions": conditions } }));
        }
    }
}

fn at_rest(bencher: Bencher<'_, '_>, clusters: usize, delivery: Delivery) {
    let mut scene = Scene::new(clusters, delivery);
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| black_box(scene.planned()));
}

#[divan::bench(args = FLEETS)]
fn native(bencher: Bencher<'_, '_>, clusters: usize) {
    at_rest(bencher, clusters, Delivery::Native);
}

#[divan::bench(args = FLEETS)]
fn upstream(bencher: Bencher<'_, '_>, clusters: usize) {
    at_rest(bencher, clusters, Delivery::Upstream);
}

#[divan::bench(args = FLEETS)]
fn relabelled(bencher: Bencher<'_, '_>, clusters: usize) {
    let mut scene = Scene::new(clusters, Delivery::Native);
    let key = object_key::cluster("cluster-000007");
    let label = |version: u64| json!({ "metadata": { "labels": { "rack": version.to_string() } } });
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| black_box(scene.planned_after(&key, label)));
}

#[divan::bench(args = FLEETS)]
fn changed(bencher: Bencher<'_, '_>, clusters: usize) {
    let mut scene = Scene::new(clusters, Delivery::Native);
    let key = object_key::cluster_addon("cluster-000007", "hello");
    let label = |version: u64| json!({ "metadata": { "labels": { "rack": version.to_string() } } });
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| black_box(scene.planned_after(&key, label)));
}
