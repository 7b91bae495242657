//! Whether requests that change something may be sent to the hub: writes of plans with their retries, and Events.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::time::Instant;
use tower::BoxError;

use super::clock::HubClock;

/// Returns `true` while writes may be sent.
pub type Condition = Box<dyn Fn() -> bool + Send + Sync>;

/// Decides for each request whether it may be sent. Cheap to clone; all clones share their state.
#[derive(Clone, Default)]
pub(super) struct Guard(Arc<Inner>);

#[derive(Default)]
struct Inner {
    is_halted: AtomicBool,
    condition: OnceLock<Condition>,
}

/// This daemon may not write now, so that a request was not sent.
#[derive(Debug, thiserror::Error)]
#[error("this daemon may not write to the hub now")]
pub(super) struct Unsent;

impl Guard {
    /// Prevents all further writes.
    pub(super) fn halt(&self) {
        self.0.is_halted.store(true, Ordering::Release);
    }

    /// Lets writes pass only while a condition holds, which is evaluated for each of them. Only the first call has an effect.
    pub(super) fn only_while(&self, condition: Condition) {
        let _is_second = self.0.condition.set(condition);
    }

    /// Returns `true` if a write may be sent now.
    pub(super) fn may_write(&self) -> bool {
        !self.0.is_halted.load(Ordering::Acquire) && self.0.condition.get().is_none_or(|condition| condition())
    }

    /// Returns a client whose requests pass this guard, and whose answers set a clock. Reads always pass.
    pub(super) fn protecting(&self, client: &kube::Client, clock: &HubClock) -> kube::Client {
        let (guard, clock, namespace) = (self.clone(), clock.clone(), client.default_namespace().to_owned());
        let client = client.clone();
        let service = tower::service_fn(move |request: http::Request<kube::client::Body>| {
            let is_sent = request.method().as_str() == "GET" || guard.may_write();
            let (client, clock) = (client.clone(), clock.clone());
            async move {
                if !is_sent {
                    return Err(BoxError::from(Unsent));
                }
                let sent = Instant::now();
                let answer = client.send(request).await.map_err(cause)?;
                clock.note(answer.headers(), sent);
                Ok(answer)
            }
        });
        kube::Client::new(service, namespace)
    }
}

/// Returns what a client reports again when it is called through another one.
fn cause(error: kube::Error) -> BoxError {
    match error {
        kube::Error::Service(cause) => cause,
        other => other.into(),
    }
}
