//! Which contents an approval is of: the digest of what was reviewed, and not the name of a branch or a pull request.

use serde_json::json;
use tidegate_consent::{Standing, Why};
use tidegate_daemon::reconciler::forge::Checks;
use tidegate_fake_forge::{Method, Verdict};
use tidegate_forge::State;
use tidegate_model::forge::ForgeKind;

use super::stage::{CONFIG, Stage};
use super::trial::{Trial, quiet};

/// The rule of most tests: Bob approves.
fn bob() -> serde_json::Value {
    json!([{ "name": "review", "of": ["forge:bob"] }])
}

/// Bob approves, Ada pushes another change of the add-on and merges. Then Bob approves what was merged.
#[tokio::test(start_paused = true)]
async fn a_push_after_the_approval_voids_it_on_gitlab() {
    let mut trial = Trial::start(ForgeKind::GitLab, &bob()).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_record(pull, |record| record.opinions.len() == 1).await;
    trial.moment().await;
    trial.stage.edit_on("up", CONFIG, "\"2\"", "\"3\"");
    trial.stage.forge.merge("ada", pull, Method::Squash).unwrap();
    trial.until_void("bob", |why| matches!(why, Why::OtherDigest { .. })).await;
    trial.moment().await;
    // An approval of GitLab stays until it is taken back.
    trial.stage.forge.unapprove("bob", pull).unwrap();
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.completes().await;
}

