//! Replicas that are replaced in batches by their partition: the daemon lowers it batch by batch, and reports how far a cluster is.

use serde_json::Value;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::report::ClusterReport;

use super::world::World;

const NAME: &str = "application/fleet-addons/store";
const CLUSTER: &str = "gcp-001";

fn application(version: u8) -> Option<Vec<u8>> {
    let text = format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {{name: store, namespace: fleet-addons}}
spec:
  components:
    - name: store
      type: statefulset
      properties: {{image: 'example.com/store:{version}'}}
      traits:
        - type: rollout
          properties: {{targetSize: 4, rolloutBatches: [{{replicas: 25%}}, {{replicas: 25%}}, {{replicas: 50%}}]}}
  policies:
    - name: one
      type: topology
      properties: {{clusters: [{CLUSTER}]}}
"
    );
    Some(text.into_bytes())
}

fn on_cluster(s: &Snapshot) -> Option<&ClusterReport> {
    let mut clusters = s.report.addon(NAME)?.clusters.iter();
    clusters.find(|(name, _)| name.as_str() == CLUSTER).map(|(_, cluster)| cluster)
}

/// Returns the version and the partition on the cluster, as the hub has them.
async fn delivered(world: &World) -> (String, i64) {
    let path = format!("/apis/work.open-cluster-management.io/v1/namespaces/{CLUSTER}/manifestworks");
    let request = axum::http::Request::get(path).body(Vec::new()).unwrap();
    let list: Value = world.client().request(request).await.unwrap();
    let works = list["items"].as_array().unwrap().iter();
    let mut manifests = works.flat_map(|work| work["spec"]["workload"]["manifests"].as_array().unwrap());
    let set = manifests.find(|manifest| manifest["metadata"]["name"] == "store").unwrap();
    let image = set["spec"]["template"]["spec"]["containers"][0]["image"].as_str().unwrap();
    let version = image.rsplit_once(':').map(|(_, version)| version.to_owned()).unwrap();
    (version, set["spec"]["updateStrategy"]["rollingUpdate"]["partition"].as_i64().unwrap())
}

#[tokio::test(start_paused = true)]
async fn c5_c20_a_partition_falls_batch_by_batch_and_the_cluster_is_done_after_the_last_one() {
    let world = World::settled(14).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let settings = format!("{}\n[applications]\nenabled = true\n", world.read("main", "tidegate.toml"));
    let files =
        [("fleet/store.yaml".to_owned(), application(1)), ("tidegate.toml".to_owned(), Some(settings.into_bytes()))];
    world.commit("store", files.into());
    let is_done = |s: &Snapshot| {
        s.writes == 0
            && s.report.addon(NAME).is_some_and(|store| store.phase == Phase::Completed)
            && on_cluster(s).is_some_and(|cluster| cluster.state == ClusterState::Succeeded)
    };
    let first = daemon.until("the first version", is_done).await;
    assert_eq!(delivered(&world).await, ("1".to_owned(), 0));

    // No replica of the next version becomes ready.
    world.break_works_with("example.com/store:2");
    world.commit("version 2", [("fleet/store.yaml".to_owned(), application(2))].into());
    let waits =
        "batch 2/3 of component store waits for batch 1: 0 of 4 replicas of statefulsets fleet-addons/store are ready";
    let seen = daemon.until("the first batch", |s| on_cluster(s).is_some_and(|cluster| cluster.reason == waits)).await;
    assert_eq!(on_cluster(&seen).unwrap().state, ClusterState::Progressing);
    assert_eq!(delivered(&world).await, ("2".to_owned(), 3));
    world.until_journal("applications/fleet-addons/store/clusters.yaml", "batch 2/3 of component store").await;

    world.heal_works();
    let is_next =
        |s: &Snapshot| is_done(s) && on_cluster(s).map(|it| &it.hash) != on_cluster(&first).map(|it| &it.hash);
    daemon.until("the second version", is_next).await;
    assert_eq!(delivered(&world).await, ("2".to_owned(), 0));
    daemon.end().await;
}
