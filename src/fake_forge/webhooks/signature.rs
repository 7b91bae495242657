//! The headers with which a forge proves that it sent a message.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::hmac::{HMAC_SHA256, Key, sign};

use super::super::options::Webhook;
use super::delivery::{DeliveryRecord, Payload};
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::Timestamp;

/// Returns a signed message.
pub(crate) fn signed(
    kind: ForgeKind,
    webhook: &Webhook,
    origin: &str,
    payload: &Payload,
    number: u64,
    now: Timestamp,
) -> DeliveryRecord {
    let id = format!("{number:08x}-0000-4000-8000-{number:012x}");
    let body = payload.body.to_string();
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut headers = vec![header("Content-Type", "application/json")];
    match kind {
        ForgeKind::GitHub => {
            headers.push(header("User-Agent", "GitHub-Hookshot/0000000"));
            headers.push(header("X-GitHub-Event", payload.event));
            headers.push(header("X-GitHub-Delivery", &id));
            if let Some(secret) = &webhook.secret {
                headers.push(header("X-Hub-Signature-256", &format!("sha256={}", hex_hmac(secret, &body))));
            }
        }
        ForgeKind::Gitea => {
            // Without a secret, the headers are present and empty.
            let signature = webhook.secret.as_ref().map(|secret| hex_hmac(secret, &body)).unwrap_or_default();
            for name in ["Gitea", "Forgejo", "Gogs"] {
                headers.push(header(&format!("X-{name}-Event"), payload.event));
                headers.push(header(&format!("X-{name}-Event-Type"), payload.event_type));
                headers.push(header(&format!("X-{name}-Delivery"), &id));
                headers.push(header(&format!("X-{name}-Signature"), &signature));
            }
            headers.push(header("X-GitHub-Event", payload.event));
            let prefixed = if signature.is_empty() { String::new() } else { format!("sha256={signature}") };
            headers.push(header("X-Hub-Signature-256", &prefixed));
        }
        ForgeKind::GitLab => {
            headers.push(header("User-Agent", "GitLab/18.6.0"));
            headers.push(header("X-Gitlab-Event", payload.event));
            headers.push(header("X-Gitlab-Event-UUID", &id));
            headers.push(header("X-Gitlab-Instance", origin));
            headers.push(header("Idempotency-Key", &id));
            headers.extend(webhook.secret.as_ref().map(|secret| header("X-Gitlab-Token", secret)));
            if let Some(key) = &webhook.signing_key {
                let timestamp = now.as_second().to_string();
                headers.push(header("webhook-id", &id));
                headers.push(header("webhook-timestamp", &timestamp));
                headers.push(header("webhook-signature", &standard_signature(key, &id, &timestamp, &body)));
            }
        }
    }
    DeliveryRecord { id, event: payload.event.to_owned(), headers, body, status: None }
}

/// Returns HMAC-SHA256 in hexadecimal digits.
fn hex_hmac(secret: &str, body: &str) -> String {
    let tag = sign(&Key::new(HMAC_SHA256, secret.as_bytes()), body.as_bytes());
    tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the signature of Standard Webhooks. The key is what follows `whsec_`, decoded.
fn standard_signature(key: &str, id: &str, timestamp: &str, body: &str) -> String {
    let key = BASE64_STANDARD.decode(key.trim_start_matches("whsec_")).unwrap_or_default();
    let text = format!("{id}.{timestamp}.{body}");
    let tag = sign(&Key::new(HMAC_SHA256, &key), text.as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(tag.as_ref()))
}
