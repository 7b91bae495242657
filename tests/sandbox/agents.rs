//! The simulated agents, in paused time.

use std::time::Duration;

use serde_json::{Value, json};
use tidegate::sandbox::Sandbox;
use tidegate::sandbox::agents::{Agents, Clusters, Outcome, Rule, Script};
use tidegate::sandbox::fleet::{FleetSpec, clusters};
use tokio_util::sync::CancellationToken;

use super::support::*;

fn at_once() -> Script {
    Script { delay: Duration::from_secs(1)..=Duration::from_secs(1), rules: Vec::new() }
}

fn rule(cluster: &str, containing: Option<&str>, outcome: Outcome) -> Rule {
    Rule { clusters: Clusters::Named(vec![cluster.to_owned()]), containing: containing.map(str::to_owned), outcome }
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

/// A hub with agents, and a work on some clusters.
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
async fn a_work_is_answered_after_the_delay_as_an_agent_does() {
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
async fn an_answered_work_is_left_alone() {
    let (hub, ..) = with_agents(at_once(), &["aws-001"]).await;
    pass(2).await;
    let answered = read(&hub, "aws-001").await.body;
    pass(600).await;
    assert_eq!(read(&hub, "aws-001").await.body, answered);
}

#[tokio::test(start_paused = true)]
async fn a_failing_upgrade_leaves_the_old_version_healthy() {
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
async fn a_cluster_that_refuses_says_so() {
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
async fn a_silent_cluster_answers_once_the_script_lets_it() {
    let script = Script { rules: vec![rule("aws-001", None, Outcome::Silent)], ..at_once() };
    let (hub, agents, ..) = with_agents(script, &["aws-001"]).await;
    pass(3600).await;
    assert_eq!(read(&hub, "aws-001").await.body.get("status"), None);
    agents.set_script(at_once());
    pass(2).await;
    assert!(read(&hub, "aws-001").await.body.get("status").is_some());
}

#[tokio::test(start_paused = true)]
async fn a_new_script_changes_what_was_answered() {
    let (hub, agents, ..) = with_agents(at_once(), &["aws-001", "gcp-001"]).await;
    pass(2).await;
    let untouched = read(&hub, "gcp-001").await.body;
    agents.set_script(Script { rules: vec![rule("aws-001", None, Outcome::Unhealthy)], ..at_once() });
    pass(2).await;
    assert_eq!(feedback(&read(&hub, "aws-001").await).len(), 1);
    assert_eq!(read(&hub, "gcp-001").await.body, untouched);
}

#[tokio::test(start_paused = true)]
async fn a_deleted_work_is_not_answered() {
    let (hub, ..) = with_agents(at_once(), &["aws-001"]).await;
    ask(&hub, "DELETE", &path("aws-001"), Value::Null).await;
    pass(2).await;
    assert_eq!(read(&hub, "aws-001").await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn agents_end_when_told() {
    let (_hub, _agents, running, stop) = with_agents(at_once(), &[]).await;
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn agents_of_a_hub_without_works_are_idle() {
    let hub = Sandbox::new(&[], || "2026-08-11T12:00:00Z".parse().unwrap());
    let stop = CancellationToken::new();
    stop.cancel();
    Agents::new(at_once()).run(hub, stop).await;
}

#[test]
fn every_cluster_has_a_delay_of_its_own_within_the_range() {
    let script = Script { delay: Duration::from_secs(5)..=Duration::from_secs(30), rules: Vec::new() };
    let delays: Vec<Duration> = (0..200).map(|number| script.delay_of(&format!("c{number}"))).collect();
    assert!(delays.iter().all(|delay| script.delay.contains(delay)));
    assert!(delays.iter().collect::<std::collections::BTreeSet<_>>().len() > 150);
    assert_eq!(script.delay_of("c7"), delays[7]);
    for delay in [Duration::ZERO..=Duration::MAX, Duration::from_secs(9)..=Duration::from_secs(3)] {
        assert!(Script { delay: delay.clone(), rules: Vec::new() }.delay_of("a") >= *delay.start());
    }
}

#[test]
fn a_share_of_the_clusters_is_about_as_large_as_asked() {
    let count = |percent| (0..1000).filter(|n| Clusters::Share { percent }.include(&format!("c{n}"))).count();
    assert_eq!((count(0), count(100)), (0, 1000));
    assert!((150..250).contains(&count(20)), "{}", count(20));
}

#[test]
fn a_pattern_fits_names() {
    let fits = |pattern: &str, name: &str| Clusters::Named(vec![pattern.to_owned()]).include(name);
    for (pattern, name) in
        [("aws-001", "aws-001"), ("aws-*", "aws-001"), ("*", ""), ("*-00*", "gcp-001"), ("a*b*b", "abb")]
    {
        assert!(fits(pattern, name), "{pattern} {name}");
    }
    for (pattern, name) in [("aws-1", "aws-10"), ("*-2", "aws-21"), ("a*b*b", "ab"), ("", "a")] {
        assert!(!fits(pattern, name), "{pattern} {name}");
    }
}
