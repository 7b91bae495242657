//! A hub is turned into a repository, and a daemon takes it over: the only writes to declared objects are the marks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::convert::{AddonVersion, convert};
use tidegate_daemon::hub::{self, Hub, Options};
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::tree::Tree;
use tidegate_repository::adopt::{Adoption, adopt};

use super::world::{PATIENCE, World, now, requests};
use crate::upstream::AddonManager;

const ADDONS: &str = "addon.open-cluster-management.io/v1beta1";
const ADDONS_ALPHA: &str = "addon.open-cluster-management.io/v1alpha1";
const CLUSTERS: &str = "cluster.open-cluster-management.io/v1beta2";
const PLACEMENTS: &str = "cluster.open-cluster-management.io/v1beta1";
const WORKS: &str = "work.open-cluster-management.io/v1";

/// The kinds that a repository declares.
const DECLARED: [(&str, &str); 6] = [
    (ADDONS, "clustermanagementaddons"),
    (ADDONS, "addontemplates"),
    (ADDONS, "addondeploymentconfigs"),
    (CLUSTERS, "managedclustersets"),
    (CLUSTERS, "managedclustersetbindings"),
    (PLACEMENTS, "placements"),
];
/// The kinds with an object for each cluster.
const DELIVERED: [(&str, &str); 2] = [(ADDONS, "managedclusteraddons"), (WORKS, "manifestworks")];

fn path(group_version: &str, plural: &str, object: &Value) -> String {
    let namespace = object["metadata"]["namespace"].as_str();
    let namespace = namespace.map_or_else(String::new, |namespace| format!("/namespaces/{namespace}"));
    format!("/apis/{group_version}{namespace}/{plural}/{}", object["metadata"]["name"].as_str().unwrap())
}

/// Returns all objects of these kinds, by path.
async fn all(world: &World, kinds: &[(&str, &str)]) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for (group_version, plural) in kinds {
        let objects = world.list(group_version, plural).await;
        found.extend(objects.into_iter().map(|object| (path(group_version, plural, &object), object)));
    }
    found
}

/// Removes every mark, as if another tool had created the objects and OCM's manager had handed the add-ons over.
pub(super) async fn unmark(world: &World) {
    let patch = json!({ "metadata": {
        "labels": { "tidegate.io/owned": null, "tidegate.io/instance": null },
        "annotations": { "tidegate.io/applied-hash": null, "tidegate.io/instance-name": null },
    } });
    for path in all(world, &[&DECLARED[..], &DELIVERED[..]].concat()).await.into_keys() {
        requests::patch(&world.client(), &format!("{path}?fieldManager=kubectl"), &patch).await;
    }
}

pub(super) async fn fleet(world: &World) -> std::sync::Arc<Fleet> {
    let metrics = Metrics::default().register(hub::Metrics::register);
    let hub = Hub::connect(world.client(), Options::default(), metrics).await.unwrap();
    hub.look_at_all(PATIENCE).await.unwrap().fleet
}

fn files(adoption: &Adoption) -> BTreeMap<String, Option<Vec<u8>>> {
    adoption.files.iter().map(|(path, text)| (path.clone(), Some(text.clone().into_bytes()))).collect()
}

/// Turns the hub into files that have no complaint.
async fn adopted(world: &World) -> Adoption {
    let adoption = adopt(&*fleet(world).await, &BTreeSet::new());
    assert_eq!((&adoption.complaints, &adoption.unwritable), (&Vec::new(), &Vec::new()));
    adoption
}

/// Returns an object without what a mark changes.
fn unmarked(object: &Value) -> Value {
    let mut object = object.clone();
    let metadata = object["metadata"].as_object_mut().unwrap();
    for field in ["resourceVersion", "managedFields"] {
        metadata.remove(field);
    }
    for map in ["labels", "annotations"] {
        if let Some(map) = metadata.get_mut(map).and_then(Value::as_object_mut) {
            map.retain(|name, _| !name.starts_with("tidegate.io/"));
        }
        if metadata.get(map).is_some_and(|map| map.as_object().is_some_and(serde_json::Map::is_empty)) {
            metadata.remove(map);
        }
    }
    object
}

