//! What is published on Gitea and Forgejo.

use serde_json::{Value, json};
use tidegate_forge::{CommitStatus, Deployment, Error, NewPull, State};
use tidegate_model::forge::PullState;

use super::gitea;
use crate::objects::{gitea_pull, with};
use crate::support::{Answer, commit};

#[tokio::test]
async fn a_running_status_is_pending_and_its_answer_has_another_field() {
    let (server, forge) = gitea(|seen| match seen.line.starts_with("POST") {
        true => Answer::json(201, json!({ "id": 7, "status": "pending", "context": "tidegate/plan" })),
        false => Answer::counted(
            4,
            json!([
                { "id": 4, "status": "success", "context": "tidegate/plan", "description": "ok", "creator": { "id": 9, "login": "t" } },
                { "id": 3, "status": "pending", "context": "tidegate/plan", "description": "", "creator": { "id": 9, "login": "t" } },
                { "id": 2, "status": "warning", "context": "ci", "description": "", "creator": null },
                { "id": 1, "status": "error", "context": "scan", "description": "", "creator": null },
            ]),
        ),
    })
    .await;
    let text = "ä".repeat(300);
    forge
        .status(&commit('a'), "tidegate/plan", State::Running, &text, Some("https://h/x"), Some("main"))
        .await
        .unwrap();
    let written = &server.writes()[0];
    assert_eq!(written.line, format!("POST /api/v1/repos/platform/fleet/statuses/{}", "a".repeat(40)));
    let description = format!("{}…", "ä".repeat(254));
    let expected = json!({ "state": "pending", "context": "tidegate/plan", "description": description, "target_url": "https://h/x" });
    assert_eq!(written.body, expected);
    let status = |context: &str, state, text: &str, creator| CommitStatus {
        context: context.to_owned(),
        state,
        text: text.to_owned(),
        creator,
    };
    let expected = [
        status("tidegate/plan", State::Success, "ok", Some(9)),
        status("ci", State::Failure, "", None),
        status("scan", State::Error, "", None),
    ];
    assert_eq!(forge.statuses(&commit('a')).await.unwrap(), expected);
}

#[tokio::test]
async fn a_status_of_a_commit_that_does_not_exist_can_be_retried() {
    let (_, forge) =
        gitea(|_| Answer::json(500, json!({ "message": "object does not exist", "url": "https://h/api/swagger" })))
            .await;
    let error = forge.status(&commit('a'), "x", State::Success, "", None, None).await.unwrap_err();
    assert!(matches!(&error, Error::Unreachable(why) if why.contains("object does not exist")), "{error}");
}

#[tokio::test]
async fn deployments_and_check_runs_are_not_supported() {
    let (server, forge) = gitea(|_| Answer::not_found()).await;
    let deployment = Deployment {
        commit: commit('a'),
        branch: "main".to_owned(),
        environment: "istio/rest".to_owned(),
        task: "tidegate".to_owned(),
        payload: json!({}),
        description: String::new(),
    };
    assert!(matches!(forge.deployment(&deployment).await, Err(Error::Unsupported(_))));
    assert!(matches!(forge.deployment_state(1, "x", State::Success, "", None).await, Err(Error::Unsupported(_))));
    assert_eq!(server.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn a_pull_request_is_opened_found_and_closed() {
    let opened = |number: u64, fields: Value| {
        let own = json!({ "user": { "id": 9, "login": "tidegate" }, "head": { "label": "tidegate/gate/x", "ref": "refs/pull/1/head", "sha": "a".repeat(40), "repo_id": 1 } });
        with(with(gitea_pull(number), own), fields)
    };
    let (server, forge) = gitea(move |seen| match seen.line.as_str() {
        "POST /api/v1/repos/platform/fleet/pulls" => Answer::json(201, opened(8, json!({}))),
        "PATCH /api/v1/repos/platform/fleet/pulls/8" => Answer::json(201, opened(8, json!({ "state": "closed" }))),
        "GET /api/v1/repos/platform/fleet/pulls" => {
            assert_eq!((seen.get("state"), seen.get("sort")), (Some("all"), None));
            let impostor = json!({ "user": { "id": 2, "login": "eve" } });
            let fork = json!({ "head": { "label": "tidegate/gate/x", "ref": "tidegate/gate/x", "sha": "a".repeat(40), "repo_id": 4 } });
            let closed = json!({ "state": "closed" });
            Answer::counted(9, json!([gitea_pull(9), opened(7, impostor), opened(6, fork), opened(5, closed), opened(4, json!({}))]))
        }
        line => panic!("{line}"),
    })
    .await;
    let new = NewPull {
        title: "Gate".to_owned(),
        body: "text".to_owned(),
        head_branch: "tidegate/gate/x".to_owned(),
        base_branch: "main".to_owned(),
    };
    assert_eq!(forge.open_pull(&new).await.unwrap().number, 8);
    forge.close_pull(8).await.unwrap();
    let found = forge.find_pull("tidegate/gate/x", "main").await.unwrap().unwrap();
    assert_eq!((found.number, found.state), (5, PullState::Closed));
    let expected = [
        json!({ "title": "Gate", "body": "text", "head": "tidegate/gate/x", "base": "main" }),
        json!({ "state": "closed" }),
    ];
    assert_eq!(server.writes().into_iter().map(|seen| seen.body).collect::<Vec<_>>(), expected);
}
