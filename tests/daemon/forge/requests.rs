//! Requests of the daemon for approvals: who opens the gate with them, and how.

use std::time::Duration;

use serde_json::json;
use tidegate_consent::{Standing, Why};
use tidegate_daemon::reconciler::Snapshot;
use tidegate_fake_forge::{Fault, Method, PullRecord, Verdict};
use tidegate_model::forge::ForgeKind;

use super::stage::Stage;
use super::trial::{Trial, quiet};
use crate::daemon::decisions::history;
use crate::daemon::world::eventually;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// A direct push of Ada's waits for Bob, and the daemon has asked for his approval.
async fn asked(kind: ForgeKind, of: &[&str]) -> (Trial, PullRecord) {
    let trial = asking(Stage::new(kind).await, of).await;
    trial.stage.upgrade("main");
    let request = trial.until_request().await;
    (trial, request)
}

/// Starts a daemon that makes requests. Its operator lets claims of authors count, because direct pushes are not signed.
async fn asking(stage: Stage, of: &[&str]) -> Trial {
    with_rules(stage, &json!([{ "name": "review", "of": of }])).await
}

async fn with_rules(stage: Stage, rules: &serde_json::Value) -> Trial {
    let mut config = quiet(&stage);
    config.policy.claimed_authors = true;
    config.forge.as_mut().unwrap().publish.gates = true;
    Trial::with(stage, config, rules).await
}

