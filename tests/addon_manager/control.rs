//! What a test can do with the stand-in: wait until it is idle, stretch the states that it writes, and keep it from rendering.

use std::time::Duration;

use serde_json::{Value, json};
use tidegate_api::ocm::crds;
use tidegate_sandbox::Sandbox;

use super::setup::*;
use crate::upstream::{AddonManager, Controller, Delays, LEASE_NAME, LEASE_NAMESPACE, RENEWAL};

const LIFECYCLE: &str = "addon.open-cluster-management.io/lifecycle";

/// Returns a setup in which one cluster has completed template `a`.
async fn completed() -> Setup {
    let setup = Setup::new();
    setup.sandbox.seed([template("a", "agent:1", &[]), template("b", "agent:2", &[]), declared("a")]).unwrap();
    setup.install("cluster1", json!([of_template("a")]));
    setup.settle().await;
    assert_eq!(reason(&setup).await, "Completed");
    setup
}

async fn status(setup: &Setup) -> Value {
    setup.addon("cluster1").await.unwrap()["status"].clone()
}

async fn reason(setup: &Setup) -> String {
    let conditions = status(setup).await["conditions"].as_array().cloned().unwrap_or_default();
    let progressing = conditions.into_iter().find(|condition| condition["type"] == "Progressing");
    progressing.unwrap_or_default()["reason"].as_str().unwrap_or_default().to_owned()
}

/// Returns name and hash of the desired template, and whether it is the last applied one.
async fn desired(setup: &Setup) -> (String, bool, bool) {
    let reference = status(setup).await["configReferences"][0].clone();
    let name = reference["desiredConfig"]["name"].as_str().unwrap_or_default().to_owned();
    let has_hash = reference["desiredConfig"]["specHash"].as_str().is_some_and(|hash| !hash.is_empty());
    (name, has_hash, reference["desiredConfig"] == reference["lastAppliedConfig"])
}

