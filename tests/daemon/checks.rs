//! A check of a policy that asks a Prometheus server: a rollout waits for it, and a restart forgets nothing.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tidegate_daemon::reconciler::checks::Allowed;
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_model::progress::ClusterState;
use tidegate_rollout::gate::checks::{Evidence, Outcome};

use super::world::World;
use crate::checks::counterpart::{Conduct, Counterpart, answer};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const WAITING: &str = "gcp-010";

/// What the server answers; `None` if it hangs.
type Value = Arc<Mutex<Option<&'static str>>>;

async fn prometheus(value: &Value) -> Counterpart {
    let value = value.clone();
    Counterpart::start(move |request| {
        assert!(request.starts_with("GET /api/v1/query?query=errors%3Aratio HTTP/1.1\r\n"), "{request}");
        match *value.lock().unwrap() {
            None => Conduct::Hangs(Vec::new()),
            Some(value) => {
                let data = json!({ "resultType": "vector", "result": [{ "metric": {}, "value": [1.5, value] }] });
                Conduct::Sends(answer("200 OK", &json!({ "status": "success", "data": data }).to_string()))
            }
        }
    })
    .await
}

fn config(world: &World, server: &Counterpart) -> Config {
    Config { checks: Allowed::read(&[server.origin()]).unwrap(), ..world.config("mirror.git") }
}

fn policy(server: &Counterpart) -> Vec<u8> {
    let query = json!({ "url": server.origin(), "query": "errors:ratio", "threshold": "< 0.01" });
    let check = json!({
        "name": "errors", "groups": ["canary"], "prometheus": query,
        "timeout": "1s", "interval": "1s", "failures": 1,
    });
    json!({
        "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": "production" },
        "spec": { "selector": { "addOns": ["hello-template"] }, "checks": [check] },
    })
    .to_string()
    .into_bytes()
}

/// Returns the evidence of the check, if the others wait for it.
fn evidence(snapshot: &Snapshot) -> Option<&Evidence> {
    let addon = &snapshot.report.addons.get("hello-template")?;
    let cluster = addon.clusters.get(WAITING)?;
    let waits = "waits for check \"errors\" of group 0 (\"canary\") (RolloutPolicy production)";
    addon.checks.first().filter(|_| cluster.state == ClusterState::Waiting && cluster.reason == waits)
}

#[tokio::test(start_paused = true)]
async fn a_rollout_waits_for_prometheus_and_a_restart_forgets_no_failure() {
    let value: Value = Arc::new(Mutex::new(Some("0.5")));
    let server = prometheus(&value).await;
    let world = World::settled(20).await.recorded();
    let mut daemon = world.daemon_with(world.client(), config(&world, &server)).await;
    daemon.until_settled("0.4.0").await;
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy(&server)))].into());
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let has_failed = |s: &Snapshot| evidence(s).is_some_and(|evidence| evidence.outcome == Outcome::Failed);
    let failed = daemon.until("a failed check", has_failed).await;
    assert_eq!(evidence(&failed).unwrap().value, "0.5, must be < 0.01");
    daemon.end().await;
    let source = world.repository();
    for arguments in [&["explain", "hello-template"][..], &["explain", "hello-template", WAITING]] {
        let explained = crate::cli::tidegate(&[arguments, &["--source", source.to_str().unwrap()]].concat());
        let explained = String::from_utf8(explained.stdout).unwrap();
        assert!(explained.contains(": 0.5, must be < 0.01"), "{explained}");
    }

    *value.lock().unwrap() = None;
    let mut daemon = world.daemon_with(world.client(), config(&world, &server)).await;
    let remembered = daemon.until("the failure of the journal", |s| evidence(s).is_some()).await;
    assert_eq!(evidence(&remembered).unwrap().failures, 1);
    let is_silent = |s: &Snapshot| evidence(s).is_some_and(|evidence| evidence.outcome == Outcome::NoResult);
    let silent = daemon.until("a missing result", is_silent).await;
    let found = evidence(&silent).unwrap();
    assert_eq!((found.value.as_str(), found.failures), ("no complete answer within 1s", 1));

    *value.lock().unwrap() = Some("0.001");
    let done = daemon.until_settled("0.4.1").await;
    let passed = &done.report.addons["hello-template"].checks[0];
    assert_eq!((passed.outcome, passed.failures), (Outcome::Passed, 0));
    assert!(passed.done.is_some_and(|done| done <= passed.at));
    daemon.end().await;
    assert!(world.replayed() > 0, "measurements are recorded as well");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_the_daemon_does_not_allow_is_not_asked_and_holds() {
    let value: Value = Arc::new(Mutex::new(Some("0.001")));
    let server = prometheus(&value).await;
    let world = World::new(20);
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy(&server)))].into());
    let mut daemon = world.daemon("mirror.git").await;
    let held = daemon.until("a check without a result", |s| evidence(s).is_some()).await;
    let found = evidence(&held).unwrap();
    assert_eq!(found.outcome, Outcome::NoResult);
    assert_eq!(found.value, format!("[checks] allow of the daemon does not list {}", server.origin()));
    assert_eq!(server.requests(), 0);
    daemon.end().await;
}

