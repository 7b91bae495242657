//! One request to the hub, with its timeout and retries.

use std::time::Duration;

use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::client::Body;
use kube::core::params::Preconditions;
use kube::core::{Request, Status};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::retry::{Retries, jitter};
use crate::hub::answer::within;
use crate::hub::error::Error;
use crate::hub::metrics::{Metrics, Verb};
use tidegate_api::key::FIELD_MANAGER;
use tidegate_model::action::Subresource;

/// Maximum number of attempts for a write.
const TRIES: usize = 5;
/// Maximum time for all attempts of a write, pauses included.
const DEADLINE: Duration = Duration::from_secs(60);

/// A write as it is sent to the hub.
#[derive(Debug)]
pub(in crate::hub) struct Call {
    /// Description of the request, for error messages.
    pub(in crate::hub) what: String,
    /// The path of the collection.
    pub(in crate::hub) path: String,
    pub(in crate::hub) name: String,
    pub(in crate::hub) body: Payload,
}

/// The body of a write.
#[derive(Debug)]
pub(in crate::hub) enum Payload {
    Apply(Value),
    Create(Value),
    Merge(Value),
    MergeStatus(Value),
    Replace(Subresource, Value),
    Delete(Preconditions),
}

/// The outcome of a call.
#[derive(Debug)]
pub(in crate::hub) struct Answer {
    pub(in crate::hub) result: Result<Value, Error>,
    /// Whether the hub has asked for fewer requests.
    pub(in crate::hub) throttled: bool,
}

/// A refusal, with the pause that the hub requests.
struct Refusal {
    error: Error,
    retry_after: Option<Duration>,
}

impl Call {
    pub(in crate::hub) fn verb(&self) -> Verb {
        match self.body {
            Payload::Apply(_) => Verb::Apply,
            Payload::Create(_) => Verb::Create,
            Payload::Merge(_) => Verb::Patch,
            Payload::MergeStatus(_) => Verb::PatchStatus,
            Payload::Replace(subresource, _) => Verb::of_replaced(subresource),
            Payload::Delete(_) => Verb::Delete,
        }
    }

    /// Sends the call; retries after a pause while the hub is busy or unreachable.
    pub(in crate::hub) async fn send(&self, client: &kube::Client, metrics: &Metrics) -> Answer {
        let deadline = Instant::now() + DEADLINE;
        let mut retries = Retries::of_write();
        let mut throttled = false;
        let mut tries = 1;
        loop {
            let Refusal { error, retry_after } = match self.send_once(client).await {
                Ok(value) => return Answer { result: Ok(value), throttled },
                Err(refusal) => refusal,
            };
            throttled |= matches!(error, Error::Refused { code: 429, .. });
            // The jitter on top spreads clients that were all asked to return in the same second.
            let pause = retries.wake_after() + retry_after.unwrap_or_default();
            if tries == TRIES || !error.is_transient() || Instant::now() + pause > deadline {
                return Answer { result: Err(error), throttled };
            }
            tries += 1;
            metrics.retries.inc();
            sleep(pause + jitter(Duration::from_millis(10))).await;
        }
    }

    /// Sends the call once.
    ///
    /// # Errors
    /// [`Error`] if the hub refuses it or does not answer.
    pub(in crate::hub) async fn try_once(&self, client: &kube::Client) -> Result<Value, Error> {
        self.send_once(client).await.map_err(|refusal| refusal.error)
    }

    async fn send_once(&self, client: &kube::Client) -> Result<Value, Refusal> {
        let failed = |error| Refusal { error, retry_after: None };
        let request = Request::new(&self.path);
        let owner = PatchParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PatchParams::default() };
        let request = match &self.body {
            Payload::Apply(object) => {
                request.patch(&self.name, &PatchParams { force: true, ..owner }, &Patch::Apply(object))
            }
            Payload::Create(object) => {
                let params = PostParams { field_manager: owner.field_manager, ..PostParams::default() };
                request.create(&params, object.to_string().into_bytes())
            }
            Payload::Merge(patch) => request.patch(&self.name, &owner, &Patch::Merge(patch)),
            Payload::MergeStatus(patch) => {
                request.patch_subresource("status", &self.name, &owner, &Patch::Merge(patch))
            }
            Payload::Replace(subresource, object) => {
                let params = PostParams { field_manager: owner.field_manager, ..PostParams::default() };
                request.replace_subresource(subresource.name(), &self.name, &params, object.to_string().into_bytes())
            }
            Payload::Delete(preconditions) => {
                let params = DeleteParams::background().preconditions(preconditions.clone());
                request.delete(&self.name, &params)
            }
        };
        let request =
            request.map_err(|source| failed(Error::of(self.what.as_str(), kube::Error::BuildRequest(source))))?;
        let answer = async {
            let response = client.send(request.map(Body::from)).await?;
            let code = response.status().as_u16();
            let seconds = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
            Ok((code, seconds, response.into_body().collect_bytes().await?))
        };
        let (code, seconds, bytes) = within(self.what.as_str(), answer).await.map_err(failed)?;
        if code < 400 {
            return serde_json::from_slice(&bytes)
                .map_err(|source| failed(Error::of(self.what.as_str(), kube::Error::SerdeError(source))));
        }
        let status = status(code, &bytes);
        let advised = status.details.as_ref().map(|details| details.retry_after_seconds).filter(|seconds| *seconds > 0);
        let retry_after = seconds.or(advised.map(u64::from)).map(Duration::from_secs);
        Err(Refusal { error: Error::refused(self.what.as_str(), status), retry_after })
    }
}

/// Reads the reason for a refusal. A proxy, and the throttling of an API server, answer with plain text.
fn status(code: u16, body: &[u8]) -> Status {
    let read: Option<Status> = serde_json::from_slice(body).ok();
    match read {
        Some(status) if status.code == code => status,
        _ => {
            let text: String = String::from_utf8_lossy(body).trim().chars().take(300).collect();
            Status::failure(&text, "").with_code(code)
        }
    }
}
