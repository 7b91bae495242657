//! Webhooks with a signing token of GitLab.

use axum::http::StatusCode;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use tidegate_daemon::reconciler::standard_webhook;
use tidegate_go::base64;
use tidegate_model::time::Timestamp;

use super::webhook::{NOW, Page};

const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";
const TOKEN: &str = "another secret";
const BODY: &str = "{\"object_kind\":\"push\"}";
const ID: &str = "f5b3a1c2-0000-4000-8000-000000000000";

/// Returns a page with a signing token, and the files that keep it and the secret.
fn page() -> (Page, [tempfile::NamedTempFile; 2]) {
    let files = [(); 2].map(|()| tempfile::NamedTempFile::new().unwrap());
    std::fs::write(&files[0], format!("whsec_{}\n", base64::encode(KEY))).unwrap();
    std::fs::write(&files[1], TOKEN).unwrap();
    let page = Page::with(|webhook| {
        webhook.gitlab_signing_token_file = Some(files[0].path().to_owned());
        webhook.secret_file = Some(files[1].path().to_owned());
    });
    (page, files)
}

/// Returns the time of a message that differs from the clock by some seconds.
fn seconds(difference: i64) -> String {
    (NOW.parse::<Timestamp>().unwrap().as_second() + difference).to_string()
}

fn signature(timestamp: &str, body: &str) -> String {
    let mut code = Hmac::<Sha256>::new_from_slice(KEY).unwrap();
    code.update(format!("{ID}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", base64::encode(&code.finalize().into_bytes()))
}

async fn post(page: &Page, timestamp: &str, signature: &str, more: &[(&str, &str)]) -> (StatusCode, String) {
    let headers = [("webhook-id", ID), ("webhook-timestamp", timestamp), ("webhook-signature", signature)];
    page.answer(&[&headers, more].concat(), BODY).await
}

#[test]
fn a_signature_is_that_of_the_example_of_standard_webhooks() {
    // The example of https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    let key = standard_webhook::key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap().unwrap();
    let mut code = standard_webhook::started(&key, b"msg_p5jXN8AQM9LWM0D4loKWxJek", b"1614265330");
    code.update(b"{\"test\": 2432232314}");
    assert_eq!(standard_webhook::signature(code), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

#[tokio::test]
async fn one_of_several_signatures_has_to_be_right_and_a_replay_is_harmless() {
    let (page, _files) = page();
    let now = seconds(0);
    let right = signature(&now, BODY);
    for signatures in [right.clone(), format!("v1,{} v2,x {right}", base64::encode(&[0; 32]))] {
        assert_eq!(post(&page, &now, &signatures, &[]).await.0, StatusCode::ACCEPTED, "{signatures}");
    }
    assert_eq!(page.looks(), 2);
}

#[tokio::test]
async fn a_signed_webhook_is_judged_by_its_signature_alone() {
    let (page, _files) = page();
    let now = seconds(0);
    let others =
        [signature(&now, "{}"), String::new(), "v1,".to_owned(), "v1".to_owned(), signature(&seconds(1), BODY)];
    for wrong in others {
        let (status, reason) = post(&page, &now, &wrong, &[("X-Gitlab-Token", TOKEN)]).await;
        assert_eq!(
            (status, reason.contains("does not match")),
            (StatusCode::UNAUTHORIZED, true),
            "{wrong:?}: {reason}"
        );
    }
    assert_eq!(page.looks(), 0);
    let (status, _) = page.answer(&[("X-Gitlab-Token", TOKEN)], BODY).await;
    assert_eq!(status, StatusCode::ACCEPTED, "a webhook without a signature may still prove itself with the secret");
}

#[tokio::test]
async fn a_message_is_refused_if_its_time_differs_by_more_than_five_minutes() {
    let (page, _files) = page();
    for difference in [-300, 300] {
        let at = seconds(difference);
        assert_eq!(post(&page, &at, &signature(&at, BODY), &[]).await.0, StatusCode::ACCEPTED, "{difference}");
    }
    for at in [seconds(-301), seconds(301), "soon".to_owned(), String::new(), "9".repeat(40), i64::MIN.to_string()] {
        let (status, reason) = post(&page, &at, &signature(&at, BODY), &[]).await;
        assert_eq!((status, reason.contains("five minutes")), (StatusCode::UNAUTHORIZED, true), "{at}: {reason}");
    }
}

#[tokio::test]
async fn a_signature_without_a_usable_signing_token_is_refused() {
    let (page, files) = page();
    let now = seconds(0);
    for unusable in ["", "whsec_", "whsec_%%%", "not a signing token"] {
        std::fs::write(&files[0], unusable).unwrap();
        let (status, _) = post(&page, &now, &signature(&now, BODY), &[]).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{unusable:?}");
    }
    let page = Page::with(|webhook| webhook.secret_file = Some(files[1].path().to_owned()));
    let (status, reason) = post(&page, &now, &signature(&now, BODY), &[("X-Gitlab-Token", TOKEN)]).await;
    assert_eq!((status, reason.contains("gitlab_signing_token_file")), (StatusCode::UNAUTHORIZED, true), "{reason}");
    assert_eq!(page.looks(), 0);
}