fn image(work: &Value) -> &str {
    work["spec"]["workload"]["manifests"][0]["spec"]["template"]["spec"]["containers"][0]["image"].as_str().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_manager_with_nothing_to_do_writes_nothing_but_its_lease() {
    let setup = completed().await;
    let (writes, renewals) = (setup.manager.writes(), setup.manager.counts()["Lease"]);
    let hour = Duration::from_secs(3600);
    tokio::time::sleep(hour).await;
    assert_eq!(setup.manager.writes(), writes, "{:?}", setup.manager.counts());
    let renewed = setup.manager.counts()["Lease"] - renewals;
    assert_eq!(renewed, hour.as_secs() / RENEWAL.as_secs());
}

#[tokio::test(start_paused = true)]
async fn lifecycle_self_is_rewritten_only_for_an_add_on_with_templates() {
    let setup = completed().await;
    let lifecycle = json!({ "metadata": { "annotations": { (LIFECYCLE): "self" } } });
    setup.patch(&addon(), lifecycle.clone()).await;
    setup.settle().await;
    assert_eq!(setup.read(&addon()).await.unwrap()["metadata"]["annotations"][LIFECYCLE], "");
    let mut other = declared("a");
    other["metadata"] = json!({ "name": "other", "annotations": { (LIFECYCLE): "self" } });
    other["spec"]["defaultConfigs"] = json!([]);
    setup.sandbox.seed([other]).unwrap();
    setup.settle().await;
    let path = addon().replace(ADDON, "other");
    assert_eq!(setup.read(&path).await.unwrap()["metadata"]["annotations"][LIFECYCLE], "self");
}

#[tokio::test(start_paused = true)]
async fn each_wrong_state_of_the_status_can_be_stretched() {
    let setup = completed().await;
    let minute = Duration::from_secs(60);
    let slow = |controllers: &[Controller]| {
        let of = controllers.iter().map(|controller| (*controller, minute)).collect();
        setup.manager.control(|controls| controls.delays = Delays { of, ..Delays::default() });
    };
    // The old template, although the cluster is pinned to another one.
    slow(&[Controller::Configuration]);
    setup.pin("cluster1", json!([of_template("b")])).await;
    setup.settle().await;
    assert_eq!((desired(&setup).await, reason(&setup).await.as_str()), (("a".to_owned(), true, true), "Completed"));
    // The new template without a hash, and still completed.
    slow(&[Controller::Progressing, Controller::ClusterHashes]);
    setup.settle().await;
    assert_eq!((desired(&setup).await, reason(&setup).await.as_str()), (("b".to_owned(), false, false), "Completed"));
    // The new template with its hash, and still completed; the work has changed already.
    slow(&[Controller::Progressing]);
    setup.settle().await;
    assert_eq!((desired(&setup).await, reason(&setup).await.as_str()), (("b".to_owned(), true, false), "Completed"));
    assert_eq!(image(&setup.work("cluster1").await.unwrap()), "agent:2");
    slow(&[]);
    setup.settle().await;
    assert_eq!((desired(&setup).await, reason(&setup).await.as_str()), (("b".to_owned(), true, true), "Completed"));
}

#[tokio::test(start_paused = true)]
async fn a_cluster_for_which_nothing_is_rendered_keeps_its_work() {
    let setup = completed().await;
    setup.manager.control(|controls| _ = controls.unrendered.insert("cluster1".to_owned()));
    setup.pin("cluster1", json!([of_template("b")])).await;
    setup.settle().await;
    assert_eq!(image(&setup.work("cluster1").await.unwrap()), "agent:1");
    assert_eq!(reason(&setup).await, "Progressing");
    setup.manager.control(|controls| controls.unrendered.clear());
    setup.settle().await;
    assert_eq!(image(&setup.work("cluster1").await.unwrap()), "agent:2");
    assert_eq!(reason(&setup).await, "Completed");
}

#[tokio::test(start_paused = true)]
async fn a_work_that_another_client_changes_is_restored() {
    let setup = completed().await;
    let mut manifests = setup.work("cluster1").await.unwrap()["spec"]["workload"]["manifests"].clone();
    manifests[0]["spec"]["replicas"] = json!(5);
    setup.patch(&work("cluster1"), json!({ "spec": { "workload": { "manifests": manifests } } })).await;
    setup.settle().await;
    let restored = setup.work("cluster1").await.unwrap();
    assert_eq!(restored["spec"]["workload"]["manifests"][0]["spec"]["replicas"], 1);
    assert_eq!(restored["metadata"]["generation"], 3);
}

#[tokio::test(start_paused = true)]
async fn placements_install_the_add_on_and_set_its_configurations() {
    let setup = Setup::on(Sandbox::new(&crds::all().unwrap(), now), AddonManager::new(now));
    let mut placed = declared("a");
    let placement = json!({ "namespace": "fleet-addons", "name": "all", "configs": [of_template("b")] });
    placed["spec"]["installStrategy"] = json!({ "type": "Placements", "placements": [placement] });
    let page = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1beta1", "kind": "PlacementDecision",
        "metadata": {
            "namespace": "fleet-addons", "name": "all-decision-0",
            "labels": { "cluster.open-cluster-management.io/placement": "all" },
        },
        "status": { "decisions": [{ "clusterName": "cluster1", "reason": "" }] },
    });
    setup.sandbox.seed([template("a", "agent:1", &[]), template("b", "agent:2", &[]), page, placed]).unwrap();
    setup.install("cluster2", json!([]));
    setup.settle().await;
    assert_eq!(image(&setup.work("cluster1").await.unwrap()), "agent:2");
    assert_eq!((desired(&setup).await, reason(&setup).await.as_str()), (("b".to_owned(), true, true), "Completed"));
    assert_eq!(setup.addon("cluster2").await, None, "no placement selects cluster2");
}

#[tokio::test(start_paused = true)]
async fn every_change_has_the_field_manager_of_the_add_on_manager() {
    let setup = completed().await;
    let lease = format!("/apis/coordination.k8s.io/v1/namespaces/{LEASE_NAMESPACE}/leases/{LEASE_NAME}");
    for path in [addon(), cluster_addon("cluster1"), work("cluster1"), lease] {
        let object = setup.read(&path).await.unwrap();
        let managers = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
        assert!(
            managers.iter().any(|entry| entry["manager"] == crate::upstream::FIELD_MANAGER),
            "{path}: {managers:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_random_order_of_supported_configurations_delays_a_move_and_settles() {
    let setup = completed().await;
    let cost = async |name: &str| {
        let before = setup.manager.counts()["ManagedClusterAddOn/status"];
        setup.pin("cluster1", json!([of_template(name)])).await;
        setup.settle().await;
        setup.manager.counts()["ManagedClusterAddOn/status"] - before
    };
    let (usual, mut most) = (cost("b").await, 0);
    setup.manager.control(|controls| controls.shuffles_supported_configs = true);
    for name in ["a", "b", "a", "b"] {
        most = most.max(cost(name).await);
        assert_eq!(
            (desired(&setup).await, reason(&setup).await.as_str()),
            ((name.to_owned(), true, true), "Completed")
        );
    }
    assert!(most > usual, "{most} writes, {usual} without");
    let writes = setup.manager.writes();
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(setup.manager.writes(), writes);
}