/// Bob approves. Ada replaces the branch, puts it back, adds a change that has nothing to do with the add-on, and merges.
#[tokio::test(start_paused = true)]
async fn what_was_approved_counts_again_after_a_force_push_away_and_back_on_github() {
    let mut trial = Trial::start(ForgeKind::GitHub, &bob()).await;
    let (pull, head) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_record(pull, |record| record.opinions.len() == 1 && record.trees.len() == 1).await;
    trial.moment().await;
    trial.stage.forge.add_branch("other").unwrap();
    let other = trial.stage.edit_on("other", CONFIG, "\"2\"", "\"4\"");
    trial.stage.forge.set_branch("up", other.as_str()).unwrap();
    let away = trial.until_record(pull, |record| record.head == other).await;
    assert_ne!(away.trees[&head].digests, away.trees[&other].digests);
    trial.stage.forge.set_branch("up", head.as_str()).unwrap();
    trial.until_record(pull, |record| record.head == head).await;
    trial.stage.write_on("up", "docs/notes.md", "about the upgrade\n");
    trial.stage.forge.merge("ada", pull, Method::Squash).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn approvals_of_other_pull_requests_do_not_count() {
    let mut trial = Trial::start(ForgeKind::Gitea, &bob()).await;
    let (twin, _) = trial.stage.open("twin");
    trial.stage.forge.add_branch("docs").unwrap();
    trial.stage.write_on("docs", "docs/notes.md", "about the upgrade\n");
    let docs = trial.stage.forge.open_pull("ada", "docs", "main", "Notes").unwrap();
    for pull in [twin, docs] {
        trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    }
    // The branch must differ from that of the twin, so that the forge does not merge both at once.
    let (pull, _) = trial.stage.open_with("up", "the same upgrade");
    trial.stage.forge.merge("ada", docs, Method::Merge).unwrap();
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    trial.until_void("bob", |why| *why == Why::NotMerged { pull: twin }).await;
    trial.stage.forge.close("ada", twin).unwrap();
    trial.until_record(twin, |record| record.state == Standing::Closed).await;
    let record = trial.until_record(docs, |record| record.state == Standing::Merged).await;
    assert_eq!(record.opinions.len(), 1);
    let verdict = trial.until_void("bob", |why| *why == Why::NotMerged { pull: twin }).await;
    assert_eq!((verdict.void.len(), verdict.have.len()), (1, 0));
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn two_pull_requests_that_change_one_add_on_need_an_approval_of_the_result() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let mut config = quiet(&stage);
    config.forge.as_mut().unwrap().publish.gates = true;
    let mut trial = Trial::with(stage, config, &bob()).await;
    let (upgrade, _) = trial.stage.open("up");
    trial.stage.forge.add_branch("level").unwrap();
    trial.stage.edit_on("level", CONFIG, "\"2\"", "\"3\"");
    let level = trial.stage.forge.open_pull("ada", "level", "main", "Log more").unwrap();
    for pull in [upgrade, level] {
        trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
        trial.until_record(pull, |record| record.opinions.len() == 1).await;
    }
    trial.stage.forge.merge("ada", upgrade, Method::Merge).unwrap();
    trial.stage.forge.merge("ada", level, Method::Merge).unwrap();
    // Neither approval is of this digest, so that they are not even listed.
    let verdict = trial.until_verdict("the result waits", |verdict| !verdict.is_met()).await;
    assert_eq!((verdict.have, verdict.void), (vec![], vec![]));
    trial.assert_held().await;
    let request = trial.until_request().await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn the_entry_of_a_merge_queue_is_planned_and_its_merge_keeps_the_approval() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let mut config = quiet(&stage);
    config.forge.as_mut().unwrap().publish.checks = Checks::Statuses;
    let mut trial = Trial::with(stage, config, &bob()).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_record(pull, |record| record.opinions.len() == 1).await;
    let queue = trial.stage.forge.enqueue("ada", pull).unwrap();
    let entry = trial.stage.tip(&queue);
    trial.until_status(entry.as_str(), "tidegate/plan", "1 add-on").await;
    trial.until_status(entry.as_str(), "tidegate/approvals", "checked on the pull request").await;
    trial.stage.forge.merge_queued("ada", pull).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn a_status_that_someone_else_writes_opens_nothing() {
    let mut trial = Trial::start(ForgeKind::GitHub, &bob()).await;
    let (pull, head) = trial.stage.open("up");
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    for commit in [head, trial.stage.tip("main")] {
        for context in ["tidegate/approvals", "tidegate/plan", "tidegate/hello-template"] {
            let ada = trial.stage.client("ada");
            ada.status(&commit, context, State::Success, "approved", None, None).await.unwrap();
            let written = trial.stage.forge.statuses(commit.as_str()).pop().unwrap();
            assert_eq!((written.context.as_str(), written.state.as_str()), (context, "success"));
        }
    }
    trial.until_record(pull, |record| record.state == Standing::Merged).await;
    let verdict = trial.until_verdict("the upgrade waits", |verdict| !verdict.is_met()).await;
    assert_eq!((verdict.have, verdict.void), (vec![], vec![]));
    trial.assert_held().await;
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_direct_push_is_held_until_the_request_of_the_daemon_is_approved() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let mut config = quiet(&stage);
    config.forge.as_mut().unwrap().publish.gates = true;
    // Direct pushes are not signed here.
    config.policy.claimed_authors = true;
    let mut trial = Trial::with(stage, config, &bob()).await;
    trial.stage.upgrade("main");
    let verdict = trial.until_verdict("the push waits", |verdict| !verdict.is_met()).await;
    assert_eq!(verdict.missing.unwrap().to_string(), "1 more person must approve, of forge:bob");
    let request = trial.until_request().await;
    assert!(request.body.contains("Approve this request, or merge it"), "{}", request.body);
    trial.assert_held().await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn a_pull_request_does_not_change_the_rules_and_people_that_judge_it() {
    let stage = Stage::new(ForgeKind::GitLab).await;
    stage.people("sre = [\"bob\"]\nbob = [\"forge:bob\"]\n");
    let mut trial = Trial::on(stage, &json!([{ "name": "review", "of": ["sre"] }])).await;
    trial.stage.upgrade("up");
    trial.stage.edit_on("up", "tidegate.toml", "sre = [\"bob\"]", "sre = [\"bob\", \"cy\"]\ncy = [\"forge:cy\"]");
    trial.stage.edit_on("up", "fleet/policy.yaml", "[\"sre\"]", "[\"forge:eve\",\"sre\"]");
    let pull = trial.stage.forge.open_pull("ada", "up", "main", "Upgrade").unwrap();
    for login in ["cy", "eve"] {
        trial.stage.forge.review(login, pull, Verdict::Approve).unwrap();
    }
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    for login in ["cy", "eve"] {
        trial.until_void(login, |why| matches!(why, Why::NotListed { .. })).await;
    }
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.completes().await;
}
