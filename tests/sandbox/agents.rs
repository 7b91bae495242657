//! Simulated agents, with paused time.

use std::time::Duration;

use serde_json::{Value, json};
use tidegate_sandbox::Sandbox;
use tidegate_sandbox::agents::{Agents, Clusters, Delay, Outcome, Partition, Rule, Script};
use tidegate_sandbox::fleet::{FleetSpec, clusters};
use tokio_util::sync::CancellationToken;

use super::support::*;

fn at_once() -> Script {
    let second = Duration::from_secs(1);
    Script { delay: Delay::Uniform(second, second), ..Script::default() }
}

pub(super) fn rule(cluster: &str, containing: Option<&str>, outcome: Outcome) -> Rule {
    Rule { containing: containing.map(str::to_owned), ..Rule::named(vec![cluster.to_owned()], outcome) }
}

fn work(cluster: &str, image: &str) -> Value {
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web", "namespace": "shop" },
        "spec": { "replicas": 2, "template": { "spec": { "containers": [{ "name": "web", "image": image }] } } },
    });
    let map = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "x", "namespace": "shop" } });
    let config = json!({
        "resourceIdentifier": { "group": "apps", "resource": "deployments", "name": "*", "namespace": "shop" },
        "feedbackRules": [{ "type": "WellKnownStatus" }],
    });
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": { "name": "w", "namespace": cluster },
        "spec": { "workload": { "manifests": [deployment, map] }, "manifestConfigs": [config] },
    })
}

fn path(cluster: &str) -> String {
    format!("/apis/work.open-cluster-management.io/v1/namespaces/{cluster}/manifestworks/w")
}

/// Starts a hub with agents, and with a work on some clusters.
async fn with_agents(script: Script, on: &[&str]) -> (Sandbox, Agents, tokio::task::JoinHandle<()>, CancellationToken) {
    let hub = hub();
    hub.seed(clusters(&FleetSpec { clusters: 6, ..FleetSpec::default() })).unwrap();
    hub.seed(on.iter().map(|cluster| work(cluster, "img:1"))).unwrap();
    let (agents, stop) = (Agents::new(script), CancellationToken::new());
    let running = tokio::spawn({
        let (agents, hub, stop) = (agents.clone(), hub.clone(), stop.clone());
        async move { agents.run(hub, stop).await }
    });
    (hub, agents, running, stop)
}

async fn read(hub: &Sandbox, cluster: &str) -> Answer {
    get(hub, &path(cluster)).await
}

async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

fn condition<'a>(conditions: &'a Value, type_: &str) -> &'a Value {
    conditions.as_array().unwrap().iter().find(|condition| condition["type"] == json!(type_)).unwrap()
}

fn feedback(work: &Answer) -> Vec<(String, i64)> {
    let values =
        work.body.pointer("/status/resourceStatus/manifests/0/statusFeedback/values").and_then(Value::as_array);
    let value =
        |value: &Value| (value["name"].as_str().unwrap().to_owned(), value["fieldValue"]["integer"].as_i64().unwrap());
    values.into_iter().flatten().map(value).collect()
}

