//! A workload whose number of replicas an autoscaler takes over: whatever is applied in between, the number never falls.

use serde_json::{Value, json};
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;

use super::application_world::World;
use super::jobs::{repository, world};
use super::spoke::Spoke;

const SCALER: &str = "{type: scaler, properties: {replicas: 5}}";
const HPA: &str = "{type: hpa, properties: {min: 2}}";

fn shop(version: u32, of_replicas: &str) -> String {
    format!(
        "apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {{name: shop, namespace: fleet-addons}}
spec:
  components:
    - {{name: server, type: webservice, properties: {{image: 'example.com/server:{version}'}}, traits: [{of_replicas}]}}
  policies:
    - {{name: fleet, type: placement, properties: {{name: fleet}}}}
"
    )
}

/// A hub and a cluster, with the least number of replicas that the cluster had.
struct Journey {
    world: World,
    spoke: Spoke,
    least: i64,
}

fn server() -> Value {
    json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "namespace": "fleet-addons", "name": "server" } })
}

impl Journey {
    fn new() -> Self {
        Self { world: world(), spoke: Spoke::new(), least: i64::MAX }
    }

    /// Plans and lets the agent work until nothing is written any more, and returns the last report.
    async fn settle(&mut self, application: &str) -> ClusterReport {
        let repository = repository(application);
        let mut quiet = 0;
        let mut reports = Vec::new();
        while quiet < 4 {
            assert!(reports.len() < 20, "the works are written again and again: {:#?}", self.world.works);
            let (report, writes) = self.world.tick(&repository);
            self.spoke.reconcile(&mut self.world.works).await;
            self.least = self.least.min(self.spoke.replicas(&server()).await.unwrap_or(i64::MAX));
            quiet = if writes == 0 { quiet + 1 } else { 0 };
            reports.push(report);
        }
        reports.pop().unwrap()
    }

    /// Returns the number in the manifest of the server in the works of the application.
    fn delivered(&self) -> Option<i64> {
        self.delivered_of("server")
    }

    fn delivered_of(&self, name: &str) -> Option<i64> {
        let is_own = |work: &&Value| work["metadata"]["annotations"]["tidegate.io/unit"] == self.world.unit;
        let works = self.world.works.values().filter(is_own);
        works
            .flat_map(|work| work["spec"]["workload"]["manifests"].as_array().unwrap())
            .filter(|manifest| manifest["kind"] == "Deployment" && manifest["metadata"]["name"] == name)
            .find_map(|manifest| manifest["spec"]["replicas"].as_i64())
    }

    /// Lets the agent report that no replica of a workload is ready.
    fn unready(&mut self, name: &str) {
        for work in self.world.works.values_mut() {
            let manifests = work["status"]["resourceStatus"]["manifests"].as_array_mut().unwrap();
            for report in manifests.iter_mut().filter(|report| report["resourceMeta"]["name"] == name) {
                let values = report["statusFeedback"]["values"].as_array_mut().unwrap();
                values.iter_mut().filter(|value| value["name"] == "ReadyReplicas").for_each(|value| {
                    value["fieldValue"]["integer"] = json!(0);
                });
            }
        }
    }

    async fn live(&self) -> i64 {
        self.spoke.replicas(&server()).await.unwrap()
    }
}

fn assert_done(report: &ClusterReport) {
    assert_eq!(report.state, ClusterState::Succeeded, "{report:#?}");
}

#[tokio::test]
async fn c10_the_number_never_falls_on_the_way_from_a_scaler_to_an_autoscaler() {
    let mut journey = Journey::new();
    assert_done(&journey.settle(&shop(1, SCALER)).await);
    assert_eq!((journey.live().await, journey.delivered()), (5, Some(5)));
    // The autoscaler is not installed yet, or is content with the number.
    for version in 2..5 {
        assert_done(&journey.settle(&shop(version, HPA)).await);
        assert_eq!((journey.live().await, journey.delivered()), (5, Some(5)), "version {version}");
    }
    journey.spoke.scale(&server(), 8).await;
    assert_done(&journey.settle(&shop(4, HPA)).await);
    assert_eq!((journey.live().await, journey.delivered()), (8, None));
    for version in 5..8 {
        assert_done(&journey.settle(&shop(version, HPA)).await);
        assert_eq!(journey.live().await, 8, "version {version}");
    }
    assert_eq!(journey.least, 5);
    journey.spoke.scale(&server(), 2).await;
    assert_done(&journey.settle(&shop(8, HPA)).await);
    assert_eq!((journey.live().await, journey.delivered()), (2, None), "the autoscaler scales down as it likes");
}

