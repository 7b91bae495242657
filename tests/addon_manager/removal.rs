//! Removal of an add-on from a cluster, with and without pre-delete hooks.

use std::time::Duration;

use serde_json::{Value, json};

use super::setup::*;

const FINALIZER: &str = "addon.open-cluster-management.io/addon-pre-delete";

fn hook() -> Value {
    let container = json!({ "name": "clean", "image": "clean:1" });
    json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {
            "namespace": "open-cluster-management-agent-addon", "name": "clean", "annotations": { (FINALIZER): "" },
        },
        "spec": { "template": { "spec": { "restartPolicy": "Never", "containers": [container] } } },
    })
}

async fn installed(more: &[Value]) -> Setup {
    let setup = Setup::new();
    setup.sandbox.seed([template("a", "agent:1", more), declared("a")]).unwrap();
    setup.install("cluster1", json!([]));
    setup.settle().await;
    assert!(setup.work("cluster1").await.is_some());
    setup
}

fn hook_work() -> String {
    work("cluster1").replace("deploy-0", "pre-delete")
}

#[tokio::test(start_paused = true)]
async fn a_deleted_add_on_takes_its_works_along() {
    let setup = installed(&[]).await;
    setup.delete(&cluster_addon("cluster1")).await;
    setup.settle().await;
    assert_eq!(setup.addon("cluster1").await, None);
    assert_eq!(setup.work("cluster1").await, None);
}

#[tokio::test(start_paused = true)]
async fn hooks_run_before_a_deleted_add_on_goes() {
    let setup = installed(&[hook()]).await;
    let finalizers = setup.addon("cluster1").await.unwrap()["metadata"]["finalizers"].clone();
    assert_eq!(finalizers, json!([FINALIZER]));
    assert_eq!(setup.read(&hook_work()).await, None);
    setup.delete(&cluster_addon("cluster1")).await;
    tokio::time::sleep(Duration::from_millis(40)).await;
    assert!(setup.read(&hook_work()).await.is_some());
    assert!(setup.addon("cluster1").await.is_some(), "the hook has not completed");
    setup.settle().await;
    assert_eq!(setup.addon("cluster1").await, None);
    assert_eq!((setup.work("cluster1").await, setup.read(&hook_work()).await), (None, None));
}

#[tokio::test(start_paused = true)]
async fn a_deleted_declaration_takes_everything_along() {
    let setup = installed(&[]).await;
    setup.delete(&addon()).await;
    setup.settle().await;
    assert_eq!((setup.addon("cluster1").await, setup.work("cluster1").await), (None, None));
}
