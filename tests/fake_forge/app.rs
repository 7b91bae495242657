//! GitHub Apps.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};
use tidegate_model::forge::ForgeKind;

use super::support::{Answer, Stage};

/// A key that only this test uses.
const KEY: &[u8] = include_bytes!("app_key.der");

fn signed(claims: &Value) -> String {
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", part(&json!({ "alg": "RS256", "typ": "JWT" })), part(claims));
    let key = RsaKeyPair::from_der(KEY).unwrap();
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).unwrap();
    format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
}

async fn send(stage: &Stage, method: &str, path: &str, token: &str, body: &Value) -> Answer {
    let authorization = format!("Bearer {token}");
    let headers = [("User-Agent", "test"), ("Authorization", &*authorization)];
    stage.request(method, path, &headers, body).await.unwrap()
}

#[tokio::test]
async fn an_app_gets_a_token_for_an_hour() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    stage.forge.add_app("tidegate", "Iv1.abc", RsaKeyPair::from_der(KEY).unwrap().public().as_ref());
    let now = stage.now().as_second();
    let jwt = signed(&json!({ "iat": now - 60, "exp": now + 540, "iss": "Iv1.abc" }));
    let app = send(&stage, "GET", "/app", &jwt, &Value::Null).await;
    assert_eq!((app.status, &app.body["slug"]), (200, &json!("tidegate")));
    let installation = send(&stage, "GET", "/repos/platform/fleet/installation", &jwt, &Value::Null).await;
    let path = format!("/app/installations/{}/access_tokens", installation.body["id"]);
    let body = json!({ "repositories": ["fleet"], "permissions": { "statuses": "write" } });
    let created = send(&stage, "POST", &path, &jwt, &body).await;
    assert_eq!(created.status, 201);
    assert_eq!(created.body["expires_at"], "2026-11-22T11:30:00Z");
    assert_eq!(created.body["permissions"], json!({ "statuses": "write" }));
    assert_eq!(created.body["repository_selection"], "selected");
    let token = created.body["token"].as_str().unwrap();
    assert!(token.starts_with("ghs_") && token.len() > 400);

    let (number, head) = stage.pull("up").await;
    let path = format!("/repos/platform/fleet/issues/{number}/comments");
    let comment = send(&stage, "POST", &path, token, &json!({ "body": "Plan" })).await;
    assert_eq!(
        (&comment.body["user"]["login"], &comment.body["user"]["type"]),
        (&json!("tidegate[bot]"), &json!("Bot"))
    );
    assert_eq!(comment.body["performed_via_github_app"]["slug"], "tidegate");
    let run = json!({ "name": "plan", "head_sha": head, "status": "in_progress", "output": { "title": "t", "summary": "s" } });
    let runs = "/repos/platform/fleet/check-runs";
    let created = send(&stage, "POST", runs, token, &run).await;
    assert_eq!((created.status, &created.body["status"]), (201, &json!("in_progress")));
    let path = format!("{runs}/{}", created.body["id"]);
    let done = send(&stage, "PATCH", &path, token, &json!({ "conclusion": "success" })).await;
    assert_eq!((&done.body["status"], &done.body["conclusion"]), (&json!("completed"), &json!("success")));
    assert_eq!(send(&stage, "POST", runs, &stage.forge.token_of("tidegate"), &run).await.status, 403);
    stage.advance(3600);
    let expired = send(&stage, "GET", "/repos/platform/fleet", token, &Value::Null).await;
    assert_eq!((expired.status, &expired.body["message"]), (401, &json!("Bad credentials")));
}

#[tokio::test]
async fn a_signed_request_with_wrong_claims_is_refused() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let public = RsaKeyPair::from_der(KEY).unwrap().public().as_ref().to_vec();
    let app = stage.forge.add_app("tidegate", "Iv1.abc", &public);
    let now = stage.now().as_second();
    let claims = |iat: i64, exp: i64, iss: Value| json!({ "iat": now + iat, "exp": now + exp, "iss": iss });
    assert_eq!(send(&stage, "GET", "/app", &signed(&claims(-60, 540, json!(app))), &Value::Null).await.status, 200);
    let mut forged = signed(&claims(-60, 540, json!("Iv1.abc")));
    forged.replace_range(forged.len() - 8..forged.len() - 4, "AAAA");
    for (token, message) in [
        (signed(&claims(-60, 601, json!("Iv1.abc"))), "'Expiration time' claim ('exp') is too far in the future"),
        (signed(&claims(-60, 540, json!("other"))), "Integration not found"),
        (forged, "A JSON web token could not be decoded"),
        ("token".to_owned(), "A JSON web token could not be decoded"),
    ] {
        let refused = send(&stage, "GET", "/app", &token, &Value::Null).await;
        assert_eq!((refused.status, &refused.body["message"]), (401, &json!(message)));
    }
}