#[tokio::test]
async fn an_autoscaler_that_scales_down_before_an_upgrade_is_not_overruled() {
    let mut journey = Journey::new();
    journey.settle(&shop(1, SCALER)).await;
    journey.settle(&shop(2, HPA)).await;
    journey.spoke.scale(&server(), 3).await;
    // The agent applies the work again before it is planned again, and the two numbers conflict.
    journey.spoke.reconcile(&mut journey.world.works).await;
    assert_done(&journey.settle(&shop(3, HPA)).await);
    assert_eq!((journey.live().await, journey.delivered()), (3, None));
}

#[tokio::test]
async fn a_new_workload_with_an_autoscaler_has_no_number() {
    let mut journey = Journey::new();
    assert_done(&journey.settle(&shop(1, HPA)).await);
    assert_eq!((journey.live().await, journey.delivered()), (1, None));
}

/// The application under another name.
fn renamed(application: &str) -> String {
    application.replace("{name: shop,", "{name: store,")
}

#[tokio::test]
async fn c10_the_number_never_falls_when_a_workload_moves_to_another_application() {
    // The autoscaler has not acted yet; or the workload gets it in the commit that moves it.
    for before in [HPA, SCALER] {
        let mut journey = Journey::new();
        assert_done(&journey.settle(&shop(1, SCALER)).await);
        assert_done(&journey.settle(&shop(2, before)).await);
        journey.world.unit = "application/fleet-addons/store";
        assert_done(&journey.settle(&renamed(&shop(3, HPA))).await);
        assert_eq!((journey.live().await, journey.delivered(), journey.least), (5, Some(5), 5), "from {before}");
        journey.spoke.scale(&server(), 7).await;
        assert_done(&journey.settle(&renamed(&shop(4, HPA))).await);
        assert_eq!((journey.live().await, journey.delivered(), journey.least), (7, None, 5));
        // And back, while the autoscaler owns the number.
        journey.world.unit = "application/fleet-addons/shop";
        assert_done(&journey.settle(&shop(5, HPA)).await);
        assert_eq!((journey.live().await, journey.delivered(), journey.least), (7, None, 5));
    }
}

#[tokio::test]
async fn the_way_back_to_a_scaler_is_a_conflict_that_names_the_way_out() {
    let mut journey = Journey::new();
    journey.settle(&shop(1, HPA)).await;
    journey.spoke.scale(&server(), 8).await;
    journey.settle(&shop(1, HPA)).await;
    let report = journey.settle(&shop(2, SCALER)).await;
    assert_ne!(report.state, ClusterState::Succeeded);
    assert_eq!(journey.live().await, 8, "nothing is forced");
    let text = format!("{report:?}");
    assert!(text.contains("has a number of replicas that kube-controller-manager has set"), "{text}");
    // The same number is no conflict.
    let same = SCALER.replace('5', "8");
    assert_done(&journey.settle(&shop(3, &same)).await);
}

/// The application with a database that comes first.
fn ordered(database: u32, of_replicas: &str) -> String {
    let image = format!("example.com/database:{database}");
    let first = format!("    - {{name: database, type: worker, properties: {{image: '{image}'}}}}\n  policies:");
    shop(1, of_replicas).replace("  policies:", &first).replace("traits: [", "dependsOn: [database], traits: [")
}

#[tokio::test]
async fn an_autoscaler_may_take_over_while_its_workload_waits_for_its_turn() {
    let mut journey = Journey::new();
    assert_done(&journey.settle(&ordered(1, SCALER)).await);
    assert_done(&journey.settle(&ordered(1, HPA)).await);
    assert_eq!(journey.delivered(), Some(5));
    journey.spoke.scale(&server(), 8).await;
    let next = repository(&ordered(2, HPA));
    for _ in 0..4 {
        let (report, _) = journey.world.tick(&next);
        assert_eq!(report.state, ClusterState::Progressing, "{report:#?}");
        journey.spoke.reconcile(&mut journey.world.works).await;
        journey.unready("database");
    }
    assert_eq!((journey.live().await, journey.delivered()), (8, None));
    assert_done(&journey.settle(&ordered(2, HPA)).await);
    assert_eq!((journey.live().await, journey.least), (8, 5));
}

fn with_policy(application: &str, policy: &str) -> String {
    format!("{application}    - {{name: own, {policy}}}\n")
}

const TAKE_OVER: &str = "type: take-over, properties: {rules: [{selector: {resourceTypes: [Deployment]}}]}";

#[tokio::test]
async fn the_way_back_to_a_scaler_is_a_take_over() {
    let mut journey = Journey::new();
    journey.settle(&shop(1, HPA)).await;
    journey.spoke.scale(&server(), 8).await;
    journey.settle(&shop(1, HPA)).await;
    assert_done(&journey.settle(&with_policy(&shop(2, SCALER), TAKE_OVER)).await);
    assert_eq!((journey.live().await, journey.delivered()), (5, Some(5)));
    // And forth again.
    journey.least = i64::MAX;
    assert_done(&journey.settle(&shop(3, HPA)).await);
    assert_eq!((journey.live().await, journey.delivered(), journey.least), (5, Some(5), 5));
}

