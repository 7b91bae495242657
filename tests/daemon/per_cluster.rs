//! An application whose definition reads `context.cluster`, on a hub whose clusters change their claims.

use axum::http::Request;
use serde_json::{Value, json};
use tidegate_api::key::{ASSIGNMENT, UNIT};
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::Phase;

use super::world::{Running, World, requests};

const NAME: &str = "application/fleet-addons/place";
const CONTROL: &str = "control/applications/fleet-addons/place.yaml";
const PAUSE: &str = "apiVersion: tidegate.io/v1alpha1\nkind: Control\npause: {reason: holidays}\n";
const CLUSTERS: usize = 14;

const PLACE: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: ComponentDefinition
metadata: {name: place, namespace: vela-system}
spec:
  schematic:
    tidegate:
      objects:
        - name: place
          template:
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: '${context.name}'}
            data: {tier: \"${context.cluster.claims.?zone.orValue('none')}\"}
---
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: place, namespace: fleet-addons}
spec:
  components: [{name: place, type: place}]
  policies:
    - name: fleet
      type: placement
      properties:
        name: fleet
        rolloutStrategy: {type: Progressive, progressive: {maxConcurrency: 3}}
";

fn is_done(s: &Snapshot) -> bool {
    let Some(place) = s.report.addon(NAME) else { return false };
    s.writes == 0 && place.phase == Phase::Completed && place.counts().succeeded == CLUSTERS
}

/// Returns the cluster, the tier and the generation of each work, in order.
async fn works(world: &World) -> Vec<(String, String, i64)> {
    let request = Request::get("/apis/work.open-cluster-management.io/v1/manifestworks").body(Vec::new()).unwrap();
    let list: Value = world.client().request(request).await.unwrap();
    let works = list["items"].as_array().cloned().unwrap_or_default();
    let works = works.into_iter().filter(|work| work["metadata"]["annotations"][UNIT] == NAME);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let known = works.map(|work| {
        assert!(work["metadata"]["annotations"][ASSIGNMENT].is_string());
        let tier = &work["spec"]["workload"]["manifests"][0]["data"]["tier"];
        (text(&work["metadata"]["namespace"]), text(tier), work["metadata"]["generation"].as_i64().unwrap())
    });
    let mut known: Vec<_> = known.collect();
    known.sort();
    known
}

/// Reports a claim as the agent of a cluster does.
async fn claim(world: &World, cluster: &str, name: &str, value: &str) {
    let clusters = "/apis/cluster.open-cluster-management.io/v1/managedclusters";
    let claims = json!({ "status": { "clusterClaims": [{ "name": name, "value": value }] } });
    requests::patch(&world.client(), &format!("{clusters}/{cluster}/status?fieldManager=agent"), &claims).await;
}

async fn installed(world: &World, daemon: &mut Running) -> Vec<(String, String, i64)> {
    daemon.until_settled("0.4.0").await;
    let settings = format!("{}\n[applications]\nenabled = true\n", world.read("main", "tidegate.toml")).into_bytes();
    let place = Some(PLACE.as_bytes().to_vec());
    world
        .commit("place", [("fleet/place.yaml".to_owned(), place), ("tidegate.toml".to_owned(), Some(settings))].into());
    daemon.until("the installation", is_done).await;
    works(world).await
}

#[tokio::test(start_paused = true)]
async fn c2_a_changed_claim_that_a_definition_reads_is_rolled_out_behind_the_gates_to_its_cluster_alone() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    let before = installed(&world, &mut daemon).await;
    assert_eq!(before.len(), CLUSTERS);
    assert!(before.iter().all(|(_, tier, _)| tier == "none"), "{before:?}");
    let changed = before[5].0.clone();
    // While the rollout is paused, the cluster waits with what it has.
    let pause = world.commit("pause", [(CONTROL.to_owned(), Some(PAUSE.as_bytes().to_vec()))].into());
    let is_seen = |s: &Snapshot| s.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == pause);
    daemon.until("the commit", is_seen).await;
    claim(&world, &before[2].0, "colour", "blue").await;
    claim(&world, &changed, "zone", "gold").await;
    let cluster: ClusterName = changed.parse().unwrap();
    let waits = |s: &Snapshot| {
        let place = s.report.addon(NAME).and_then(|place| place.clusters.get(&cluster));
        s.writes == 0 && place.is_some_and(|place| place.reason.contains("holidays"))
    };
    daemon.until("the pause", waits).await;
    assert_eq!(works(&world).await, before);
    world.commit("resume", [(CONTROL.to_owned(), None)].into());
    daemon.until("the change", is_done).await;
    let after = works(&world).await;
    let others =
        |works: &[(String, String, i64)]| works.iter().filter(|work| work.0 != changed).cloned().collect::<Vec<_>>();
    assert_eq!(others(&after), others(&before));
    assert_eq!((after[5].1.as_str(), after[5].2), ("gold", before[5].2 + 1));
    daemon.end().await;
}
