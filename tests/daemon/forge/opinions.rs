//! What people say about a pull request, who says it, and what of it counts.

use serde_json::json;
use tidegate_consent::{Standing, Why};
use tidegate_fake_forge::{Method, Role, Verdict};
use tidegate_model::forge::ForgeKind;

use super::stage::{CONFIG, Stage};
use super::trial::Trial;

/// Bob approves, Cy dismisses that and merges. Then Bob approves again.
#[tokio::test(start_paused = true)]
async fn an_approval_that_gitea_marks_as_dismissed_does_not_count() {
    let mut trial = Trial::start(ForgeKind::Gitea, &json!([{ "name": "review", "of": ["forge:bob"] }])).await;
    let (pull, _) = trial.stage.open("up");
    let review = trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_record(pull, |record| record.opinions.len() == 1).await;
    trial.stage.forge.dismiss("cy", pull, review).unwrap();
    trial.stage.forge.merge("cy", pull, Method::Merge).unwrap();
    trial.until_void("bob", |why| *why == Why::Dismissed).await;
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn an_approval_that_gitlab_does_not_show_any_more_does_not_count() {
    let rules = json!([{ "name": "review", "count": 2, "of": ["forge:bob", "forge:cy"] }]);
    let mut trial = Trial::start(ForgeKind::GitLab, &rules).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_record(pull, |record| record.opinions.len() == 1).await;
    trial.stage.forge.merge("cy", pull, Method::Merge).unwrap();
    trial.until_seats(1).await;
    trial.stage.forge.unapprove("bob", pull).unwrap();
    trial.until_seats(0).await;
    trial.stage.forge.review("cy", pull, Verdict::Approve).unwrap();
    trial.until_seats(1).await;
    trial.assert_held().await;
    trial.ends().await;
}

/// Bob approves, then requests changes, which also blocks the approval by Cy. Eve, whom the rule does not list, blocks nothing.
#[tokio::test(start_paused = true)]
async fn the_last_opinion_of_each_person_decides_on_github() {
    let rules = json!([{ "name": "review", "of": ["forge:bob", "forge:cy"] }]);
    let mut trial = Trial::start(ForgeKind::GitHub, &rules).await;
    let (pull, _) = trial.stage.open("up");
    for (login, verdict) in [
        ("bob", Verdict::Approve),
        ("bob", Verdict::RequestChanges),
        ("eve", Verdict::RequestChanges),
        ("cy", Verdict::Approve),
    ] {
        trial.stage.forge.review(login, pull, verdict).unwrap();
    }
    trial.stage.forge.merge("cy", pull, Method::Merge).unwrap();
    let refused = |verdict: &tidegate_consent::Verdict| {
        let people = verdict.missing.iter().flat_map(|missing| &missing.refused);
        people.filter_map(|refusal| refusal.person.clone()).collect::<Vec<_>>()
    };
    let verdict = trial.until_verdict("Bob refuses", |verdict| !refused(verdict).is_empty()).await;
    assert_eq!((refused(&verdict), verdict.have.len()), (vec!["bob".to_owned()], 1));
    trial.assert_held().await;
    trial.stage.forge.review("bob", pull, Verdict::Comment).unwrap();
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.completes().await;
}

#[tokio::test(start_paused = true)]
async fn a_merge_request_is_not_approved_by_its_author_nor_by_others_than_the_rule_lists() {
    let trial = Trial::start(ForgeKind::GitLab, &json!([{ "name": "review", "of": ["forge:ada", "forge:bob"] }])).await;
    takes_part(trial, &["ada", "eve"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_pull_request_is_not_approved_by_bots_nor_by_co_authors() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    stage.forge.add_bot("renovate[bot]", Role::Write);
    stage.people("cy = [\"cy@example.com\", \"forge:cy\"]\n");
    let rules = json!([{ "name": "review", "of": ["forge:renovate[bot]", "cy", "forge:bob"] }]);
    takes_part(Trial::on(stage, &rules).await, &["renovate[bot]", "cy", "eve"]).await;
}

/// Ada opens an upgrade with Cy as co-author. None of these approvals counts, and that of Bob does.
async fn takes_part(mut trial: Trial, others: &[&str]) {
    let (pull, _) = trial.stage.open_with("up", "upgrade hello-template\n\nCo-authored-by: Cy <cy@example.com>\n");
    for login in others {
        trial.stage.forge.review(login, pull, Verdict::Approve).unwrap();
    }
    trial.stage.forge.merge("bob", pull, Method::Merge).unwrap();
    for login in others {
        let is_reason = |why: &Why| match *login {
            "eve" => matches!(why, Why::NotListed { .. }),
            "renovate[bot]" => matches!(why, Why::Bot { .. }),
            _ => matches!(why, Why::Author { .. }),
        };
        trial.until_void(login, is_reason).await;
    }
    trial.until_record(pull, |record| record.state == Standing::Merged).await;
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.completes().await;
}

/// Bob pushes his own commit into Ada's pull request, with an address that no account has, and approves.
#[tokio::test(start_paused = true)]
async fn a_reviewer_does_not_approve_what_he_pushed_into_a_pull_request_under_an_unknown_address() {
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea] {
        let mut trial = Trial::start(kind, &json!([{ "name": "review", "of": ["forge:bob"] }])).await;
        let (pull, _) = trial.stage.open("up");
        let text = trial.stage.world.read("up", CONFIG).replace("\"2\"", "\"3\"");
        let head = trial.stage.write_as("bob@home.example", "up", CONFIG, &text);
        trial.until_record(pull, |record| record.trees.contains_key(&head)).await;
        trial.moment().await;
        trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
        trial.until_record(pull, |record| record.opinions.len() == 1).await;
        trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
        trial.until_void("bob", |why| matches!(why, Why::AuthorsUnknown { .. })).await;
        trial.ends().await;
    }
}

/// Bob pushes his own commit into Ada's pull request, in her name, and approves. The forge tells that he pushed.
#[tokio::test(start_paused = true)]
async fn a_reviewer_does_not_approve_what_he_pushed_into_a_pull_request_in_the_name_of_its_author() {
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab] {
        let mut trial = Trial::start(kind, &json!([{ "name": "review", "of": ["forge:bob", "forge:cy"] }])).await;
        let (pull, _) = trial.stage.open("up");
        trial.stage.edit_on("up", CONFIG, "\"2\"", "\"3\"");
        trial.stage.forge.pushed("bob", "up").unwrap();
        trial.until_record(pull, |record| record.pushers.len() == 1).await;
        trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
        trial.until_record(pull, |record| record.opinions.len() == 1).await;
        trial.stage.forge.merge("ada", pull, Method::Squash).unwrap();
        trial.until_void("bob", |why| matches!(why, Why::Author { .. })).await;
        trial.stage.forge.review("cy", pull, Verdict::Approve).unwrap();
        trial.completes().await;
    }
}
