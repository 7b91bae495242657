//! Failures that a test asks for, and the mistakes of clients.

use axum::http::Request;
use serde_json::{Value, json};
use tidegate_fake_forge::{Fault, Gate, HungUp};
use tidegate_model::forge::ForgeKind;

use super::support::Stage;

const PROJECT: &str = "/repos/platform/fleet";

#[tokio::test]
async fn an_answer_can_be_lost_before_and_after_the_write() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let (number, _) = stage.pull("up").await;
    let path = format!("{PROJECT}/issues/{number}/comments");
    let token = format!("token {}", stage.forge.token_of("tidegate"));
    let headers = [("Authorization", &*token)];
    for (fault, count) in [(Fault::HangUp, 0), (Fault::HangUpAfterWrite, 1), (Fault::Truncate(10), 2)] {
        stage.forge.fail_next("POST /comments", fault.clone());
        // Other requests do not fail.
        assert_eq!(stage.get("bob", &path).await.status, 200);
        let lost = stage.request("POST", &path, &headers, &json!({ "body": "x" })).await;
        assert!(lost.is_err(), "{fault:?}");
        assert_eq!(stage.forge.comments(number).len(), count, "{fault:?}");
    }
    stage.forge.fail_next(&*path, Fault::Garbage);
    assert!(stage.get("bob", &path).await.body.is_string());
    stage.forge.down(true);
    assert!(stage.request("GET", &path, &headers, &Value::Null).await.is_err());
    stage.forge.down(false);
    assert_eq!(stage.get("bob", &path).await.status, 200);
    assert_eq!(stage.forge.requests().iter().filter(|request| request.status.is_none()).count(), 3);
}

#[tokio::test]
async fn answers_of_a_client_that_is_too_fast_can_be_asked_for() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    stage.forge.fail_next(PROJECT, Fault::secondary_limit(60));
    let refused = stage.get("bob", PROJECT).await;
    assert_eq!((refused.status, refused.header("retry-after")), (403, "60"));
    stage.forge.fail_next(PROJECT, Fault::retry_later(30, 1_609_844_400));
    let refused = stage.get("bob", PROJECT).await;
    assert_eq!((refused.status, refused.header("ratelimit-reset")), (429, "1609844400"));
    assert_eq!(refused.body, json!("Retry later\n"));
}

#[tokio::test]
async fn a_held_request_does_nothing_before_it_is_released() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let (number, _) = stage.pull("up").await;
    let gate = Gate::new();
    stage.forge.fail_next("POST /comments", Fault::Slow(gate.clone()));
    let path = format!("{PROJECT}/issues/{number}/comments");
    let write = stage.post("tidegate", &path, json!({ "body": "x" }));
    let watch = async {
        gate.arrived().await;
        assert_eq!(stage.forge.comments(number).len(), 0);
        gate.release();
    };
    let (written, ()) = tokio::join!(write, watch);
    assert_eq!((written.status, stage.forge.comments(number).len()), (201, 1));
}

#[tokio::test]
async fn unknown_routes_and_bursts_of_writes_are_problems() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let (number, _) = stage.pull("up").await;
    stage.forge.assert_clean();
    assert_eq!(stage.get("bob", &format!("{PROJECT}/unheard-of")).await.status, 404);
    assert_eq!(stage.forge.problems().len(), 1);
    assert!(stage.forge.requests().last().unwrap().is_unknown);
    let path = format!("{PROJECT}/issues/{number}/comments");
    for _ in 0..80 {
        stage.post("tidegate", &path, json!({ "body": "x" })).await;
    }
    assert_eq!(stage.forge.problems().len(), 1);
    stage.post("tidegate", &path, json!({ "body": "x" })).await;
    assert_eq!(stage.forge.problems().len(), 2);
}

#[tokio::test]
async fn a_call_in_process_has_the_answer_of_the_server() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let (number, _) = stage.pull("up").await;
    let (path, authorization) = (
        format!("{PROJECT}/issues/{number}/comments?per_page=1"),
        format!("Bearer {}", stage.forge.token_of("tidegate")),
    );
    let call = async |method: &str, body: &Value| {
        let request = Request::builder().method(method).uri(format!("{}{path}", stage.forge.url()));
        let request = request.header("user-agent", "test").header("authorization", &authorization);
        stage.forge.call(request.body(body.to_string().into_bytes()).unwrap()).await
    };
    for body in ["one", "two"] {
        assert_eq!(call("POST", &json!({ "body": body })).await.unwrap().status(), 201);
    }
    let served = stage.get("tidegate", &path).await;
    let called = call("GET", &Value::Null).await.unwrap();
    assert_eq!(called.status(), served.status);
    assert_eq!(serde_json::from_slice::<Value>(called.body()).unwrap(), served.body);
    assert_eq!(called.headers()["link"], served.header("link"));
    for fault in [Fault::HangUp, Fault::HangUpAfterWrite, Fault::Truncate(10)] {
        stage.forge.fail_next("GET /comments", fault);
        assert_eq!(call("GET", &Value::Null).await.unwrap_err(), HungUp);
    }
    stage.forge.fail_next("GET /comments", Fault::Status(503, Vec::new(), "oops".to_owned()));
    assert_eq!(call("GET", &Value::Null).await.unwrap().status(), 503);
    let statuses: Vec<_> = stage.forge.requests().iter().rev().take(4).map(|request| request.status).collect();
    assert_eq!(statuses, [Some(503), Some(200), None, None]);
}
