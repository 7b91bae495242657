//! Measures a repository with many applications: reading them, and the plan of one change.
//!
//! Run `cargo bench --bench applications` on one core. The argument of a row is the number of applications, each of which is on all 100 clusters,
//! with one work on each. `one_image` plans the change of the image of one application, from both revisions in memory.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;
use tidegate_plan::{Input, Past, PlacementMode};
use tidegate_repository::{Archive, Loaded, Repository, load};
use tidegate_review::proposal::document::Revision;
use tidegate_review::proposal::{Request, Side, assumed, propose};
use tidegate_rollout::gate::checks::Observations;

#[path = "../tests/support/instance.rs"]
mod instance;

const APPLICATIONS: [usize; 3] = [10, 100, 1_000];
const CLUSTERS: usize = 100;
const OCM: &str = "cluster.open-cluster-management.io";

fn main() {
    divan::main();
}

/// Returns a repository with applications on all clusters, the first of which has this image.
fn tree(applications: usize, image: &str) -> Tree {
    let fleet = [
        json!({
            "apiVersion": format!("{OCM}/v1beta2"), "kind": "ManagedClusterSetBinding",
            "metadata": { "name": "global", "namespace": "shop" }, "spec": { "clusterSet": "global" },
        }),
        json!({
            "apiVersion": format!("{OCM}/v1beta2"), "kind": "ManagedClusterSet", "metadata": { "name": "global" },
            "spec": { "clusterSelector": { "selectorType": "LabelSelector", "labelSelector": {} } },
        }),
        json!({
            "apiVersion": format!("{OCM}/v1beta1"), "kind": "Placement", "metadata": { "name": "all", "namespace": "shop" },
            "spec": { "clusterSets": ["global"] },
        }),
    ];
    let application = |number: usize| {
        let image = if number == 0 { image } else { "example.com/web:1" };
        json!({
            "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
            "metadata": { "namespace": "shop", "name": format!("web-{number:04}") },
            "spec": {
                "components": [{
                    "name": format!("web-{number:04}"), "type": "webservice",
                    "properties": { "image": image, "ports": [{ "port": 8080, "expose": true }], "cpu": "100m", "memory": "64Mi" },
                    "traits": [{ "type": "scaler", "properties": { "replicas": 2 } }],
                }],
                "policies": [{ "name": "all", "type": "placement", "properties": { "name": "all" } }],
            },
        })
    };
    let objects = fleet.into_iter().chain((0..applications).map(application)).enumerate();
    let files = objects.map(|(n, object): (usize, Value)| (format!("{n:04}.yaml"), object.to_string().into_bytes()));
    let settings = ("tidegate.toml".to_owned(), b"[applications]\nenabled = true\n".to_vec());
    Tree { files: files.chain([settings]).collect(), ..Tree::default() }
}

fn loaded(applications: usize, image: &str) -> Loaded {
    let loaded = load(&tree(applications, image), "");
    assert!(loaded.complaints.is_empty(), "{:?}", loaded.complaints);
    loaded
}

fn input<'a>(repository: &'a Repository, fleet: &'a Fleet, past: &'a Past, none: &'a Absent) -> Input<'a> {
    Input {
        repository,
        fleet,
        unobserved: &none.unobserved,
        placement_mode: PlacementMode::Builtin,
        delivery: Delivery::Native,
        instance: &none.instance,
        revision: None,
        past,
        archive: &none.archive,
        approvals: Approvals::none(),
        observations: Observations::none(),
        now: Timestamp::UNIX_EPOCH,
    }
}

/// What a plan here does not have.
struct Absent {
    unobserved: BTreeSet<tidegate_model::object::GroupKind>,
    instance: tidegate_model::instance::Instance,
    archive: Archive,
}

impl Default for Absent {
    fn default() -> Self {
        Self { unobserved: BTreeSet::new(), instance: instance::instance(), archive: Archive::default() }
    }
}

/// A fleet on which everything is assumed to be delivered.
struct Scene {
    base: Loaded,
    fleet: Fleet,
    none: Absent,
}

impl Scene {
    fn new(applications: usize) -> Self {
        let mut fleet = Fleet::default();
        for number in 0..CLUSTERS {
            let name = format!("cluster-{number:06}");
            let cluster = json!({ "metadata": { "name": name }, "spec": { "hubAcceptsClient": true } });
            fleet.clusters.insert(name.parse().unwrap(), Arc::new(serde_json::from_value(cluster).unwrap()));
        }
        let (base, none) = (loaded(applications, "example.com/web:1"), Absent::default());
        let fleet = assumed(&input(&base.repository, &fleet, &Past::default(), &none));
        Self { base, fleet, none }
    }
}

#[divan::bench(args = APPLICATIONS)]
fn read(bencher: Bencher<'_, '_>, applications: usize) {
    let tree = tree(applications, "example.com/web:1");
    bencher.counter(ItemsCount::new(applications)).bench_local(|| black_box(load(&tree, "")));
}

#[divan::bench(args = APPLICATIONS)]
fn one_image(bencher: Bencher<'_, '_>, applications: usize) {
    fn side<'a>(name: &str, loaded: &'a Loaded) -> Side<'a> {
        Side { revision: Revision { name: name.to_owned(), commit: None }, loaded, repository: &loaded.repository }
    }
    let (scene, head) = (Scene::new(applications), loaded(applications, "example.com/web:2"));
    let request = Request {
        base: side("base", &scene.base),
        head: side("head", &head),
        fleet: &scene.fleet,
        source: "a benchmark",
        as_of: None,
        instance: &scene.none.instance,
        latencies: &BTreeMap::new(),
        now: Timestamp::UNIX_EPOCH,
        only: None,
    };
    let changed = propose(&request).addons.iter().filter(|unit| !unit.classes.is_empty()).count();
    assert_eq!(changed, 1);
    bencher.counter(ItemsCount::new(applications)).bench_local(|| black_box(propose(&request)));
}