#[tokio::test]
async fn a_number_that_is_applied_once_is_left_to_who_scales() {
    let rule = "{selector: {resourceTypes: [Deployment]}, strategy: {path: [spec.replicas]}}";
    let policy = format!("type: apply-once, properties: {{enable: true, rules: [{rule}]}}");
    let once =
        |version: u32, replicas: u32| with_policy(&shop(version, &SCALER.replace('5', &replicas.to_string())), &policy);
    let mut journey = Journey::new();
    assert_done(&journey.settle(&once(1, 3)).await);
    assert_eq!((journey.live().await, journey.delivered()), (3, Some(3)));
    assert_done(&journey.settle(&once(2, 4)).await);
    assert_eq!((journey.live().await, journey.delivered()), (3, Some(3)), "the number was applied once");
    journey.spoke.scale(&server(), 7).await;
    for version in 3..6 {
        assert_done(&journey.settle(&once(version, 4)).await);
        assert_eq!((journey.live().await, journey.delivered()), (7, None), "version {version}");
    }
}

#[tokio::test]
async fn a_workload_that_the_agent_does_not_keep_may_have_another_number() {
    let once = "type: apply-once, properties: {enable: true, rules: [{selector: {resourceTypes: [Deployment]}, strategy: {path: ['*']}}]}";
    let mut journey = Journey::new();
    assert_done(&journey.settle(&with_policy(&shop(1, SCALER), once)).await);
    journey.spoke.scale(&server(), 2).await;
    assert_done(&journey.settle(&with_policy(&shop(2, SCALER), once)).await);
    assert_eq!((journey.live().await, journey.delivered()), (2, Some(5)), "it is created once, and never changed");
}

/// Lets the agent report another number of replicas of the server than there is.
fn lie(journey: &mut Journey, replicas: i64) {
    for work in journey.world.works.values_mut() {
        for report in work["status"]["resourceStatus"]["manifests"].as_array_mut().unwrap() {
            for value in report["statusFeedback"]["values"].as_array_mut().unwrap() {
                let name = value["name"].as_str().unwrap();
                if name.ends_with("Replicas") {
                    value["fieldValue"]["integer"] = json!(replicas);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_cluster_that_reports_another_number_than_the_manifest_is_not_done() {
    for other in [1, 7] {
        let mut journey = Journey::new();
        assert_done(&journey.settle(&shop(1, SCALER)).await);
        let next = repository(&shop(2, SCALER));
        for _ in 0..3 {
            let (report, _) = journey.world.tick(&next);
            assert_eq!(report.state, ClusterState::Progressing, "{report:#?}");
            journey.spoke.reconcile(&mut journey.world.works).await;
            lie(&mut journey, other);
        }
        let (report, _) = journey.world.tick(&next);
        assert_eq!(report.state, ClusterState::Progressing, "{report:#?}");
        let text = format!("{report:?}");
        let why = "Deployment fleet-addons/server (image example.com/server:2) has another number of replicas on the cluster than in its manifest; scale it back";
        assert!(text.contains(why) && text.contains(&format!("{other} and 5")), "{text}");
        assert_done(&journey.settle(&shop(2, SCALER)).await);
    }
}

#[tokio::test]
async fn a_workload_that_people_scaled_to_zero_is_done_if_the_agent_does_not_keep_its_number() {
    let once = "type: apply-once, properties: {enable: true, rules: [{selector: {resourceTypes: [Deployment]}, strategy: {path: ['*']}}]}";
    let mut journey = Journey::new();
    assert_done(&journey.settle(&with_policy(&shop(1, SCALER), once)).await);
    journey.spoke.scale(&server(), 0).await;
    assert_done(&journey.settle(&with_policy(&shop(2, SCALER), once)).await);
    assert_eq!(journey.live().await, 0);
}

#[tokio::test]
async fn without_the_kept_number_the_workload_would_fall_to_one_replica() {
    // What the other tests rely on: this API server removes a field that its only owner leaves out.
    let mut journey = Journey::new();
    journey.settle(&shop(1, SCALER)).await;
    for work in journey.world.works.values_mut() {
        for manifest in work["spec"]["workload"]["manifests"].as_array_mut().unwrap() {
            manifest["spec"].as_object_mut().unwrap().remove("replicas");
        }
    }
    journey.spoke.reconcile(&mut journey.world.works).await;
    assert_eq!(journey.live().await, 1);
}