#[tokio::test(start_paused = true)]
async fn a_daemon_on_the_adopted_repository_only_marks_the_objects_and_then_writes_nothing() {
    let world = World::settled_by("first.git", 20).await;
    let mut first = world.daemon("first.git").await;
    first.until_settled("0.4.0").await;
    first.end().await;
    unmark(&world).await;

    let adoption = adopted(&world).await;
    let before = all(&world, &DECLARED).await;
    let delivered = all(&world, &DELIVERED).await;
    let other = world.beside(files(&adoption));
    let mut second = other.daemon("second.git").await;
    second.until_settled("0.4.0").await;

    // Everything but the marks is as before.
    let after = all(&world, &DECLARED).await;
    assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    for (path, object) in &before {
        assert_eq!(unmarked(&after[path]), unmarked(object), "{path}");
    }
    for (path, object) in all(&world, &DELIVERED).await {
        assert_eq!(unmarked(&object), unmarked(&delivered[&path]), "{path}");
    }
    // Each declared object was written once, and nothing else: no status, no work.
    let declared: BTreeSet<_> = adoption.objects.values().flatten().collect();
    assert_eq!(second.metric("tidegate_hub_writes_total"), declared.len() as f64);
    second.end().await;

    // Once the marks are there, a daemon has nothing to write, and adopting again finds nothing that is free.
    let mut third = other.daemon("second.git").await;
    third.until_settled("0.4.0").await;
    assert_eq!(third.metric("tidegate_hub_writes_total"), 0.0);
    third.end().await;
    let again = adopt(&*fleet(&world).await, &BTreeSet::new());
    assert!(again.files.is_empty(), "{:?}", again.files.keys());
}

