//! How the sender of a webhook proves that it knows a secret.
//!
//! # Source
//! GitHub: `X-Hub-Signature-256: sha256=<hex>`. Gitea and Forgejo: `X-Gitea-Signature`, `X-Forgejo-Signature`, the digest
//! alone, which is empty if no secret is configured. All are HMAC-SHA-256 of the body. GitLab: the signature of Standard
//! Webhooks, or `X-Gitlab-Token`, the secret itself. Any other sender: `Authorization: Bearer <secret>`.

use axum::http::{HeaderMap, header};

use crate::reconciler::standard_webhook::{ID, SIGNATURE, TIMESTAMP, signatures};

/// The headers that contain the HMAC-SHA-256 of the body.
const DIGESTS: [&str; 4] = ["x-hub-signature-256", "x-forgejo-signature", "x-gitea-signature", "x-gogs-signature"];
/// Number of bytes of an HMAC-SHA-256.
const LENGTH: usize = 32;

/// The proof that the sender of a webhook knows a secret.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// A signature of Standard Webhooks, of the identity, the time and the body.
    Signed {
        /// The identity of the message.
        id: String,
        /// The time of the message, as it was sent.
        timestamp: String,
        /// The HMACs, of which one has to be right.
        signatures: Vec<Vec<u8>>,
    },
    /// The HMAC-SHA-256 of the body.
    Digest(Vec<u8>),
    /// The secret itself.
    Secret(Vec<u8>),
}

/// Returns the proof of the sender, from the first header that a known forge sends. A request with a signature is judged by it
/// alone: anyone who has seen a token could add it to a request.
pub(super) fn proof(headers: &HeaderMap) -> Option<Proof> {
    let header = |name: &str| headers.get(name).map(|value| value.as_bytes());
    if headers.contains_key(SIGNATURE) {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let signatures = signatures(&text(SIGNATURE));
        return Some(Proof::Signed { id: text(ID), timestamp: text(TIMESTAMP), signatures });
    }
    let digests = DIGESTS.into_iter().filter_map(header).map(|value| value.strip_prefix(b"sha256=").unwrap_or(value));
    // Without a secret, Gitea and Forgejo send empty digests.
    if let Some(digest) = digests.into_iter().find(|digest| !digest.is_empty()) {
        return Some(Proof::Digest(unhex(digest).filter(|digest| digest.len() == LENGTH).unwrap_or_default()));
    }
    let bearer = || header(header::AUTHORIZATION.as_str())?.strip_prefix(b"Bearer ");
    let secret = header("x-gitlab-token").or_else(bearer)?.trim_ascii();
    (!secret.is_empty()).then(|| Proof::Secret(secret.to_vec()))
}

fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.iter().map(|digit| char::from(*digit).to_digit(16)).collect::<Option<Vec<u32>>>()?;
    digits.chunks(2).map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok()).collect()
}
