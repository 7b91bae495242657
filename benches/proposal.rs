//! Measures the plan of a change, and rehearsals of rollouts.
//!
//! Run `cargo bench --bench proposal` on one core. The argument of a row is the number of clusters. `ten_addons` plans an upgrade of ten
//! add-ons on a fleet that has the version before. `rehearsal` is one run.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;
use tidegate_plan::{Input, Past, PlacementMode};
use tidegate_repository::{Archive, Loaded, load};
use tidegate_review::proposal::document::{Plan, Revision};
use tidegate_review::proposal::{Request, Side, assumed, propose, rollouts};
use tidegate_review::rehearsal::{Clusters, Draw, Scenario};
use tidegate_rollout::forecast;
use tidegate_rollout::gate::checks::Observations;

#[path = "../tests/support/instance.rs"]
mod instance;

const FLEETS: [usize; 3] = [100, 1_000, 10_000];
const GROUP: &str = "addon.open-cluster-management.io";
const CLUSTERS: &str = "cluster.open-cluster-management.io";

fn main() {
    divan::main();
}

/// Returns a revision with ten add-ons in this version, on all clusters.
fn tree(version: u8) -> Tree {
    let mut objects = vec![
        json!({
            "apiVersion": format!("{CLUSTERS}/v1beta2"), "kind": "ManagedClusterSetBinding",
            "metadata": { "name": "global", "namespace": "fleet" }, "spec": { "clusterSet": "global" },
        }),
        json!({
            "apiVersion": format!("{CLUSTERS}/v1beta2"), "kind": "ManagedClusterSet", "metadata": { "name": "global" },
            "spec": { "clusterSelector": { "selectorType": "LabelSelector", "labelSelector": {} } },
        }),
        json!({
            "apiVersion": format!("{CLUSTERS}/v1beta1"), "kind": "Placement", "metadata": { "name": "all", "namespace": "fleet" },
            "spec": { "clusterSets": ["global"], "decisionStrategy": { "groupStrategy": {
                "decisionGroups": [{ "groupName": "canary", "groupClusterSelector": { "labelSelector": { "matchLabels": { "tier": "canary" } } } }],
            } } },
        }),
    ];
    for number in 0..10 {
        objects.extend(addon(&format!("addon-{number}"), version));
    }
    let files = objects.into_iter().enumerate();
    let files = files.map(|(n, object)| (format!("{n:02}.yaml"), object.to_string().into_bytes())).collect();
    Tree { files, ..Tree::default() }
}

fn addon(name: &str, version: u8) -> [Value; 2] {
    let labels = json!({ "app": name });
    let deployment = |n: usize| {
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": format!("{name}-{n}"), "namespace": name },
            "spec": {
                "replicas": 1, "selector": { "matchLabels": labels },
                "template": { "metadata": { "labels": labels }, "spec": { "containers": [{
                    "name": "agent", "image": format!("example.com/{name}:{version}"), "args": ["--cluster={{CLUSTER_NAME}}"],
                }] } },
            },
        })
    };
    let manifests: Vec<Value> = (0..5).map(deployment).collect();
    let template = format!("{name}-{version}");
    [
        json!({
            "apiVersion": format!("{GROUP}/v1beta1"), "kind": "AddOnTemplate", "metadata": { "name": template },
            "spec": { "addonName": name, "agentSpec": { "workload": { "manifests": manifests } } },
        }),
        json!({
            "apiVersion": format!("{GROUP}/v1beta1"), "kind": "ClusterManagementAddOn", "metadata": { "name": name },
            "spec": {
                "defaultConfigs": [{ "group": GROUP, "resource": "addontemplates", "name": template }],
                "installStrategy": { "type": "Placements", "placements": [{
                    "namespace": "fleet", "name": "all",
                    "rolloutStrategy": { "type": "Progressive", "progressive": {
                        "mandatoryDecisionGroups": [{ "groupName": "canary" }], "maxConcurrency": 50, "maxFailures": "2%",
                        "minSuccessTime": "5m", "progressDeadline": "10m",
                    } },
                }] },
            },
        }),
    ]
}

struct Scene {
    base: Loaded,
    head: Loaded,
    fleet: Fleet,
}

impl Scene {
    fn new(clusters: usize) -> Self {
        let mut fleet = Fleet::default();
        for number in 0..clusters {
            let name = format!("cluster-{number:06}");
            let cloud = ["aws", "gcp", "azure"][number % 3];
            let tier = if number < 10 { "canary" } else { "rest" };
            let cluster = json!({
                "metadata": { "name": name, "labels": { "tier": tier, "cloud": cloud } },
                "spec": { "hubAcceptsClient": true },
            });
            fleet.clusters.insert(name.parse().unwrap(), Arc::new(serde_json::from_value(cluster).unwrap()));
        }
        let (base, head) = (load(&tree(1), ""), load(&tree(2), ""));
        assert!(base.complaints.is_empty(), "{:?}", base.complaints);
        let fleet = assumed(&Input {
            repository: &base.repository,
            fleet: &fleet,
            unobserved: &BTreeSet::new(),
            placement_mode: PlacementMode::Builtin,
            delivery: Delivery::Native,
            instance: &instance::instance(),
            revision: None,
            past: &Past::default(),
            archive: &Archive::default(),
            approvals: Approvals::none(),
            observations: Observations::none(),
            now: Timestamp::UNIX_EPOCH,
        });
        Self { base, head, fleet }
    }

    fn with<R>(&self, look: impl FnOnce(&Request<'_>) -> R) -> R {
        fn side<'a>(name: &str, loaded: &'a Loaded) -> Side<'a> {
            Side { revision: Revision { name: name.to_owned(), commit: None }, loaded, repository: &loaded.repository }
        }
        look(&Request {
            base: side("base", &self.base),
            head: side("head", &self.head),
            fleet: &self.fleet,
            source: "a benchmark",
            as_of: None,
            instance: &instance::instance(),
            latencies: &BTreeMap::new(),
            now: Timestamp::UNIX_EPOCH,
            only: None,
        })
    }

    fn plan(&self) -> Plan {
        self.with(propose)
    }
}

#[divan::bench(args = FLEETS)]
fn ten_addons(bencher: Bencher<'_, '_>, clusters: usize) {
    let scene = Scene::new(clusters);
    assert!(scene.plan().addons.iter().all(|addon| addon.classes.len() == 1));
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| black_box(scene.plan()));
}

#[divan::bench(args = FLEETS)]
fn rehearsal(bencher: Bencher<'_, '_>, clusters: usize) {
    let scene = Scene::new(clusters);
    let outlooks = scene.with(rollouts);
    let placement = outlooks.values().next().unwrap().placements.first().unwrap();
    let scenario = Scenario { latencies: Vec::new(), failing: 0.007 };
    let input = tidegate_rollout::Input {
        strategy: &placement.strategy,
        groups: &placement.groups,
        existing: &placement.statuses,
        tolerates_failures: false,
        now: Timestamp::UNIX_EPOCH,
    };
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| {
        let mut behavior = Clusters { scenario: &scenario, draw: Draw { seed: 1 } };
        black_box(forecast::run(&input, Semantics::Strict, &mut behavior))
    });
}
