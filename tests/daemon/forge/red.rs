//! Red statuses: changes that are blocked, and rollouts that stop.

use serde_json::json;
use tidegate_model::forge::ForgeKind;

use super::stage::{CONFIG, Stage};
use super::trial::Trial;

/// The states that the three forges use for a failure.
const RED: [&str; 3] = ["failure", "failed", "error"];

async fn stage(kind: ForgeKind) -> Trial {
    let stage = Stage::new(kind).await;
    let config = stage.config();
    Trial::with(stage, config, &json!([])).await
}

#[tokio::test(start_paused = true)]
async fn a_rollout_that_stops_is_a_failure_of_its_commit() {
    for kind in [ForgeKind::Gitea, ForgeKind::GitHub, ForgeKind::GitLab] {
        let trial = stage(kind).await;
        trial.stage.world.break_works_with("v0.4.1");
        let commit = trial.stage.upgrade("main");
        let status =
            trial.looking(trial.stage.until_status(commit.as_str(), "tidegate/hello-template", "stopped")).await;
        assert!(RED.contains(&status.state.as_str()), "{status:?}");
        trial.ends().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_that_cannot_be_followed_is_a_failure_of_its_plan() {
    let trial = stage(ForgeKind::GitHub).await;
    trial.stage.forge.add_branch("typo").unwrap();
    let head = trial.stage.edit_on("typo", CONFIG, "spec:", "spek:");
    trial.stage.forge.open_pull("ada", "typo", "main", "Change the configuration").unwrap();
    let status = trial.looking(trial.stage.until_status(head.as_str(), "tidegate/plan", "")).await;
    assert!(RED.contains(&status.state.as_str()), "{status:?}");
    trial.ends().await;
}
