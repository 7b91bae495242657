//! Answers with the wrong content. Absence is not consent, so none of them is an empty list.

use serde_json::{Value, json};
use tidegate_forge::{Error, Forge};
use tidegate_model::forge::ForgeKind;

use crate::objects::{gitea_pull, github_pull, gitlab_pull, without};
use crate::support::{Answer, Server, commit, pull, setup};

/// Returns what each question answers, as an error or a description of the answer.
async fn ask(forge: &Forge) -> Vec<(&'static str, Result<String, Error>)> {
    let shown = |answer: Result<String, Error>| answer;
    vec![
        ("open_pulls", shown(forge.open_pulls("main").await.map(|answer| format!("{answer:?}")))),
        ("pull", shown(forge.pull(1).await.map(|answer| format!("{answer:?}")))),
        ("opinions", shown(forge.opinions(&pull(1)).await.map(|answer| format!("{answer:?}")))),
        ("pulls_of", shown(forge.pulls_of(&commit('a')).await.map(|answer| format!("{answer:?}")))),
        ("commits", shown(forge.commits(&pull(1)).await.map(|answer| format!("{answer:?}")))),
        ("statuses", shown(forge.statuses(&commit('a')).await.map(|answer| format!("{answer:?}")))),
    ]
}

#[tokio::test]
async fn an_answer_of_the_wrong_type_is_an_error_for_every_list() {
    let bodies = [
        "",
        " ",
        "null",
        "{}",
        "true",
        "1",
        "\"\"",
        "[null]",
        "[{}]",
        "[[]]",
        "[1]",
        "[",
        "[]]",
        "[] []",
        "<html>",
        "\u{feff}[]",
        "{\"message\":\"ok\"}",
        "[{\"id\":",
        "{\"data\":[]}",
        "{\"approved_by\":null}",
        "{\"approved_by\":{}}",
    ];
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea] {
        for body in bodies {
            let server = Server::start(move |seen| match seen.line.as_str() {
                "GET /api/v1/settings/api" => Answer::ok(json!({ "max_response_items": 50 })),
                _ => Answer::new(200, body).with("x-total-count", 1),
            })
            .await;
            for (question, answer) in ask(&setup(kind, &server).forge()).await {
                assert!(matches!(answer, Err(Error::Garbage(_))), "{kind} {question} {body:?}: {answer:?}");
            }
        }
    }
}

#[tokio::test]
async fn success_without_content_is_not_an_empty_list() {
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea] {
        for status in [202, 204, 304] {
            let server = Server::start(move |_| Answer::new(status, "").with("x-total-count", 0)).await;
            for (question, answer) in ask(&setup(kind, &server).forge()).await {
                assert!(matches!(answer, Err(Error::Garbage(_))), "{kind} {question} {status}: {answer:?}");
            }
        }
    }
}

/// Returns the fields of an object whose absence is not an error.
async fn optional(kind: ForgeKind, object: Value, ask: impl AsyncFn(&Forge) -> Result<(), Error>) -> Vec<String> {
    let mut optional = Vec::new();
    for field in object.as_object().unwrap().keys() {
        let body = without(object.clone(), field);
        let server = Server::start(move |seen| match seen.line.rsplit('/').next().unwrap() {
            "api" => Answer::ok(json!({ "max_response_items": 50 })),
            "approvals" => Answer::ok(json!({ "approved_by": [body.clone()] })),
            "versions" => Answer::ok(json!([])),
            _ => Answer::counted(1, json!([body.clone()])),
        })
        .await;
        match ask(&setup(kind, &server).forge()).await {
            Ok(()) => optional.push(field.clone()),
            Err(error) => assert!(matches!(error, Error::Garbage(_)), "{kind} without {field}: {error}"),
        }
    }
    optional
}

#[tokio::test]
async fn a_pull_request_without_a_field_that_matters_is_an_error() {
    let ask = async |forge: &Forge| forge.open_pulls("main").await.map(|_| ());
    assert_eq!(optional(ForgeKind::GitHub, github_pull(1), ask).await, ["author_association", "draft", "mergeable"]);
    let gitlab = optional(ForgeKind::GitLab, gitlab_pull(1), ask).await;
    let expected = ["draft", "has_conflicts", "id", "merge_commit_sha", "merge_user", "merged_at", "squash_commit_sha"];
    assert_eq!(gitlab, expected);
    let gitea = optional(ForgeKind::Gitea, gitea_pull(1), ask).await;
    let expected = ["draft", "id", "is_locked", "merge_commit_sha", "mergeable", "merged_at", "merged_by", "user"];
    assert_eq!(gitea, expected);
}

#[tokio::test]
async fn a_review_without_a_field_that_matters_is_an_error() {
    let ask = async |forge: &Forge| forge.opinions(&pull(1)).await.map(|_| ());
    let review = json!({
        "id": 80, "user": { "login": "bob", "id": 1, "type": "User" }, "state": "APPROVED", "commit_id": "a".repeat(40),
        "submitted_at": "2026-11-22T10:31:00Z", "html_url": "https://h", "author_association": "MEMBER", "body": "",
        "dismissed": false, "stale": false, "official": true, "team": null,
    });
    let github = optional(ForgeKind::GitHub, review.clone(), ask).await;
    assert_eq!(github, ["author_association", "body", "dismissed", "official", "stale", "submitted_at", "team"]);
    let gitea = optional(ForgeKind::Gitea, review, ask).await;
    assert_eq!(gitea, ["author_association", "body", "official", "stale", "team"]);
    let approval = json!({ "user": { "id": 1, "username": "root" }, "approved_at": "2026-11-22T10:31:00.000Z" });
    assert_eq!(optional(ForgeKind::GitLab, approval, ask).await, ["approved_at"]);
}

#[tokio::test]
async fn unknown_states_are_errors_and_not_left_out() {
    for (kind, state) in [(ForgeKind::GitHub, "Approved"), (ForgeKind::GitHub, ""), (ForgeKind::Gitea, "DISMISSED")] {
        let review = json!({
            "id": 80, "user": null, "state": state, "commit_id": "a".repeat(40), "submitted_at": "2026-11-22T10:31:00Z",
            "html_url": "https://h", "dismissed": false,
        });
        let server = Server::start(move |_| Answer::counted(1, json!([review]))).await;
        let error = setup(kind, &server).forge().opinions(&pull(1)).await.unwrap_err();
        assert!(matches!(error, Error::Garbage(_)), "{kind} {state}: {error}");
    }
}
