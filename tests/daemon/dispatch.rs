//! KubeVela's example of a rollout with Open Cluster Management: the daemon delivers what its steps dispatch, and reports the batches.

use axum::http::Request;
use serde_json::{Value, json};
use tidegate_api::key::UNIT;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::report::ClusterReport;

use super::world::World;

const NAME: &str = "application/default/workflow-rollout-demo";
const CLUSTER: &str = "gcp-001";

const APPLICATION: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: workflow-rollout-demo
  namespace: default
spec:
  components:
    - name: nginx-server
      externalRevision: nginx-server-v1
      type: webservice
      properties:
        image: nginx:1.20.0
        port: 80
      traits:
        - type: rollout
          properties:
            targetRevision: nginx-server-v1
            targetSize: 2
            rolloutBatches:
              - replicas: 1
              - replicas: 1

  workflow:
    steps:
      - name: dispatch-comp-rev-v1
        type: dispatch-comp-rev
        properties:
           compRev: nginx-server-v1
           cluster: gcp-001

      - name: dispatchRollout
        type: dispatch-traits
        properties:
          component: nginx-server
          cluster: gcp-001
";

const BINDING: &str = "\
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: fleet, namespace: default}
spec: {clusterSet: fleet}
";

fn on_cluster(s: &Snapshot) -> Option<&ClusterReport> {
    let mut clusters = s.report.addon(NAME)?.clusters.iter();
    clusters.find(|(name, _)| name.as_str() == CLUSTER).map(|(_, cluster)| cluster)
}

/// Returns the works of the application, as the hub has them.
async fn works(world: &World) -> Vec<Value> {
    let request = Request::get("/apis/work.open-cluster-management.io/v1/manifestworks").body(Vec::new()).unwrap();
    let list: Value = world.client().request(request).await.unwrap();
    let works = list["items"].as_array().cloned().unwrap_or_default();
    works.into_iter().filter(|work| work["metadata"]["annotations"][UNIT] == NAME).collect()
}

fn kinds(work: &Value) -> Vec<String> {
    let manifests = work["spec"]["workload"]["manifests"].as_array().unwrap().iter();
    manifests.map(|object| format!("{} {}", object["kind"], object["metadata"]["name"]).replace('"', "")).collect()
}

#[tokio::test(start_paused = true)]
async fn c5_c20_batches_on_a_cluster_are_reported_and_it_is_done_after_the_last_one() {
    let world = World::settled(14).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    // The Rollout stays in its first batch.
    world.break_works_with("nginx-server");
    let settings = "\n[applications]\nenabled = true\nrollout = \"standard.oam.dev\"\n";
    let settings = format!("{}{settings}", world.read("main", "tidegate.toml"));
    let files = [("fleet/demo.yaml", APPLICATION), ("fleet/default.yaml", BINDING), ("tidegate.toml", &settings)];
    world.commit("demo", files.map(|(path, text)| (path.to_owned(), Some(text.as_bytes().to_vec()))).into());
    let batch = "batch 1/2, 0 of 2 replicas (0 %)";
    let is_under_way = |s: &Snapshot| on_cluster(s).is_some_and(|cluster| cluster.reason.contains(batch));
    let seen = daemon.until("the first batch", is_under_way).await;
    assert_eq!(on_cluster(&seen).unwrap().state, ClusterState::Progressing);
    world.until_journal("applications/default/workflow-rollout-demo/clusters.yaml", batch).await;

    world.heal_works();
    let is_done = |s: &Snapshot| {
        s.writes == 0
            && s.report.addon(NAME).is_some_and(|demo| demo.phase == Phase::Completed)
            && on_cluster(s).is_some_and(|cluster| cluster.state == ClusterState::Succeeded)
    };
    daemon.until("the end", is_done).await;
    let first = works(&world).await;
    assert_eq!(first.len(), 1, "{first:#?}");
    assert_eq!(kinds(&first[0]), ["ControllerRevision nginx-server-v1", "Rollout nginx-server"]);
    let orphans = &first[0]["spec"]["deleteOption"]["selectivelyOrphans"]["orphaningRules"];
    assert_eq!(
        *orphans,
        json!([{ "group": "apps", "resource": "controllerrevisions", "namespace": "default", "name": "nginx-server-v1" }])
    );

    let second = APPLICATION.replace("nginx-server-v1", "nginx-server-v2").replace("nginx:1.20.0", "nginx:1.21.0");
    world.commit("v2", [("fleet/demo.yaml".to_owned(), Some(second.into_bytes()))].into());
    let has_second =
        |s: &Snapshot| is_done(s) && on_cluster(s).map(|it| &it.hash) != on_cluster(&seen).map(|it| &it.hash);
    daemon.until("the second revision", has_second).await;
    // An object stays at its place in a work.
    assert_eq!(kinds(&works(&world).await[0]), ["Rollout nginx-server", "ControllerRevision nginx-server-v2"]);
    world.commit("no demo", [("fleet/demo.yaml".to_owned(), None)].into());
    daemon.until("the removal", |s| s.report.addon(NAME).is_none() && s.writes == 0).await;
    daemon.end().await;
    assert_eq!(works(&world).await, [] as [Value; 0]);
}
