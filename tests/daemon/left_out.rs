//! Rollouts that end without some clusters: those in quarantine, and those that are parked. The audit accepts the record of each.

use serde_json::json;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::{ClusterState, Phase};

use super::world::{World, eventually, requests};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const CLUSTER: &str = "gcp-005";

/// Upgrades 20 clusters while the rollout may end without one, and returns what the journal says of it.
async fn upgrade_without(world: &World, left_out: (ClusterState, &str)) -> String {
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("a tick", |s| s.tick > 0 && s.writes == 0).await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_done = |s: &Snapshot| {
        let addon = &s.report.addons["hello-template"];
        addon.version == "0.4.1" && addon.phase == Phase::Completed && s.writes == 0
    };
    let done = daemon.until("the end of the rollout", is_done).await;
    let addon = &done.report.addons["hello-template"];
    let cluster = &addon.clusters[CLUSTER];
    assert_eq!((addon.counts().succeeded, cluster.state), (19, left_out.0));
    assert!(cluster.left_out.as_ref().is_some_and(|why| why.contains(left_out.1)), "{:?}", cluster.left_out);
    world.until_sealed_of("hello-template", 2).await;
    daemon.end().await;
    world.read("tidegate/journal", "addons/hello-template/rollouts/2.yaml")
}

fn quarantine(mode: &str) -> (String, Option<Vec<u8>>) {
    let text = format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: Control\nquarantine: [{{clusters: [{CLUSTER}], mode: {mode}, reason: disks}}]\n"
    );
    ("control/hello-template.yaml".to_owned(), Some(text.into_bytes()))
}

#[tokio::test(start_paused = true)]
async fn first_use_a1_a_quarantine_that_excludes_is_no_tampering() {
    let world = World::settled(20).await;
    world.commit("quarantine", [quarantine("Exclude")].into());
    let sealed = upgrade_without(&world, (ClusterState::Waiting, "in quarantine")).await;
    assert!(sealed.contains("leftOut: \"in quarantine by control/hello-template.yaml: disks\""), "{sealed}");
}

#[tokio::test(start_paused = true)]
async fn incident_d6_a_quarantine_that_ignores_a_failing_cluster_is_no_tampering() {
    let world = World::settled(20).await;
    world.commit("quarantine", [quarantine("Ignore")].into());
    world.break_works_on(CLUSTER);
    upgrade_without(&world, (ClusterState::Progressing, "in quarantine")).await;
}

#[tokio::test(start_paused = true)]
async fn incident_d6_a_parked_cluster_is_no_tampering() {
    let world = World::settled(20).await;
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: parking}\nspec:\n  \
                  selector: {addOns: [hello-template]}\n  unreachable: {action: Park}\n";
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy.as_bytes().to_vec()))].into());
    let path = format!("/apis/cluster.open-cluster-management.io/v1/managedclusters/{CLUSTER}");
    let mut cluster = requests::get(&world.client(), &path).await.unwrap();
    for condition in cluster["status"]["conditions"].as_array_mut().unwrap() {
        if condition["type"] == "ManagedClusterConditionAvailable" {
            condition["status"] = json!("Unknown");
        }
    }
    let status = json!({ "status": { "conditions": cluster["status"]["conditions"] } });
    requests::patch(&world.client(), &format!("{path}/status"), &status).await;
    upgrade_without(&world, (ClusterState::Waiting, "unreachable")).await;
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_returns_from_quarantine_gets_a_rollout_of_its_own() {
    let world = World::settled(20).await;
    world.commit("quarantine", [quarantine("Exclude")].into());
    upgrade_without(&world, (ClusterState::Waiting, "in quarantine")).await;
    let mut daemon = world.daemon("mirror.git").await;
    world.commit("release", [("control/hello-template.yaml".to_owned(), None)].into());
    daemon.until_settled("0.4.1").await;
    let upgraded =
        async || world.work(CLUSTER, "hello-template").await.is_some_and(|work| work.to_string().contains("v0.4.1"));
    eventually("the cluster has the version, too", upgraded).await;
    daemon
        .until("nothing is left out", |s| {
            s.report.addons["hello-template"].clusters.values().all(|cluster| cluster.left_out.is_none())
        })
        .await;
    world.until_sealed_of("hello-template", 3).await;
    daemon.end().await;
}
