//! Rollouts as deployments on the forge.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use tidegate_daemon::reconciler::Config;
use tidegate_fake_forge::{Fault, Verdict};
use tidegate_model::forge::ForgeKind;

use super::stage::Stage;
use super::trial::looking;
use crate::daemon::world::{Running, eventually};

fn config(stage: &Stage) -> Config {
    let mut config = stage.config();
    config.forge.as_mut().unwrap().publish.deployments = true;
    // Direct pushes are not signed here.
    config.policy.claimed_authors = true;
    config
}

/// Returns the environment, the abbreviated commit and the state of each deployment of the add-on, oldest first.
fn shown(stage: &Stage) -> Vec<(String, String, String)> {
    let all = stage.forge.deployments().into_iter().filter(|one| one.environment.starts_with("hello-template/"));
    all.map(|one| (one.environment.clone(), one.commit[..7].to_owned(), one.state().to_owned())).collect()
}

/// Waits until the newest deployments of all environments have succeeded, as many as these.
async fn until_succeeded(stage: &Stage, daemon: &Running, count: usize) {
    let is_done = || {
        let all: BTreeMap<_, _> = shown(stage).into_iter().map(|(name, _, state)| (name, state)).collect();
        shown(stage).len() == count && all.values().all(|state| state == "success")
    };
    let what = format!("{count} deployments have succeeded: {:?}", shown(stage));
    looking(daemon.look().clone(), eventually(&what, async || is_done())).await;
}

#[tokio::test(start_paused = true)]
async fn each_group_of_a_rollout_is_a_deployment_on_github() {
    each_group_is_a_deployment(ForgeKind::GitHub).await;
}

#[tokio::test(start_paused = true)]
async fn each_group_of_a_rollout_is_a_deployment_on_gitlab() {
    each_group_is_a_deployment(ForgeKind::GitLab).await;
}

/// A group is deployed when its first cluster starts; a restart creates nothing again.
async fn each_group_is_a_deployment(kind: ForgeKind) {
    let stage = Stage::new(kind).await;
    let mut daemon_one = stage.start(config(&stage)).await;
    daemon_one.until_settled("0.4.0").await;
    until_succeeded(&stage, &daemon_one, 2).await;
    let environments: BTreeSet<String> = shown(&stage).into_iter().map(|(name, _, _)| name).collect();
    let expected = ["hello-template/1", "hello-template/canary"].map(str::to_owned);
    assert_eq!(environments, BTreeSet::from(expected), "a group without a name has its index");

    stage.policy(
        &json!([{ "name": "promotion", "count": 1, "of": ["forge:bob"], "before": ["1"], "after": "Reached" }]),
    );
    let head = stage.upgrade("upgrade");
    stage.forge.set_branch("main", head.as_str()).unwrap();
    let request = looking(daemon_one.look().clone(), stage.until_request()).await;
    until_succeeded(&stage, &daemon_one, 3).await;
    let before = shown(&stage);
    let newest = before.last().unwrap();
    assert_eq!(
        (newest.0.as_str(), newest.1.as_str()),
        ("hello-template/canary", &head.as_str()[..7]),
        "the others wait"
    );
    daemon_one.end().await;

    let mut daemon_two = stage.start(config(&stage)).await;
    stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    looking(daemon_two.look().clone(), daemon_two.until_settled("0.4.1")).await;
    until_succeeded(&stage, &daemon_two, 4).await;
    let after = shown(&stage);
    assert_eq!(after.iter().filter(|(_, commit, _)| *commit == head.as_str()[..7]).count(), 2, "{after:?}");
    if kind == ForgeKind::GitHub {
        let newest = stage.forge.deployments().pop().unwrap();
        assert_eq!(newest.task, "tidegate");
        let digest = newest.payload["digest"].as_str().unwrap().to_owned();
        assert!(digest.contains(newest.payload["rollout"].as_str().unwrap()), "{digest}");
        let states: Vec<&str> = newest.states.iter().map(|state| state.state.as_str()).collect();
        assert_eq!(states.last(), Some(&"success"));
        assert_eq!(states.iter().filter(|state| **state == "success").count(), 1, "{states:?}");
    }
    stage.forge.assert_clean();
    daemon_two.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_lost_creates_no_second_deployment() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    stage.forge.fail_next("POST /deployments", Fault::HangUpAfterWrite);
    let mut daemon = stage.start(config(&stage)).await;
    daemon.until_settled("0.4.0").await;
    until_succeeded(&stage, &daemon, 2).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_forge_without_deployments_is_not_asked_for_them() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let daemon = stage.settled(config(&stage)).await;
    let commit = stage.tip("main");
    stage.until_status(commit.as_str(), "tidegate/hello-template", "completed").await;
    assert!(stage.forge.requests().iter().all(|request| !request.target.contains("/deployments")));
    daemon.end().await;
}
