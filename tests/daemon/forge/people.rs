//! Who an account is: renamed and removed accounts, teams, and evidence that the forge lost.

use serde_json::json;
use tidegate_consent::Why;
use tidegate_fake_forge::{Behavior, Fault, Method, Role, Verdict};
use tidegate_model::forge::ForgeKind;

use super::stage::Stage;
use super::trial::Trial;

/// Bob is renamed, and Mallory gets his login. The rule names Bob by his number.
#[tokio::test(start_paused = true)]
async fn a_reused_login_inherits_no_approvals_on_gitea() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let bob = stage.forge.add_account("robert", Role::Write);
    stage.people(&format!("bob = [\"forge:robert#{bob}\"]\n"));
    let mut trial = Trial::on(stage, &json!([{ "name": "review", "of": ["bob"] }])).await;
    trial.stage.forge.rename_account("robert", "bobby").unwrap();
    trial.stage.forge.add_account("robert", Role::Write);
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("robert", pull, Verdict::Approve).unwrap();
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    trial.until_void("robert", |why| matches!(why, Why::NotListed { .. })).await;
    trial.stage.forge.review("bobby", pull, Verdict::Approve).unwrap();
    trial.completes().await;
}

/// The forge does not show the team at first. Then Bob is in the team, and leaves it.
#[tokio::test(start_paused = true)]
async fn the_approval_of_someone_who_left_the_team_does_not_count_on_gitlab() {
    let stage = Stage::new(ForgeKind::GitLab).await;
    stage.forge.add_team("leads", &["bob", "cy", "tidegate"]);
    let rules = json!([{ "name": "review", "count": 2, "of": ["team:platform/leads"] }]);
    let mut trial = Trial::on(stage, &rules).await;
    let (pull, _) = trial.stage.open("up");
    let forbidden = Fault::Status(403, Vec::new(), "{\"message\":\"Forbidden\"}".to_owned());
    trial.stage.forge.fail_next("/members/all", forbidden);
    for login in ["bob", "eve"] {
        trial.stage.forge.review(login, pull, Verdict::Approve).unwrap();
    }
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    trial.until_void("bob", |why| matches!(why, Why::MembershipUnknown { .. })).await;
    trial.until_void("eve", |why| matches!(why, Why::NotListed { .. })).await;
    trial.answers_expire().await;
    trial.until_seats(1).await;
    trial.stage.forge.set_team("leads", &["cy", "tidegate"]);
    trial.answers_expire().await;
    trial.until_void("bob", |why| matches!(why, Why::NotListed { .. })).await;
    trial.stage.forge.review("cy", pull, Verdict::Approve).unwrap();
    trial.until_seats(1).await;
    trial.ends().await;
}

/// Bob approves, and leaves the team before Cy approves.
#[tokio::test(start_paused = true)]
async fn real_forge_d6_each_approval_has_the_memberships_of_all_asked_again() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    stage.forge.add_team("leads", &["bob", "cy", "tidegate"]);
    let rules = json!([{ "name": "review", "count": 2, "of": ["team:platform/leads"] }]);
    let mut trial = Trial::on(stage, &rules).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    trial.until_seats(1).await;
    trial.stage.forge.set_team("leads", &["cy", "tidegate"]);
    trial.stage.forge.review("cy", pull, Verdict::Approve).unwrap();
    trial.until_void("bob", |why| matches!(why, Why::NotListed { .. })).await;
    trial.until_seats(1).await;
    // Bob is in the team again, and says so once more.
    trial.stage.forge.set_team("leads", &["bob", "cy", "tidegate"]);
    trial.moment().await;
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn the_approval_of_a_removed_account_does_not_count_on_github() {
    let rules = json!([{ "name": "review", "count": 2, "of": ["forge:bob", "forge:cy", "role:maintain"] }]);
    let mut trial = Trial::start(ForgeKind::GitHub, &rules).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    trial.until_seats(1).await;
    trial.stage.forge.remove_account("bob").unwrap();
    trial.until_void("", |why| *why == Why::NoAccount).await;
    trial.stage.forge.review("cy", pull, Verdict::Approve).unwrap();
    trial.until_seats(1).await;
    trial.assert_held().await;
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_review_whose_commit_github_lost_does_not_count() {
    let rules = json!([{ "name": "review", "of": ["forge:bob"] }]);
    let stage = Stage::with(ForgeKind::GitHub, |options| options.behavior.loses_commits = true).await;
    let mut trial = Trial::on(stage, &rules).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    trial.until_void("bob", |why| *why == Why::NoCommit).await;
    trial.stage.forge.set_behavior(Behavior::default());
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn a_pull_request_whose_fork_was_removed_keeps_its_approvals() {
    let mut trial = Trial::start(ForgeKind::GitHub, &json!([{ "name": "review", "of": ["forge:bob"] }])).await;
    trial.stage.upgrade("up");
    trial.stage.forge.add_fork("ada").unwrap();
    trial.stage.forge.remove_branch("up").unwrap();
    let pull = trial.stage.forge.open_pull("ada", "ada:up", "main", "Upgrade").unwrap();
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_record(pull, |record| record.opinions.len() == 1).await;
    trial.stage.forge.remove_fork("ada");
    trial.until_record(pull, |record| record.opinions.len() == 1).await;
    trial.stage.forge.merge("bob", pull, Method::Squash).unwrap();
    trial.completes().await;
}
