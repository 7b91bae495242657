//! The life of an application by commits alone: it is defined, deployed, tried on canaries, rolled back, and reverted.

use serde_json::Value;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::Phase;

use super::world::World;

const NAME: &str = "application/fleet-addons/web";
const FILE: &str = "fleet/web.yaml";
const CLUSTERS: usize = 20;
const CANARIES: usize = 10;

fn web(version: &str) -> (String, Option<Vec<u8>>) {
    let text = format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: web
  namespace: fleet-addons
  annotations:
    app.oam.dev/publishVersion: {version}
spec:
  components:
    - name: server
      type: webservice
      properties:
        image: example.com/web:{version}
  policies:
    - name: fleet
      type: placement
      properties:
        name: fleet
        rolloutStrategy:
          type: Progressive
          progressive:
            progressDeadline: 1m
            mandatoryDecisionGroups: [{{groupName: canary}}]
"
    );
    (FILE.to_owned(), Some(text.into_bytes()))
}

fn policy() -> (String, Option<Vec<u8>>) {
    let policy = format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: safety}}\nspec:\n  \
         selector: {{addOns: [\"{NAME}\"]}}\n  onFailure: {{action: Rollback}}\n"
    );
    ("fleet/policy.yaml".to_owned(), Some(policy.into_bytes()))
}

fn is_done(version: &str) -> impl Fn(&Snapshot) -> bool {
    move |s: &Snapshot| {
        let Some(web) = s.report.addon(NAME) else { return false };
        let is_there = web.clusters.values().filter(|cluster| cluster.version == version).count() == CLUSTERS;
        s.writes == 0 && web.phase == Phase::Completed && is_there && web.counts().succeeded == CLUSTERS
    }
}

/// Returns the clusters whose work has the image of a version.
async fn with_image(world: &World, version: &str) -> Vec<String> {
    let works = world.list("work.open-cluster-management.io/v1", "manifestworks").await;
    let image = Value::from(format!("example.com/web:{version}"));
    let has_image = |work: &&Value| {
        let manifests = work["spec"]["workload"]["manifests"].as_array().into_iter().flatten();
        manifests.into_iter().any(|it| it.pointer("/spec/template/spec/containers/0/image") == Some(&image))
    };
    let cluster = |work: &Value| work["metadata"]["namespace"].as_str().unwrap().to_owned();
    works.iter().filter(has_image).map(cluster).collect()
}

#[tokio::test(start_paused = true)]
async fn c1_an_application_is_deployed_tried_on_canaries_rolled_back_and_reverted_by_commits() {
    let world = World::settled(CLUSTERS).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let settings = format!("{}\n[applications]\nenabled = true\n", world.read("main", "tidegate.toml"));
    let settings = ("tidegate.toml".to_owned(), Some(settings.into_bytes()));
    world.commit("web 1.4.0", [web("1.4.0"), settings, policy()].into());
    daemon.until("the installation", is_done("1.4.0")).await;

    // The next version does not work: only canaries get it, and they go back by themselves.
    world.break_works_with("web:1.5.0");
    world.commit("web 1.5.0", [web("1.5.0")].into());
    daemon.until("the canaries", |s| s.report.addon(NAME).is_some_and(|web| web.counts().progressing > 0)).await;
    let tried = with_image(&world, "1.5.0").await;
    assert!(!tried.is_empty() && tried.len() <= CANARIES, "{tried:?}");
    daemon.until("the rejection", |s| s.report.addon(NAME).is_some_and(|web| web.rejected.is_some())).await;
    let new = with_image(&world, "1.5.0").await;
    assert!(new.len() <= CANARIES && new.iter().all(|cluster| tried.contains(cluster)), "{new:?}");
    assert_eq!(with_image(&world, "1.4.0").await.len(), CLUSTERS - new.len());
    daemon.until("the way back", is_done("1.4.0")).await;
    assert_eq!(with_image(&world, "1.5.0").await, [""; 0]);

    // A fixed version is deployed, and taken back by a person with another commit.
    world.commit("web 1.6.0", [web("1.6.0")].into());
    daemon.until("the upgrade", is_done("1.6.0")).await;
    world.commit("Revert \"web 1.6.0\"", [web("1.4.0")].into());
    daemon.until("the revert", is_done("1.4.0")).await;
    world.until_journal("applications/fleet-addons/web/status.yaml", "web@1.4.0").await;
    daemon.end().await;
    assert_eq!(with_image(&world, "1.4.0").await.len(), CLUSTERS);
}
