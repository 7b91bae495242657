//! The clock of the hub, according to the `Date` of its answers.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use parking_lot::Mutex;
use tokio::time::Instant;

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

    /// Sets this clock by the headers of an answer to a request that was sent then.
    pub(super) fn note(&self, headers: &HeaderMap, sent: Instant) {
        let date = headers.get("date").and_then(|date| http_date(date.to_str().ok()?));
        if let Some(date) = date.filter(|_| sent.elapsed() <= PROMPT) {
            *self.0.lock() = Some((date, Instant::now()));
        }
    }
}
