//! What is published on GitHub.

use serde_json::json;
use tidegate_forge::{Annotation, CheckRun, Deployment, Error, Forge, Level, State};
use tidegate_model::forge::ForgeKind;

use super::github;
use crate::support::{Answer, Server, commit, setup};

#[tokio::test]
async fn both_shapes_of_a_refusal_are_shown() {
    let too_many = "Validation failed: This SHA and context has reached the maximum number of statuses.";
    let field = json!([{ "resource": "Status", "code": "custom", "field": "description", "message": "description is too long (maximum is 140 characters)" }]);
    for (errors, expected) in [(json!(too_many), too_many), (field, "description: description is too long")] {
        let (server, forge) =
            github(move |_| Answer::json(422, json!({ "message": "Validation Failed", "errors": errors }))).await;
        let text = "x".repeat(141);
        let error = forge.status(&commit('a'), "x", State::Pending, &text, None, None).await.unwrap_err();
        assert!(matches!(&error, Error::Invalid { why, .. } if why.contains(expected)), "{error}");
        assert_eq!(server.seen()[0].body["description"], json!(format!("{}…", "x".repeat(139))));
    }
}

#[tokio::test]
async fn the_latest_status_of_a_context_is_the_first() {
    let (_, forge) = github(|_| {
        Answer::ok(json!([
            { "state": "failure", "context": "CI", "description": null, "creator": { "id": 1, "login": "x" } },
            { "state": "success", "context": "ci", "description": "old", "creator": null },
        ]))
    })
    .await;
    let found = forge.statuses(&commit('a')).await.unwrap();
    assert_eq!((found.len(), found[0].state, found[0].creator), (1, State::Failure, Some(1)));
}

#[tokio::test]
async fn a_deployment_neither_merges_nor_waits_for_checks() {
    let deployment = Deployment {
        commit: commit('a'),
        branch: "main".to_owned(),
        environment: "istio/rest".to_owned(),
        task: "tidegate".to_owned(),
        payload: json!({ "rollout": 7 }),
        description: "x".repeat(200),
    };
    let (server, forge) = github(|_| Answer::json(201, json!({ "id": 12 }))).await;
    assert_eq!(forge.deployment(&deployment).await, Ok(12));
    forge.deployment_state(12, "istio/rest", State::Running, "3 of 8", Some("https://h/x")).await.unwrap();
    let writes = server.writes();
    assert_eq!((&writes[0].body["auto_merge"], &writes[0].body["required_contexts"]), (&json!(false), &json!([])));
    assert_eq!(writes[0].body["description"].as_str().unwrap().chars().count(), 140);
    assert_eq!(writes[1].line, "POST /repos/platform/fleet/deployments/12/statuses");
    let expected = json!({ "state": "in_progress", "description": "3 of 8", "environment": "istio/rest", "log_url": "https://h/x" });
    assert_eq!(writes[1].body, expected);
    for (status, body) in [(202, json!({ "message": "Auto-merged main into aaaa" })), (202, json!({ "id": 12 }))] {
        let (_, forge) = github(move |_| Answer::json(status, body.clone())).await;
        assert!(matches!(forge.deployment(&deployment).await, Err(Error::Garbage(_))));
    }
    let (_, forge) = github(|_| Answer::json(409, json!({ "message": "Conflict: Commit status checks failed" }))).await;
    assert!(matches!(forge.deployment(&deployment).await, Err(Error::Conflict(_))));
}

fn run(state: State, annotations: usize) -> CheckRun {
    let annotation = |line: usize| Annotation {
        path: "a.yaml".to_owned(),
        start_line: line as u64 + 1,
        end_line: line as u64 + 1,
        level: Level::Warning,
        message: "look".to_owned(),
    };
    CheckRun {
        name: "tidegate/plan".to_owned(),
        commit: commit('a'),
        state,
        title: "Plan".to_owned(),
        summary: "ä".repeat(70_000),
        text: String::new(),
        link: Some(String::new()),
        annotations: (0..annotations).map(annotation).collect(),
    }
}

#[tokio::test]
async fn a_token_cannot_write_check_runs() {
    let (server, forge) = github(|_| Answer::not_found()).await;
    assert!(matches!(forge.check_run(None, &run(State::Pending, 0)).await, Err(Error::Unsupported(_))));
    assert_eq!(server.lines(), Vec::<String>::new());
}

/// A GitHub App whose check run 5 has a status.
async fn app(status: &'static str) -> (Server, Forge) {
    let server = Server::start(move |seen| match seen.line.as_str() {
        "GET /repos/platform/fleet/installation" => Answer::ok(json!({ "id": 77 })),
        "POST /app/installations/77/access_tokens" => {
            Answer::json(201, json!({ "token": "ghs_x", "expires_at": "2100-01-01T00:00:00Z" }))
        }
        "GET /repos/platform/fleet/check-runs/5" => Answer::ok(json!({ "id": 5, "status": status })),
        "POST /repos/platform/fleet/check-runs" => Answer::json(201, json!({ "id": 6, "status": seen.body["status"] })),
        line => {
            Answer::ok(json!({ "id": line.rsplit('/').next().unwrap().parse::<u64>().unwrap(), "status": "completed" }))
        }
    })
    .await;
    let mut setup = setup(ForgeKind::GitHub, &server);
    let key_file = setup.directory.path().join("app.pem");
    std::fs::write(&key_file, include_str!("../keys/pkcs1.pem")).unwrap();
    setup.settings.auth = tidegate_forge::Auth::App { client_id: "1".to_owned(), key_file };
    (server, setup.forge())
}

#[tokio::test]
async fn annotations_are_sent_in_parts() {
    let (server, forge) = app("queued").await;
    assert_eq!(forge.check_run(None, &run(State::Failure, 120)).await, Ok(6));
    let writes: Vec<_> = server.writes().into_iter().skip(1).collect();
    let lines: Vec<_> = writes.iter().map(|seen| seen.line.as_str()).collect();
    let again = "PATCH /repos/platform/fleet/check-runs/6";
    assert_eq!(lines, ["POST /repos/platform/fleet/check-runs", again, again]);
    let annotations: Vec<_> =
        writes.iter().map(|seen| seen.body["output"]["annotations"].as_array().unwrap().len()).collect();
    assert_eq!(annotations, [50, 50, 20]);
    let first = &writes[0].body;
    assert_eq!((&first["conclusion"], &first["head_sha"]), (&json!("failure"), &json!("a".repeat(40))));
    assert_eq!(first["output"]["summary"].as_str().unwrap().chars().count(), 65_535);
    assert_eq!(first.get("details_url"), None);
}

#[tokio::test]
async fn a_completed_check_run_is_not_opened_again() {
    let rows = [
        ("completed", State::Running, "POST /repos/platform/fleet/check-runs"),
        ("completed", State::Success, "PATCH /repos/platform/fleet/check-runs/5"),
        ("in_progress", State::Pending, "PATCH /repos/platform/fleet/check-runs/5"),
    ];
    for (status, state, expected) in rows {
        let (server, forge) = app(status).await;
        forge.check_run(Some(5), &run(state, 0)).await.unwrap();
        assert_eq!(server.writes().pop().unwrap().line, expected);
    }
}
