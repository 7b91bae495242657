//! The clock of the hub, according to the `Date` of its answers.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;
use tower::BoxError;

use tidegate_model::time::{SignedDuration, Timestamp, http_date};

/// An answer that took longer shows too little: its date is that of its creation.
const PROMPT: Duration = Duration::from_secs(2);

/// The last date that the hub has sent, and when it arrived.
#[derive(Debug, Clone, Default)]
pub(super) struct HubClock(Arc<Mutex<Option<(Timestamp, Instant)>>>);

impl HubClock {
    /// Returns the time on the hub; `None` if no answer had a date.
    pub(super) fn now(&self) -> Option<Timestamp> {
        let (date, at) = (*self.0.lock())?;
        date.checked_add(SignedDuration::try_from(at.elapsed()).ok()?).ok()
    }

    /// Returns a client whose answers set this clock.
    pub(super) fn observing(&self, client: kube::Client) -> kube::Client {
        let (clock, namespace) = (self.clone(), client.default_namespace().to_owned());
        let service = tower::service_fn(move |request| {
            let (clock, client) = (clock.clone(), client.clone());
            async move {
                let sent = Instant::now();
                let answer = client.send(request).await.map_err(cause)?;
                let date = answer.headers().get("date").and_then(|date| http_date(date.to_str().ok()?));
                if let Some(date) = date.filter(|_| sent.elapsed() <= PROMPT) {
                    *clock.0.lock() = Some((date, Instant::now()));
                }
                Ok::<_, BoxError>(answer)
            }
        });
        kube::Client::new(service, namespace)
    }
}

/// Returns what a client reports again when it is called through another one.
pub(super) fn cause(error: kube::Error) -> BoxError {
    match error {
        kube::Error::Service(cause) => cause,
        other => other.into(),
    }
}
