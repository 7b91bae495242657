//! The messages of webhooks, and their signatures.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::support::{START, Stage};
use tidegate_fake_forge::{DeliveryRecord, Verdict, Webhook};
use tidegate_model::forge::ForgeKind;

/// Accepts every message with 204, and returns its address.
async fn receiver() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/webhook", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut received = Vec::new();
            while !is_complete(&received) {
                stream.read_buf(&mut received).await.unwrap();
            }
            stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").await.unwrap();
        }
    });
    url
}

fn is_complete(received: &[u8]) -> bool {
    let text = String::from_utf8_lossy(received);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
    body.len() >= length.parse().unwrap()
}

/// Sets the webhook, opens and approves a pull request, and returns the messages about it.
async fn messages(kind: ForgeKind, secret: Option<&str>, signing_key: Option<&str>) -> (Stage, Vec<DeliveryRecord>) {
    let stage = Stage::new(kind).await;
    let (secret, signing_key) = (secret.map(str::to_owned), signing_key.map(str::to_owned));
    stage.forge.set_webhook(Some(Webhook { url: receiver().await, secret, signing_key }));
    let (number, _) = stage.pull("up").await;
    stage.forge.review("bob", number, Verdict::Approve).unwrap();
    let messages = stage.forge.deliveries().await;
    assert!(messages.iter().all(|message| message.status == Some(204)));
    (stage, messages)
}

fn headers(message: &DeliveryRecord) -> BTreeMap<&str, &str> {
    message.headers.iter().map(|(name, value)| (&**name, &**value)).collect()
}

fn body(message: &DeliveryRecord) -> Value {
    serde_json::from_str(&message.body).unwrap()
}

fn events(messages: &[DeliveryRecord]) -> Vec<&str> {
    messages.iter().map(|message| &*message.event).collect()
}

fn hex_hmac(secret: &str, body: &str) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body.as_bytes());
    tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn states_of_reviews_are_in_lower_case_on_github() {
    let (stage, messages) = messages(ForgeKind::GitHub, Some("secret"), None).await;
    assert_eq!(events(&messages), ["push", "pull_request", "pull_request_review"]);
    let review = &messages[2];
    assert_eq!((&body(review)["action"], &body(review)["review"]["state"]), (&json!("submitted"), &json!("approved")));
    let signature = format!("sha256={}", hex_hmac("secret", &review.body));
    assert_eq!(headers(review)["X-Hub-Signature-256"], signature);
    stage.forge.redeliver(review);
    assert_eq!(stage.forge.deliveries().await.last(), Some(review));
}

#[tokio::test]
async fn signatures_of_gitea_are_empty_without_a_secret() {
    let (_stage, signed) = messages(ForgeKind::Gitea, Some("secret"), None).await;
    assert_eq!(events(&signed), ["push", "pull_request", "pull_request_approved"]);
    let review = body(&signed[2]);
    assert_eq!(
        (&review["action"], &review["review"]["type"]),
        (&json!("reviewed"), &json!("pull_request_review_approved"))
    );
    assert_eq!(headers(&signed[2])["X-Gitea-Signature"], hex_hmac("secret", &signed[2].body));
    let (_stage, unsigned) = messages(ForgeKind::Gitea, None, None).await;
    for name in ["X-Gitea-Signature", "X-Forgejo-Signature", "X-Hub-Signature-256"] {
        assert_eq!(headers(&unsigned[0])[name], "", "{name}");
    }
}

#[tokio::test]
async fn gitlab_sends_its_token_and_a_signature_with_the_time() {
    let key = BASE64_STANDARD.encode("a key of thirty-two bytes, or so");
    let (_stage, messages) = messages(ForgeKind::GitLab, Some("token"), Some(&format!("whsec_{key}"))).await;
    assert_eq!(events(&messages), ["Push Hook", "Merge Request Hook", "Merge Request Hook"]);
    assert_eq!(body(&messages[2])["object_attributes"]["action"], "approved");
    let headers = headers(&messages[2]);
    assert_eq!((headers["X-Gitlab-Token"], headers["webhook-id"]), ("token", headers["Idempotency-Key"]));
    let seconds = START.parse::<tidegate_model::time::Timestamp>().unwrap().as_second();
    assert_eq!(headers["webhook-timestamp"], seconds.to_string());
    let text = format!("{}.{seconds}.{}", headers["webhook-id"], messages[2].body);
    let key = hmac::Key::new(hmac::HMAC_SHA256, b"a key of thirty-two bytes, or so");
    let signature = BASE64_STANDARD.encode(hmac::sign(&key, text.as_bytes()));
    assert_eq!(headers["webhook-signature"], format!("v1,{signature}"));
}
