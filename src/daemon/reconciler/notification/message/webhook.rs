//! A notification as JSON for any program, signed if a secret is configured.

use hmac::Mac as _;
use serde::Serialize;

use super::request::{Method, Request};
use super::text::{Letter, Text};
use crate::reconciler::notification::event::Event;
use crate::reconciler::notification::receiver::Secrets;
use crate::reconciler::standard_webhook::{ID, SIGNATURE, TIMESTAMP, keyed, signature, started};
use tidegate_model::time::Timestamp;

/// The header with the HMAC-SHA-256 of the body, as GitHub signs its webhooks.
const BODY_SIGNATURE: &str = "x-tidegate-signature-256";

/// The body. The names of its fields are part of the interface.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    api_version: &'static str,
    kind: &'static str,
    id: &'a str,
    time: Timestamp,
    instance: Sender<'a>,
    event: Event,
    reason: String,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    addon: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<usize>,
    #[serde(skip_serializing_if = "str::is_empty")]
    why: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    remedy: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    #[serde(skip_serializing_if = "is_zero")]
    omitted: usize,
}

#[derive(Debug, Serialize)]
struct Sender<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
}

/// Returns the request.
pub(super) fn request(letter: &Letter<'_>, text: &Text, secrets: &Secrets) -> Request {
    let Letter { notice, omitted, instance, id, at } = *letter;
    let body = Body {
        api_version: "tidegate.io/v1alpha1",
        kind: "Notification",
        id,
        time: at,
        instance: Sender { id: instance.id.as_str(), name: &instance.name },
        event: notice.event,
        reason: notice.kind.reason(),
        title: &text.title,
        addon: notice.addon.as_ref().map(tidegate_model::name::UnitName::as_str),
        version: &notice.version,
        digest: notice.digest.as_deref(),
        revision: notice.revision.as_deref(),
        clusters: notice.clusters,
        why: &notice.why,
        remedy: &notice.remedy,
        link: text.link.as_ref().map(reqwest::Url::as_str),
        omitted,
    };
    // Only maps whose keys are not strings cannot be written as JSON.
    let body = serde_json::to_vec(&body).unwrap_or_default();
    let timestamp = at.as_second().to_string();
    let mut headers = vec![(ID, id.to_owned()), (TIMESTAMP, timestamp.clone())];
    if let Some(key) = &secrets.key {
        let mut signed = started(key, id.as_bytes(), timestamp.as_bytes());
        signed.update(&body);
        headers.push((SIGNATURE, signature(signed)));
        headers.push((BODY_SIGNATURE, format!("sha256={}", hex(&keyed(key, &body).finalize().into_bytes()))));
    }
    Request { method: Method::Post, url: secrets.address.clone(), headers, body }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