#[tokio::test(start_paused = true)]
async fn a_request_that_someone_closes_is_refused_until_it_is_reopened_on_github() {
    let (mut trial, request) = asked(ForgeKind::GitHub, &["forge:bob"]).await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.stage.forge.close("cy", request.number).unwrap();
    let is_closed = |verdict: &tidegate_consent::Verdict| {
        verdict.missing.as_ref().is_some_and(|missing| missing.to_string().contains("reopen it to ask again"))
    };
    let verdict = trial.until_verdict("the request is refused", is_closed).await;
    assert_eq!(verdict.have.len(), 1);
    trial.assert_held().await;
    assert_eq!(trial.requests().len(), 1, "no other request is opened");
    trial.stage.forge.reopen("cy", request.number).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn a_request_whose_branch_someone_changed_opens_nothing() {
    let (mut trial, request) = asked(ForgeKind::Gitea, &["forge:bob"]).await;
    trial.stage.write_on(&request.head_branch, "fleet/more.yaml", "# more\n");
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.until_void("bob", |why| matches!(why, Why::OtherCommit { .. })).await;
    trial.stage.forge.merge("bob", request.number, Method::Merge).unwrap();
    trial.until_record(request.number, |record| record.state == Standing::Merged).await;
    trial.until_void("bob", |why| matches!(why, Why::OtherCommit { .. })).await;
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn real_forge_d11_the_history_says_who_approved_and_where() {
    let (mut trial, request) = asked(ForgeKind::GitHub, &["forge:bob"]).await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.until_settled().await;
    trial.stage.world.until_sealed_of("hello-template", 2).await;
    let details = history(&trial.stage.world, &["hello-template"]);
    let approved = details.lines().find(|line| line.starts_with("  approved  ")).unwrap_or_default();
    let wanted = format!(" on pull request {} for \"review\" ", request.number);
    assert!(approved.contains("by bob") && approved.contains(&wanted), "{details}");
    let sealed = trial.stage.world.read("tidegate/journal", "addons/hello-template/rollouts/2.yaml");
    assert!(sealed.contains("- approved:") && sealed.contains("person: bob"), "{sealed}");
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn whoever_merges_a_request_approves_it_if_the_rule_lists_them() {
    let (trial, request) = asked(ForgeKind::GitHub, &["forge:bob"]).await;
    trial.stage.forge.merge("bob", request.number, Method::Squash).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn a_merge_of_a_request_by_someone_else_opens_nothing_and_those_listed_can_still_approve() {
    let (mut trial, request) = asked(ForgeKind::GitHub, &["forge:bob"]).await;
    trial.stage.forge.merge("cy", request.number, Method::Merge).unwrap();
    trial.until_void("cy", |why| matches!(why, Why::NotListed { .. })).await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn a_merge_of_a_request_counts_although_the_team_could_not_be_read_at_first() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    stage.forge.add_team("leads", &["bob"]);
    let mut trial = asking(stage, &["team:platform/leads"]).await;
    trial.stage.upgrade("main");
    let request = trial.until_request().await;
    trial.stage.forge.fail_next("/teams/leads/", Fault::Status(500, Vec::new(), String::new()));
    trial.stage.forge.merge("bob", request.number, Method::Merge).unwrap();
    trial.until_void("bob", |why| matches!(why, Why::MembershipUnknown { .. })).await;
    trial.completes().await;
}

/// Bob reviewed a commit of the pull request that was replaced, and approves the request. Then he joins the team.
#[tokio::test(start_paused = true)]
async fn real_forge_d6_someone_who_joins_the_team_counts_on_every_request() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    stage.forge.add_team("leads", &["cy", "tidegate"]);
    let mut trial = asking(stage, &["team:platform/leads"]).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_record(pull, |record| !record.memberships.is_empty()).await;
    trial.stage.edit_on("up", ADDON, "progressDeadline: 10m", "progressDeadline: 9m");
    trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    let request = trial.until_request().await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.until_void("bob", |why| matches!(why, Why::NotListed { .. })).await;
    trial.stage.forge.set_team("leads", &["bob", "cy", "tidegate"]);
    trial.answers_expire().await;
    trial.completes().await;
}

/// Ada's pull request is merged without a review. The daemon asks, and Ada approves that.
#[tokio::test(start_paused = true)]
async fn the_author_of_a_change_does_not_approve_its_request_on_gitlab() {
    let mut trial = asking(Stage::new(ForgeKind::GitLab).await, &["forge:ada", "forge:bob"]).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.merge("bob", pull, Method::Merge).unwrap();
    let request = trial.until_request().await;
    trial.stage.forge.review("ada", request.number, Verdict::Approve).unwrap();
    trial.until_void("ada", |why| matches!(why, Why::Author { .. })).await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn a_request_is_opened_once_although_the_daemon_is_killed_between_the_push_and_the_request() {
    opened_once(Fault::HangUp).await;
}

#[tokio::test(start_paused = true)]
async fn a_request_is_opened_once_although_the_daemon_is_killed_before_it_has_the_answer() {
    opened_once(Fault::HangUpAfterWrite).await;
}

async fn opened_once(fault: Fault) {
    let mut trial = asking(Stage::new(ForgeKind::Gitea).await, &["forge:bob"]).await;
    trial.stage.forge.fail_next("POST /pulls", fault);
    trial.stage.upgrade("main");
    trial.look();
    let sent = || trial.stage.forge.requests().iter().any(|r| r.method == "POST" && r.target.ends_with("/pulls"));
    trial.looking(eventually("the request is sent", async || sent())).await;
    trial = trial.restarted().await;
    let request = trial.until_request().await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.until_settled().await;
    assert_eq!(trial.requests().len(), 1);
    trial.until_closed(&request).await;
    trial.ends().await;
}

/// Bob approves the upgrade, Ada reverts it, and someone commits it again: with the old approval, anyone who may push could go back to
/// whatever was approved once.
#[tokio::test(start_paused = true)]
async fn a_request_of_an_earlier_rollout_does_not_approve_the_same_digest_again() {
    let (mut trial, first) = asked(ForgeKind::GitHub, &["forge:bob"]).await;
    trial.stage.forge.review("bob", first.number, Verdict::Approve).unwrap();
    trial.until_settled().await;
    trial.until_closed(&first).await;
    trial.moment().await;
    trial.stage.downgrade();
    let second = trial.until_request_after(&[&first]).await;
    trial.stage.forge.review("bob", second.number, Verdict::Approve).unwrap();
    trial.until_version("0.4.0").await;
    trial.until_closed(&second).await;
    trial.moment().await;
    trial.stage.upgrade("main");
    let third = trial.until_request_after(&[&first, &second]).await;
    assert_ne!((third.number, &third.head_branch), (first.number, &first.head_branch));
    trial.stage.forge.reopen("cy", first.number).unwrap();
    trial.until_void("bob", |why| matches!(why, Why::EarlierRequest { .. })).await;
    trial.stage.forge.review("bob", third.number, Verdict::Approve).unwrap();
    trial.completes().await;
}

/// Bob merges the request for the upgrade, the one for the way back, and the one for the upgrade again.
#[tokio::test(start_paused = true)]
async fn real_forge_d3_the_request_for_a_digest_whose_request_was_merged_can_be_merged() {
    let (mut trial, first) = asked(ForgeKind::Gitea, &["forge:bob"]).await;
    trial.stage.forge.merge("bob", first.number, Method::Merge).unwrap();
    trial.until_settled().await;
    trial.moment().await;
    trial.stage.downgrade();
    let second = trial.until_request_after(&[&first]).await;
    trial.stage.forge.merge("bob", second.number, Method::Merge).unwrap();
    trial.until_version("0.4.0").await;
    trial.moment().await;
    trial.stage.upgrade("main");
    let third = trial.until_request_after(&[&first, &second]).await;
    assert_ne!(trial.stage.tip(&third.head_branch), trial.stage.tip("main"), "it has a commit of its own");
    trial.stage.forge.merge("bob", third.number, Method::Merge).unwrap();
    trial.completes().await;
}

/// The approval has expired, and the request is merged.
#[tokio::test(start_paused = true)]
async fn real_forge_d4_a_cluster_that_joins_later_is_asked_for_with_a_request_of_its_own() {
    let rules = json!([{ "name": "review", "of": ["forge:bob"], "maxAge": "1h" }]);
    let mut trial = with_rules(Stage::new(ForgeKind::Gitea).await, &rules).await;
    trial.stage.upgrade("main");
    let first = trial.until_request().await;
    trial.stage.forge.merge("bob", first.number, Method::Merge).unwrap();
    trial.until_settled().await;
    trial.stage.world.label("aws-001", "fleet", "other").await;
    let count = |s: &Snapshot| s.report.addons.get("hello-template").map(|addon| addon.counts().succeeded);
    trial.daemon.until("a cluster has left", |s| count(s) == Some(19) && s.writes == 0).await;
    tokio::time::sleep(Duration::from_secs(2 * 60 * 60)).await;
    trial.stage.world.label("aws-001", "fleet", "demo").await;
    let second = trial.until_request_after(&[&first]).await;
    trial.stage.forge.merge("bob", second.number, Method::Merge).unwrap();
    trial.completes().await;
}

/// Bob merges the request that two people must approve.
#[tokio::test(start_paused = true)]
async fn real_forge_d8_what_is_missing_names_the_request_although_the_first_of_two_has_merged_it() {
    let rules = json!([{ "name": "review", "count": 2, "of": ["forge:bob", "forge:cy"] }]);
    let mut trial = with_rules(Stage::new(ForgeKind::Gitea).await, &rules).await;
    trial.stage.upgrade("main");
    let request = trial.until_request().await;
    trial.stage.forge.merge("bob", request.number, Method::Merge).unwrap();
    let verdict = trial.until_seats(1).await;
    let missing = verdict.missing.unwrap();
    let [url] = missing.on.as_slice() else { panic!("{missing:?}") };
    assert!(url.ends_with(&format!("/pulls/{}", request.number)), "{url}");
    assert!(missing.to_string().ends_with(&format!("; a review counts on {url}")), "{missing}");
    trial.until_journaled("addons/hello-template/status.yaml", url).await;
    trial.stage.forge.review("cy", request.number, Verdict::Approve).unwrap();
    trial.completes().await;
}

/// Mallory may push, and puts a commit of her own below the commit of a request whose pull request is not open yet.
#[tokio::test(start_paused = true)]
async fn a_branch_of_a_request_with_foreign_commits_below_it_is_not_used() {
    let mut trial = asking(Stage::new(ForgeKind::Gitea).await, &["forge:bob"]).await;
    trial.stage.forge.fail_next("POST /pulls", Fault::HangUp);
    trial.stage.upgrade("main");
    trial.look();
    let sent = || trial.stage.forge.requests().iter().any(|r| r.method == "POST" && r.target.ends_with("/pulls"));
    trial.looking(eventually("the request is sent", async || sent())).await;
    trial.stage.put_below_request("fleet/evil.yaml", "# evil\n");
    trial = trial.restarted().await;
    trial.looking(tokio::time::sleep(Duration::from_secs(60))).await;
    trial.assert_held().await;
    assert_eq!(trial.requests().len(), 0, "its merge would merge the other commit");
    trial.stage.remove_request_branch();
    let request = trial.until_request().await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.completes().await;
}
