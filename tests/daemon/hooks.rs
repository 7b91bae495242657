//! Pre-delete hooks: an add-on that is deleted from a cluster stays there until its hook has completed.

use serde_json::{Value, json};
use tidegate_model::progress::ClusterState;

use super::world::{Running, World, addon_path, eventually, requests};

const ADDON: &str = "hello-template";
const CLUSTER: &str = "aws-001";
const FINALIZER: &str = "addon.open-cluster-management.io/addon-pre-delete";
const WORKS: (&str, &str) = ("work.open-cluster-management.io/v1", "manifestworks");
pub(super) const JOB: &str = "manifests:
        - apiVersion: batch/v1
          kind: Job
          metadata:
            name: say-goodbye
            namespace: open-cluster-management-agent-addon
            annotations: {addon.open-cluster-management.io/addon-pre-delete: \"\"}
          spec: {template: {spec: {restartPolicy: Never, containers: [{name: bye, image: busybox}]}}}
";

/// A hub on which every cluster has an add-on with a hook that does not complete.
async fn stuck() -> (World, Running) {
    let world = World::new(12);
    world.break_works_with("say-goodbye");
    world.edit("fleet/addons/hello-template/template-0.4.0.yaml", "manifests:\n", JOB);
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    (world, daemon)
}

async fn delete(world: &World) -> Value {
    let uid = world.addon(CLUSTER, ADDON).await["metadata"]["uid"].clone();
    requests::delete(&world.client(), &addon_path(CLUSTER, ADDON)).await;
    uid
}

async fn hook(world: &World) -> Option<Value> {
    world.object(WORKS.0, WORKS.1, CLUSTER, "addon-hello-template-pre-delete").await
}

async fn until_installed_again(world: &World, before: &Value) {
    eventually("the add-on is installed again", async || {
        let addon = requests::get(&world.client(), &addon_path(CLUSTER, ADDON)).await;
        addon.is_some_and(|addon| addon["metadata"]["uid"] != *before)
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_add_on_leaves_its_cluster_only_after_its_hook_has_completed() {
    let (world, mut daemon) = stuck().await;
    assert_eq!(world.addon(CLUSTER, ADDON).await["metadata"]["finalizers"], json!([FINALIZER]));
    assert_eq!(hook(&world).await, None, "the hook is not part of the installation");
    let deployed = world.work(CLUSTER, ADDON).await.unwrap();
    assert!(!deployed.to_string().contains("say-goodbye"));

    let before = delete(&world).await;
    eventually("the hook is on the cluster", async || hook(&world).await.is_some_and(|w| !w["status"].is_null())).await;
    let waits = daemon
        .until("the hook to be reported", |s| {
            let cluster = &s.report.addons[ADDON].clusters[CLUSTER];
            s.writes == 0 && cluster.reason == "its pre-delete hook has not completed"
        })
        .await;
    let report = &waits.report.addons[ADDON].clusters[CLUSTER];
    assert_eq!(report.state, ClusterState::Waiting);
    assert!(report.opens.contains("tidegate.io/skip-pre-delete-hook=true"), "{}", report.opens);
    let addon = world.addon(CLUSTER, ADDON).await;
    assert_eq!(addon["metadata"]["uid"], before);
    let conditions = addon["status"]["conditions"].as_array().unwrap();
    let completed = conditions.iter().find(|c| c["type"] == "HookManifestCompleted").unwrap();
    assert_eq!(completed["message"], "hook manifestWork addon-hello-template-pre-delete is not completed.");
    assert_eq!(world.work(CLUSTER, ADDON).await.unwrap()["metadata"]["uid"], deployed["metadata"]["uid"]);

    world.heal_works();
    until_installed_again(&world, &before).await;
    daemon.until_settled("0.4.0").await;
    assert_eq!(hook(&world).await, None);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_annotation_skips_a_hook_that_does_not_complete() {
    let (world, mut daemon) = stuck().await;
    let before = delete(&world).await;
    eventually("the hook is on the cluster", async || hook(&world).await.is_some()).await;
    let patch = json!({ "metadata": { "annotations": { "tidegate.io/skip-pre-delete-hook": "true" } } });
    requests::patch(&world.client(), &addon_path(CLUSTER, ADDON), &patch).await;
    until_installed_again(&world, &before).await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_leaves_the_template_no_longer_delays_a_deletion() {
    let (world, mut daemon) = stuck().await;
    world.edit("fleet/addons/hello-template/template-0.4.0.yaml", JOB, "manifests:\n");
    eventually("the finalizer is gone", async || {
        let finalizers = world.addon(CLUSTER, ADDON).await["metadata"]["finalizers"].clone();
        finalizers.is_null() || finalizers == json!([])
    })
    .await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}
