//! Plans of pull requests that depend on more than the two revisions: on what was taken back, and on what is held.

use serde_json::json;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::forge::ForgeKind;
use tidegate_model::progress::Phase;
use tidegate_plan::report::AddonReport;

use super::stage::Stage;
use super::trial::Trial;
use crate::daemon::world::{eventually, now};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// Returns what a tick found about the add-on; nothing before the first tick.
fn hello(snapshot: &Snapshot) -> AddonReport {
    snapshot.report.addon("hello-template").cloned().unwrap_or_default()
}

async fn trial() -> Trial {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let config = stage.config();
    Trial::with(stage, config, &json!([])).await
}

/// Starts a rollout of a version that fails on every canary, and is taken back after this time.
async fn failing(deadline: &str) -> Trial {
    let trial = trial().await;
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: safety}\nspec: {selector: {addOns: \
                  [hello-template]}, onFailure: {action: Rollback}}\n";
    trial.stage.world.commit("safety", [("fleet/safety.yaml".to_owned(), Some(policy.into()))].into());
    trial.stage.world.edit(ADDON, "progressDeadline: 10m", &format!("progressDeadline: {deadline}"));
    trial.stage.world.break_works_with("v0.4.1");
    trial.stage.upgrade("main");
    trial
}

/// Returns `true` if all clusters were taken back.
fn is_back(snapshot: &Snapshot) -> bool {
    let addon = hello(snapshot);
    addon.rejected.is_some() && addon.version == "0.4.0" && addon.counts().succeeded == 20
}

/// Opens a pull request that declares the version before.
fn open_back(trial: &Trial) -> u64 {
    trial.stage.forge.add_branch("back").unwrap();
    trial.stage.edit_on("back", ADDON, "hello-template-0.4.1", "hello-template-0.4.0");
    trial.stage.forge.open_pull("ada", "back", "main", "Back").unwrap()
}

#[tokio::test(start_paused = true)]
async fn first_use_a9_the_plan_after_a_rollback_starts_from_what_the_clusters_have() {
    let mut trial = failing("20s").await;
    trial.until("the rollback", is_back).await;
    let pull = open_back(&trial);
    let text = trial.looking(trial.stage.until_comment(pull, "Tidegate plan")).await;
    assert!(!text.contains("0.4.1"), "{text}");
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_plan_is_made_again_as_soon_as_a_version_was_taken_back() {
    let mut trial = failing("1m").await;
    trial.until("the canaries", |s| hello(s).version == "0.4.1").await;
    let pull = open_back(&trial);
    trial.looking(trial.stage.until_comment(pull, "0.4.1")).await;
    trial.until("the rollback", is_back).await;
    let back = now();
    let text = || trial.stage.forge.comments(pull)[0].body.clone();
    trial.looking(eventually("the plan is made again", async || !text().contains("0.4.1"))).await;
    assert!(back.duration_until(now()).as_mins() < 5, "a plan is made again after ten minutes anyway");
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn first_use_a3_the_plan_names_the_removal_that_a_pull_request_confirms() {
    let mut trial = trial().await;
    let paths = crate::example_tree::tree().files.into_keys();
    let gone = paths.filter(|path| path.starts_with("fleet/addons/hello-template/"));
    let revision = trial.stage.world.commit("no more hello", gone.map(|path| (path, None)).collect());
    trial.until("the brake", |s| hello(s).phase == Phase::Held && s.writes == 0).await;
    trial.stage.forge.add_branch("confirm").unwrap();
    let confirmed = format!("max_percent = 20\nconfirm = [\"{}\"]", revision.short());
    trial.stage.edit_on("confirm", "tidegate.toml", "max_percent = 20", &confirmed);
    let pull = trial.stage.forge.open_pull("ada", "confirm", "main", "Confirm").unwrap();
    let text = trial.looking(trial.stage.until_comment(pull, "Tidegate plan")).await;
    let wanted = format!("this confirms the removal of hello-template that is held at {}: aws-001", revision.short());
    assert!(text.contains(&wanted), "{text}");
    trial.ends().await;
}