/// A policy with an expression that the clusters of the first group must fulfill, and what happens if they do not.
fn expression(expression: &str, action: &str) -> Vec<u8> {
    let check = json!({ "name": "agents", "groups": ["canary"], "cel": { "expression": expression }, "failures": 1 });
    json!({
        "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": "production" },
        "spec": { "selector": { "addOns": ["hello-template"] }, "checks": [check], "onFailure": { "action": action } },
    })
    .to_string()
    .into_bytes()
}

/// An expression over everything that a cluster has, which is true for the canaries of a minor version.
fn over_all_fields(version: &str) -> String {
    let feedback = "cluster.feedback['Deployment open-cluster-management-agent-addon/hello-agent']";
    [
        "cluster.name.startsWith(cluster.labels.cloud)",
        "cluster.labels.tier == 'canary'",
        "cluster.claims['name'] == cluster.name",
        &format!("cluster.version == '{version}'"),
        "cluster.state == 'Succeeded'",
        "!cluster.degraded",
        "cluster.conditions.Available == 'True'",
        &format!("{feedback}.ReadyReplicas > 0"),
    ]
    .join(" && ")
}

#[tokio::test(start_paused = true)]
async fn an_expression_reads_what_a_cluster_reports() {
    let world = World::settled(20).await;
    for cluster in world.list("cluster.open-cluster-management.io/v1", "managedclusters").await {
        let name = cluster["metadata"]["name"].as_str().unwrap();
        let path = format!("/apis/cluster.open-cluster-management.io/v1/managedclusters/{name}/status");
        let claims = json!({ "status": { "clusterClaims": [{ "name": "name", "value": name }] } });
        super::world::requests::patch(&world.client(), &path, &claims).await;
    }
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let policy = expression(&over_all_fields("0.4.1"), "Halt");
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy))].into());
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let measured = daemon.until("a measurement", |s| !s.report.addons["hello-template"].checks.is_empty()).await;
    let found = &measured.report.addons["hello-template"].checks[0];
    assert_eq!((found.outcome, found.value.as_str()), (Outcome::Passed, "true"));
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_check_that_fails_takes_the_version_back_where_the_policy_says_so() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let policy = expression("cluster.version != '0.4.1'", "Rollback");
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy))].into());
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let rejected = daemon.until("a rejection", |s| s.report.addons["hello-template"].rejected.is_some()).await;
    let why = &rejected.report.addons["hello-template"].rejected.as_ref().unwrap().reason;
    assert!(why.contains("check \"agents\" of group 0") && why.contains("failed"), "{why}");
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}
