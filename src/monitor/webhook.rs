//! `POST /webhook`: a forge reports a push.
//!
//! A webhook only means "poll Git now". Its content is not used, so a webhook that is replayed, or forged by someone who knows the
//! secret, only causes one poll. A sender who does not know the secret is refused before anything is done.
//!
//! # Source
//! GitHub: `X-Hub-Signature-256: sha256=<hex>`. Gitea and Forgejo: `X-Gitea-Signature`, `X-Forgejo-Signature`, the digest
//! alone. Both are HMAC-SHA-256 of the body. GitLab: `X-Gitlab-Token`, the secret itself. Any other sender: `Authorization:
//! Bearer <secret>`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use futures::StreamExt as _;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::metrics::{Metrics, Outcome};

/// Maximum size of a body, in bytes: the limit of GitHub.
const MAX_BODY: usize = 25 << 20;
/// Timeout for a webhook. Forges also give up after ten seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// How webhooks are received.
#[derive(Clone)]
pub struct Webhook {
    /// A file with the secret that the forge uses. It is read again for each webhook, so it may be rotated.
    pub secret_file: PathBuf,
    /// The function that a webhook calls.
    pub look: Arc<dyn Fn() + Send + Sync>,
    /// The metrics that count webhooks.
    pub metrics: Metrics,
}

/// An unusable secret is logged at most this often: anyone may send webhooks.
const REMIND: Duration = Duration::from_secs(60);

/// Receives webhooks.
#[derive(Clone)]
pub(super) struct Receiver {
    webhook: Webhook,
    complained: Arc<Mutex<Option<Instant>>>,
}

impl From<Webhook> for Receiver {
    fn from(webhook: Webhook) -> Self {
        Self { webhook, complained: Arc::default() }
    }
}

impl Receiver {
    /// Logs why the secret cannot be used, unless that was logged recently. Returns `true` if it was logged now.
    fn complain(&self, why: &str) -> bool {
        let mut complained = self.complained.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = complained.is_some_and(|at| at.elapsed() < REMIND);
        if !is_fresh {
            *complained = Some(Instant::now());
            tracing::warn!(file = %self.webhook.secret_file.display(), "the secret for webhooks {why}; refusing all webhooks");
        }
        !is_fresh
    }

    /// Reads the secret; `None` if it cannot be used.
    async fn secret(&self) -> Option<String> {
        match tokio::fs::read_to_string(&self.webhook.secret_file).await {
            Ok(secret) if secret.trim().is_empty() => self.complain("is empty"),
            Ok(secret) => return Some(secret.trim().to_owned()),
            Err(error) => self.complain(&format!("cannot be read: {error}")),
        };
        None
    }
}

/// The proof that the sender of a webhook knows the secret.
#[derive(Debug, PartialEq, Eq)]
enum Proof {
    /// The HMAC-SHA-256 of the body.
    Digest(Vec<u8>),
    /// The secret itself.
    Secret(Vec<u8>),
}

/// An answer with the reason, which the forge shows to the person who configured the webhook.
type Answer = (StatusCode, &'static str);

/// Receives one webhook.
pub(super) async fn receive(State(receiver): State<Receiver>, headers: HeaderMap, body: Body) -> Answer {
    let answered = tokio::time::timeout(PATIENCE, validate(&receiver, &headers, body)).await;
    let webhook = receiver.webhook;
    match answered.unwrap_or(Err((StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time\n"))) {
        Ok(()) => {
            (webhook.look)();
            webhook.metrics.received(Outcome::Accepted);
            (StatusCode::ACCEPTED, "polling the repository\n")
        }
        Err((code, reason)) => {
            webhook.metrics.received(Outcome::Refused);
            tracing::debug!(%code, reason = reason.trim_end(), "webhook refused");
            (code, reason)
        }
    }
}

async fn validate(receiver: &Receiver, headers: &HeaderMap, body: Body) -> Result<(), Answer> {
    let no_proof = (
        StatusCode::UNAUTHORIZED,
        "no signature or token: configure the webhook with the secret in [webhook] secret_file of the daemon\n",
    );
    let proof = proof(headers).ok_or(no_proof)?;
    let unusable = (StatusCode::SERVICE_UNAVAILABLE, "the daemon cannot read its secret; see its log for details\n");
    let secret = receiver.secret().await.ok_or(unusable)?;
    let wrong = (StatusCode::UNAUTHORIZED, "the signature or token does not match the secret of the daemon\n");
    match proof {
        Proof::Secret(given) => {
            keyed(&secret, &given).verify_slice(&keyed(&secret, secret.as_bytes()).finalize().into_bytes())
        }
        Proof::Digest(digest) => over(&secret, body).await?.verify_slice(&digest),
    }
    .map_err(|_| wrong)
}

/// Returns the proof of the sender, from the first header that a known forge sends.
fn proof(headers: &HeaderMap) -> Option<Proof> {
    let header = |name: &str| headers.get(name).map(|value| value.as_bytes());
    let digests = ["x-hub-signature-256", "x-forgejo-signature", "x-gitea-signature", "x-gogs-signature"];
    let digest = digests.into_iter().find_map(header).map(|value| value.strip_prefix(b"sha256=").unwrap_or(value));
    if let Some(digest) = digest {
        return Some(Proof::Digest(unhex(digest).unwrap_or_default()));
    }
    let bearer = || header(header::AUTHORIZATION.as_str())?.strip_prefix(b"Bearer ");
    header("x-gitlab-token").or_else(bearer).map(|secret| Proof::Secret(secret.trim_ascii().to_vec()))
}

fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.iter().map(|digit| char::from(*digit).to_digit(16)).collect::<Option<Vec<u32>>>()?;
    digits.chunks(2).map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok()).collect()
}

type Authenticator = Hmac<Sha256>;

/// Returns the HMAC of some bytes. Comparing HMACs takes the same time wherever two secrets differ.
fn keyed(secret: &str, text: &[u8]) -> Authenticator {
    let mut code = Authenticator::new_from_slice(secret.as_bytes()).expect("HMAC accepts a key of any length");
    code.update(text);
    code
}

/// Returns the HMAC of a body. Only one chunk of it is in memory at a time.
async fn over(secret: &str, body: Body) -> Result<Authenticator, Answer> {
    let mut code = keyed(secret, b"");
    let (mut pieces, mut length) = (body.into_data_stream(), 0);
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| (StatusCode::BAD_REQUEST, "the body is incomplete\n"))?;
        length += piece.len();
        if length > MAX_BODY {
            return Err((StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than any forge sends\n"));
        }
        code.update(&piece);
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::metrics::Metrics as Registry;

    #[test]
    fn an_unusable_secret_is_logged_once_for_many_webhooks() {
        let metrics = Registry::default().register(Metrics::register);
        let webhook = Webhook { secret_file: PathBuf::from("nowhere"), look: Arc::new(|| {}), metrics };
        let receiver = Receiver::from(webhook);
        assert!(receiver.complain("is empty"));
        assert!(!receiver.clone().complain("is empty"));
    }
}
