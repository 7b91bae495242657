//! Receives a webhook and judges its proof.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use futures::StreamExt as _;
use hmac::Mac as _;

use super::proof::{Proof, proof};
use super::secret::SecretFile;
use crate::monitor::metrics::{Metrics, Outcome};
use crate::reconciler::clock::Clock;
use crate::reconciler::standard_webhook::{Authenticator, is_fresh, keyed, started};

/// Maximum size of a body, in bytes: the limit of GitHub.
const MAX_BODY: usize = 25 << 20;
/// Timeout for a webhook. Forges also give up after ten seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// How webhooks are received.
#[derive(Clone)]
pub struct Webhook {
    /// A file with the secret that the forge uses. It is read again for each webhook, so it may be rotated.
    pub secret_file: Option<PathBuf>,
    /// A file with the signing token of GitLab. It is read again for each webhook, too.
    pub gitlab_signing_token_file: Option<PathBuf>,
    /// The function that a webhook calls.
    pub look: Arc<dyn Fn() + Send + Sync>,
    /// The metrics that count webhooks.
    pub metrics: Metrics,
    /// The clock with which the time of a signed webhook is compared.
    pub clock: Clock,
}

/// Receives webhooks.
#[derive(Clone)]
pub(in crate::monitor) struct Receiver {
    secret: Option<SecretFile>,
    signing_token: Option<SecretFile>,
    webhook: Webhook,
}

impl From<Webhook> for Receiver {
    fn from(webhook: Webhook) -> Self {
        let secret = webhook.secret_file.as_deref().map(SecretFile::new);
        let signing_token = webhook.gitlab_signing_token_file.as_deref().map(SecretFile::new);
        Self { secret, signing_token, webhook }
    }
}

/// An answer with the reason, which the forge shows to the person who configured the webhook.
type Answer = (StatusCode, &'static str);

const NO_PROOF: Answer = (
    StatusCode::UNAUTHORIZED,
    "no signature or token: set a secret in the webhook of the forge, the one in [webhook] secret_file of the daemon\n",
);
const NO_SECRET: Answer = (
    StatusCode::UNAUTHORIZED,
    "the daemon accepts only webhooks with a signing token of GitLab: [webhook] secret_file is not set\n",
);
const NO_SIGNING_TOKEN: Answer = (
    StatusCode::UNAUTHORIZED,
    "the webhook has a signature that the daemon cannot verify: set [webhook] gitlab_signing_token_file, or remove the signing token \
     from the webhook\n",
);
const STALE: Answer = (
    StatusCode::UNAUTHORIZED,
    "webhook-timestamp differs from the clock of the daemon by more than five minutes: check both clocks\n",
);
const UNUSABLE: Answer =
    (StatusCode::SERVICE_UNAVAILABLE, "the daemon cannot read its secret; see its log for details\n");
const WRONG: Answer = (StatusCode::UNAUTHORIZED, "the signature or token does not match the secret of the daemon\n");

/// Receives one webhook.
pub(in crate::monitor) async fn receive(State(receiver): State<Receiver>, headers: HeaderMap, body: Body) -> Answer {
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

/// Judges the proof. Everything that needs no body is judged before the body is read.
async fn validate(receiver: &Receiver, headers: &HeaderMap, body: Body) -> Result<(), Answer> {
    match proof(headers).ok_or(NO_PROOF)? {
        Proof::Signed { id, timestamp, signatures } => {
            let token = receiver.signing_token.as_ref().ok_or(NO_SIGNING_TOKEN)?;
            if !is_fresh(&timestamp, receiver.webhook.clock.now()) {
                return Err(STALE);
            }
            if id.is_empty() || signatures.is_empty() {
                return Err(WRONG);
            }
            let key = token.read_key().await.ok_or(UNUSABLE)?;
            let code = over(started(&key, id.as_bytes(), timestamp.as_bytes()), body).await?;
            let is_right = |signature: &Vec<u8>| code.clone().verify_slice(signature).is_ok();
            if signatures.iter().any(is_right) { Ok(()) } else { Err(WRONG) }
        }
        Proof::Digest(digest) if digest.is_empty() => Err(WRONG),
        Proof::Digest(digest) => {
            let secret = secret(receiver).await?;
            over(keyed(secret.as_bytes(), b""), body).await?.verify_slice(&digest).map_err(|_| WRONG)
        }
        Proof::Secret(given) => {
            let secret = secret(receiver).await?;
            let code = |text: &[u8]| keyed(secret.as_bytes(), text);
            code(&given).verify_slice(&code(secret.as_bytes()).finalize().into_bytes()).map_err(|_| WRONG)
        }
    }
}

async fn secret(receiver: &Receiver) -> Result<String, Answer> {
    receiver.secret.as_ref().ok_or(NO_SECRET)?.read().await.ok_or(UNUSABLE)
}

/// Adds a body to an HMAC. Only one chunk of it is in memory at a time.
async fn over(mut code: Authenticator, body: Body) -> Result<Authenticator, Answer> {
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
