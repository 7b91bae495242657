//! Pull requests that anyone may open: what the daemon reads of them is bounded.

use serde_json::json;
use tidegate_consent::{Authors, PullRecord, Standing};
use tidegate_daemon::reconciler::forge::Checks;
use tidegate_fake_forge::{Method, Verdict};
use tidegate_model::forge::ForgeKind;

use super::stage::Stage;
use super::trial::{Trial, quiet};

/// Returns `true` if the files of the head were read.
fn is_read(record: &PullRecord) -> bool {
    record.trees.contains_key(&record.head)
}

/// Opens a pull request with the upgrade from a fork of Ada's.
fn open_from_fork(stage: &Stage) -> u64 {
    stage.upgrade("up");
    stage.forge.add_fork("ada").unwrap();
    stage.forge.remove_branch("up").unwrap();
    stage.forge.open_pull("ada", "ada:up", "main", "Upgrade").unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_files_of_a_fork_are_not_read_before_its_pull_request_is_merged() {
    let mut trial = Trial::start(ForgeKind::GitHub, &json!([{ "name": "one", "count": 1, "of": ["forge:bob"] }])).await;
    let pull = open_from_fork(&trial.stage);
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    let record = trial.until_record(pull, |record| record.opinions.len() == 1).await;
    assert!(record.state == Standing::Open && record.trees.is_empty(), "{record:?}");
    // The review was of what the fork had, and counts once that is part of the branch.
    trial.stage.forge.merge("cy", pull, Method::Squash).unwrap();
    trial.until_record(pull, is_read).await;
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn the_files_of_a_fork_are_read_if_forks_are_planned() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let mut config = quiet(&stage);
    config.forge.as_mut().unwrap().publish.forks = true;
    let mut trial = Trial::with(stage, config, &json!([])).await;
    let pull = open_from_fork(&trial.stage);
    trial.until_record(pull, is_read).await;
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_draft_is_read_only_if_drafts_are_planned() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let mut config = quiet(&stage);
    config.forge.as_mut().unwrap().publish.drafts = false;
    let mut trial = Trial::with(stage, config, &json!([])).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.set_draft(pull, true).unwrap();
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    let record = trial.until_record(pull, |record| !record.opinions.is_empty()).await;
    assert!(record.trees.is_empty(), "{record:?}");
    trial.moment().await;
    trial.stage.forge.set_draft(pull, false).unwrap();
    trial.until_record(pull, is_read).await;
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_pull_request_that_expands_to_a_million_nodes_is_refused_at_its_line_and_counts_for_nothing() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let mut config = quiet(&stage);
    config.forge.as_mut().unwrap().publish.checks = Checks::Statuses;
    let mut trial = Trial::with(stage, config, &json!([])).await;
    trial.stage.forge.add_branch("huge").unwrap();
    let text = format!("l: [\n{}]\n", "{a: },\n".repeat(330_000));
    let head = trial.stage.write_on("huge", "fleet/huge.yaml", &text);
    let pull = trial.stage.forge.open_pull("ada", "huge", "main", "Huge").unwrap();
    let record = trial.until_record(pull, is_read).await;
    let reviewed = &record.trees[&head];
    assert!(reviewed.digests.is_empty());
    let Authors::Unknown(why) = &reviewed.authors else { panic!("{reviewed:?}") };
    assert!(why.contains("fleet/huge.yaml:") && why.contains("YAML nodes"), "{why}");
    trial.until_status(head.as_str(), "tidegate/plan", "blocked: fleet/huge.yaml:").await;
    trial.ends().await;
}