#[tokio::test(start_paused = true)]
async fn a_work_gets_an_agents_report_after_the_delay() {
    let (hub, ..) = with_agents(at_once(), &["aws-001"]).await;
    assert_eq!(read(&hub, "aws-001").await.body.get("status"), None);
    pass(2).await;
    let answered = read(&hub, "aws-001").await;
    let status = &answered.body["status"];
    let facts = |condition: &Value| {
        let text = |name: &str| condition[name].as_str().unwrap_or_default().to_owned();
        (text("status"), text("reason"), text("message"), condition["observedGeneration"].clone())
    };
    let expect = |status: &str, reason: &str, message: &str, generation: Value| {
        (status.to_owned(), reason.to_owned(), message.to_owned(), generation)
    };
    let applied = expect("True", "AppliedManifestWorkComplete", "Apply manifest work complete", json!(1));
    assert_eq!(facts(condition(&status["conditions"], "Applied")), applied);
    let available = expect("True", "ResourcesAvailable", "All resources are available", json!(1));
    assert_eq!(facts(condition(&status["conditions"], "Available")), available);
    let manifests = &status["resourceStatus"]["manifests"];
    let meta = json!({
        "ordinal": 0, "group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments",
        "name": "web", "namespace": "shop",
    });
    assert_eq!(manifests[0]["resourceMeta"], meta);
    let applied = expect("True", "AppliedManifestComplete", "Apply manifest complete", json!(1));
    assert_eq!(facts(condition(&manifests[1]["conditions"], "Applied")), applied);
    let available = expect("True", "ResourceAvailable", "Resource is available", Value::Null);
    assert_eq!(facts(condition(&manifests[1]["conditions"], "Available")), available);
    let three = [("ReadyReplicas", 2), ("Replicas", 2), ("AvailableReplicas", 2)];
    assert_eq!(feedback(&answered), three.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(manifests[1].get("statusFeedback"), None);
}

#[tokio::test(start_paused = true)]
async fn a_reported_work_is_not_written_again() {
    let (hub, ..) = with_agents(at_once(), &["aws-001"]).await;
    pass(2).await;
    let answered = read(&hub, "aws-001").await.body;
    pass(600).await;
    assert_eq!(read(&hub, "aws-001").await.body, answered);
}

#[tokio::test(start_paused = true)]
async fn a_rule_for_one_image_fails_only_the_upgrade_to_it() {
    let script = Script { rules: vec![rule("aws-*", Some("img:2"), Outcome::Unhealthy)], ..at_once() };
    let (hub, ..) = with_agents(script, &["aws-001", "gcp-001"]).await;
    pass(2).await;
    assert_eq!(feedback(&read(&hub, "aws-001").await).len(), 3);
    for cluster in ["aws-001", "gcp-001"] {
        let spec = work(cluster, "img:2")["spec"].clone();
        ask(&hub, "PATCH merge", &path(cluster), json!({ "spec": spec })).await;
    }
    pass(2).await;
    let failed = read(&hub, "aws-001").await;
    assert_eq!(feedback(&failed), [("Replicas".to_owned(), 2)]);
    let conditions = &failed.body["status"]["conditions"];
    for type_ in ["Applied", "Available"] {
        assert_eq!(condition(conditions, type_)["status"], json!("True"));
        assert_eq!(condition(conditions, type_)["observedGeneration"], json!(2));
    }
    assert_eq!(feedback(&read(&hub, "gcp-001").await).len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_rejects_a_work_reports_that() {
    let script = Script { rules: vec![rule("aws-001", None, Outcome::NotApplied)], ..at_once() };
    let (hub, ..) = with_agents(script, &["aws-001"]).await;
    pass(2).await;
    let status = read(&hub, "aws-001").await.body["status"].clone();
    let applied = condition(&status["conditions"], "Applied");
    assert_eq!((&applied["status"], &applied["reason"]), (&json!("False"), &json!("AppliedManifestWorkFailed")));
    let available = condition(&status["conditions"], "Available");
    assert_eq!(available["message"], json!("2 of 2 resources are not available"));
}

#[tokio::test(start_paused = true)]
async fn a_silent_cluster_reports_after_the_script_changes() {
    let script = Script { rules: vec![rule("aws-001", None, Outcome::Silent)], ..at_once() };
    let (hub, agents, ..) = with_agents(script, &["aws-001"]).await;
    pass(3600).await;
    assert_eq!(read(&hub, "aws-001").await.body.get("status"), None);
    agents.set_script(at_once());
    pass(2).await;
    assert!(read(&hub, "aws-001").await.body.get("status").is_some());
}

#[tokio::test(start_paused = true)]
async fn a_new_script_changes_only_the_reports_that_differ() {
    let (hub, agents, ..) = with_agents(at_once(), &["aws-001", "gcp-001"]).await;
    pass(2).await;
    let untouched = read(&hub, "gcp-001").await.body;
    agents.set_script(Script { rules: vec![rule("aws-001", None, Outcome::Unhealthy)], ..at_once() });
    pass(2).await;
    assert_eq!(feedback(&read(&hub, "aws-001").await).len(), 1);
    assert_eq!(read(&hub, "gcp-001").await.body, untouched);
}

#[tokio::test(start_paused = true)]
async fn a_deleted_work_gets_no_report() {
    let (hub, ..) = with_agents(at_once(), &["aws-001"]).await;
    ask(&hub, "DELETE", &path("aws-001"), Value::Null).await;
    pass(2).await;
    assert_eq!(read(&hub, "aws-001").await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn agents_stop_when_cancelled() {
    let (_hub, _agents, running, stop) = with_agents(at_once(), &[]).await;
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn agents_are_idle_if_the_hub_does_not_serve_works() {
    let hub = Sandbox::new(&[], || "2026-08-11T12:00:00Z".parse().unwrap());
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let stop = stop.clone();
        let hub = hub.clone();
        async move { Agents::new(at_once()).run(hub, stop).await }
    });
    pass(3600).await;
    assert!(!running.is_finished(), "they wait until they are stopped");
    let answer = hub.client().list_api_groups().await.unwrap();
    assert!(answer.groups.iter().all(|group| group.name != "work.open-cluster-management.io"), "{answer:?}");
    stop.cancel();
    running.await.unwrap();
}

/// Returns `true` if the agent of a cluster has reported that the add-on is ready.
async fn is_ready(hub: &Sandbox, cluster: &str) -> bool {
    feedback(&read(hub, cluster).await).contains(&("ReadyReplicas".to_owned(), 2))
}

#[tokio::test(start_paused = true)]
async fn a_slow_start_is_ready_after_the_warm_up() {
    let slow = Outcome::SlowStart { warm_up: Duration::from_secs(60) };
    let script = Script { rules: vec![rule("aws-001", None, slow)], ..at_once() };
    let (hub, ..) = with_agents(script, &["aws-001"]).await;
    pass(30).await;
    let applied = read(&hub, "aws-001").await.body["status"]["conditions"].clone();
    assert_eq!(condition(&applied, "Applied")["status"], json!("True"));
    assert!(!is_ready(&hub, "aws-001").await);
    pass(32).await;
    assert!(is_ready(&hub, "aws-001").await);
}

#[tokio::test(start_paused = true)]
async fn a_flapping_cluster_alternates_between_ready_and_not_ready() {
    let flapping = Outcome::Flapping { well: Duration::from_secs(20), unwell: Duration::from_secs(10) };
    let script = Script { rules: vec![rule("aws-001", None, flapping)], ..at_once() };
    let (hub, ..) = with_agents(script, &["aws-001", "gcp-001"]).await;
    let mut seen = Vec::new();
    for _ in 0..7 {
        pass(10).await;
        seen.push(is_ready(&hub, "aws-001").await);
    }
    assert_eq!(seen, [true, true, false, true, true, false, true]);
    assert!(is_ready(&hub, "gcp-001").await);
}

#[tokio::test(start_paused = true)]
async fn a_new_generation_of_a_flapping_work_is_reported_after_the_delay() {
    let flapping = Outcome::Flapping { well: Duration::from_secs(3600), unwell: Duration::from_secs(10) };
    let script = Script { rules: vec![rule("aws-001", None, flapping)], ..at_once() };
    let (hub, ..) = with_agents(script, &["aws-001"]).await;
    pass(2).await;
    ask(&hub, "PATCH merge", &path("aws-001"), json!({ "spec": work("aws-001", "img:2")["spec"] })).await;
    pass(2).await;
    let conditions = read(&hub, "aws-001").await.body["status"]["conditions"].clone();
    assert_eq!(condition(&conditions, "Applied")["observedGeneration"], json!(2));
}

#[tokio::test(start_paused = true)]
async fn a_partitioned_cluster_becomes_unknown_and_recovers() {
    let partition = Partition {
        clusters: Clusters::Named(vec!["aws-001".to_owned()]),
        after: Duration::from_secs(10),
        lasting: Duration::from_secs(60),
        every: Some(Duration::from_secs(600)),
    };
    let script = Script { partitions: vec![partition], ..at_once() };
    let (hub, ..) = with_agents(script, &["aws-001", "gcp-001"]).await;
    let cluster = "/apis/cluster.open-cluster-management.io/v1/managedclusters/aws-001";
    let mut told = Vec::new();
    for seconds in [5, 10, 60, 530, 10, 60] {
        pass(seconds).await;
        let conditions = get(&hub, cluster).await.body["status"]["conditions"].clone();
        told.push(condition(&conditions, "ManagedClusterConditionAvailable")["status"].as_str().unwrap().to_owned());
        if told.len() == 2 {
            ask(&hub, "PATCH merge", &path("aws-001"), json!({ "spec": work("aws-001", "img:2")["spec"] })).await;
            pass(5).await;
            let silent = read(&hub, "aws-001").await.body["status"]["conditions"].clone();
            assert_eq!(condition(&silent, "Applied")["observedGeneration"], json!(1));
        }
    }
    assert_eq!(told, ["True", "Unknown", "True", "True", "Unknown", "True"]);
    let answered = read(&hub, "aws-001").await.body["status"]["conditions"].clone();
    assert_eq!(condition(&answered, "Applied")["observedGeneration"], json!(2));
}