/// Creates the objects of the examples as kubectl does, with defaults written out and in the older version, and each with an owner
/// that is not Tidegate.
async fn create_by_hand(world: &World) {
    let objects = tidegate_repository::load(&crate::example_tree::tree(), "").repository.objects;
    let objects: Vec<Value> = objects.values().map(|declared| (*declared.object).clone()).collect();
    let namespaces = objects.iter().filter(|object| object["kind"] == "Namespace").cloned();
    world.sandbox.seed(namespaces).unwrap();
    for (group_version, plural) in DECLARED {
        let is_of_kind = |object: &&Value| plural == tidegate_model::plural::plural(object["kind"].as_str().unwrap());
        for mut object in objects.iter().filter(is_of_kind).cloned() {
            match object["kind"].as_str().unwrap() {
                "ClusterManagementAddOn" => {
                    object["metadata"]["annotations"] =
                        json!({ "addon.open-cluster-management.io/lifecycle": "self", "team": "platform" });
                }
                "AddOnDeploymentConfig" => {
                    object["spec"]["agentInstallNamespace"] = json!("open-cluster-management-agent-addon");
                }
                _ => object["metadata"]["labels"] = json!({ "team": "platform" }),
            }
            // Most hubs are older than v1beta1, and so are the manifests that were applied to them.
            convert(&mut object, AddonVersion::V1Alpha1);
            let group_version = if group_version == ADDONS { ADDONS_ALPHA } else { group_version };
            let at = path(group_version, plural, &object);
            let (collection, _) = at.rsplit_once('/').unwrap();
            requests::create(&world.client(), &format!("{collection}?fieldManager=kubectl-create"), &object).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn objects_that_others_created_keep_every_value_when_they_are_taken_over() {
    let world = World::new(20);
    create_by_hand(&world).await;
    let before = all(&world, &DECLARED).await;
    let adoption = adopted(&world).await;
    assert_eq!(adoption.objects.values().map(Vec::len).sum::<usize>(), before.len() - 5, "{:?}", adoption.left_out);
    let other = world.beside(files(&adoption));
    let mut daemon = other.daemon("second.git").await;
    let settled = daemon.until_settled("0.4.0").await;
    assert_eq!((&settled.report.repairs, &settled.report.collisions), (&Vec::new(), &Vec::new()));
    for (path, object) in all(&world, &DECLARED).await {
        // The daemon reports the rollout, and the simulated hub the Placement.
        let [now, then] = [unmarked(&object), unmarked(&before[&path])].map(|mut object| {
            object.as_object_mut().unwrap().remove("status");
            object
        });
        assert_eq!(now, then, "{path}");
    }
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_addon_that_upstream_drives_is_not_written_before_it_is_handed_over() {
    let world = World::settled_by("first.git", 20).await;
    let mut first = world.daemon("first.git").await;
    first.until_settled("0.4.0").await;
    first.end().await;
    unmark(&world).await;
    let addon = format!("/apis/{ADDONS}/clustermanagementaddons/hello-template");
    let set_lifecycle = async |value: Value| {
        let patch = json!({ "metadata": { "annotations": { "addon.open-cluster-management.io/lifecycle": value } } });
        requests::patch(&world.client(), &addon, &patch).await;
    };
    set_lifecycle(Value::Null).await;
    let adoption = adopted(&world).await;
    assert_eq!(adoption.driven.iter().map(|name| name.as_str()).collect::<Vec<_>>(), ["hello-template"]);
    let other = world.beside(files(&adoption));
    let mut second = other.daemon("second.git").await;
    let is_refused = |s: &Snapshot| {
        let addon = s.report.addons.get("hello-template");
        s.writes == 0
            && addon.is_some_and(|addon| addon.problem.as_ref().is_some_and(|why| why.contains("to hand it over")))
    };
    second.until("the refusal", is_refused).await;
    let mark = async || {
        let addon = world.object(ADDONS, "clustermanagementaddons", "", "hello-template").await.unwrap();
        addon["metadata"]["labels"]["tidegate.io/instance"].clone()
    };
    assert_eq!(mark().await, Value::Null);
    set_lifecycle(json!("self")).await;
    second.until_settled("0.4.0").await;
    assert_ne!(mark().await, Value::Null);
    second.end().await;
}

#[tokio::test(start_paused = true)]
async fn addons_that_ocm_delivers_for_tidegate_are_adopted_as_they_were_declared() {
    let world = World::new(14);
    let running = AddonManager::new(now).start(world.client());
    let first_declared = tidegate_repository::load(&crate::example_tree::tree(), "").repository;
    let upstream = |config: Config| Config { delivery: DeliveryMode::Upstream, ..config };
    let mut first = world.daemon_with(world.client(), upstream(world.config("first.git"))).await;
    first.until_settled("0.4.0").await;
    first.end().await;
    unmark(&world).await;

    let adoption = adopted(&world).await;
    assert_eq!(adoption.driven.len(), 0, "{:?}", adoption.driven);
    let files = files(&adoption);
    let tree = files.iter().map(|(path, text)| (path.clone(), text.clone().unwrap())).collect();
    let repository = tidegate_repository::load(&Tree { files: tree, ..Tree::default() }, "").repository;
    for (name, addon) in &repository.addons {
        let declared = &first_declared.addons[name];
        let meaning = |unit: &tidegate_repository::Unit| (unit.defaults().to_vec(), unit.install_strategy().cloned());
        assert_eq!(meaning(addon), meaning(declared), "{name}");
    }
    // What a repository declares for one cluster is not on the hub. It is named.
    assert_eq!(adoption.warnings.len(), 1, "{:?}", adoption.warnings);
    assert!(adoption.warnings[0].starts_with("aws-007 has "), "{:?}", adoption.warnings);
    let templates = repository.objects.keys().filter(|key| key.kind == "AddOnTemplate").map(|key| key.name.as_str());
    assert_eq!(templates.collect::<Vec<_>>(), ["hello-template-0.4.0", "managed-serviceaccount-0.4.0"]);

    // A daemon on the new repository changes no work, except for that cluster.
    let works = all(&world, &DELIVERED[1..]).await;
    let other = world.beside(files);
    let mut second = other.daemon_with(other.client(), upstream(other.config("second.git"))).await;
    second.until_settled("0.4.0").await;
    second.end().await;
    let is_meant = |path: &str| !path.contains("/aws-007/");
    for (path, work) in all(&world, &DELIVERED[1..]).await.into_iter().filter(|(path, _)| is_meant(path)) {
        assert_eq!(work["spec"], works[&path]["spec"], "{path}");
    }
    running.stop().await;
}
