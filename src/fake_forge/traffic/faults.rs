//! Failures that a test asks for.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::watch;

/// How a request fails.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The answer has this status, these headers and this body.
    Status(u16, Vec<(String, String)>, String),
    /// The connection ends without an answer, and nothing is done.
    HangUp,
    /// The connection ends without an answer, but what was asked for is done.
    HangUpAfterWrite,
    /// Only the first bytes of the body are sent.
    Truncate(usize),
    /// Nothing is done before the gate is released.
    Slow(Gate),
    /// The answer is a page of HTML with the status 200.
    Garbage,
}

impl Fault {
    /// Returns GitHub's answer to a client that is too fast: 403 with `retry-after`.
    pub fn secondary_limit(seconds: u64) -> Self {
        let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        let headers = vec![("retry-after".to_owned(), seconds.to_string())];
        Self::Status(403, headers, json!({ "message": message, "status": "403" }).to_string())
    }

    /// Returns GitLab's answer to a client that is too fast: 429 in plain text, with the instant of the reset in seconds.
    pub fn retry_later(seconds: u64, reset: i64) -> Self {
        let headers = vec![
            ("content-type".to_owned(), "text/plain".to_owned()),
            ("retry-after".to_owned(), seconds.to_string()),
            ("ratelimit-reset".to_owned(), reset.to_string()),
            ("ratelimit-remaining".to_owned(), "0".to_owned()),
        ];
        Self::Status(429, headers, "Retry later\n".to_owned())
    }
}

/// Holds requests until a test releases them. Clones share one gate.
#[derive(Debug, Clone)]
pub struct Gate {
    is_open: Arc<watch::Sender<bool>>,
    arrivals: Arc<watch::Sender<usize>>,
}

impl Gate {
    /// Returns a closed gate.
    pub fn new() -> Self {
        Self { is_open: Arc::new(watch::Sender::new(false)), arrivals: Arc::new(watch::Sender::new(0)) }
    }

    /// Lets the held requests and all later ones continue.
    pub fn release(&self) {
        self.is_open.send_replace(true);
    }

    /// Waits until a request is held.
    pub async fn arrived(&self) {
        // The sender lives as long as this gate.
        self.arrivals.subscribe().wait_for(|arrivals| *arrivals > 0).await.ok();
    }

    pub(crate) async fn pass(&self) {
        self.arrivals.send_modify(|arrivals| *arrivals += 1);
        self.is_open.subscribe().wait_for(|is_open| *is_open).await.ok();
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

/// The failures that are waiting for a request.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    waiting: Vec<(Matcher, Fault)>,
    pub(crate) is_down: bool,
}

/// Which request fails.
#[derive(Debug, Clone)]
pub struct Matcher {
    /// The method; any if it is `None`.
    pub method: Option<String>,
    /// A part of the path and query.
    pub part: String,
}

impl From<&str> for Matcher {
    /// Reads `POST /statuses/` or only a part of the path.
    fn from(text: &str) -> Self {
        match text.split_once(' ') {
            Some((method, part)) => Self { method: Some(method.to_owned()), part: part.to_owned() },
            None => Self { method: None, part: text.to_owned() },
        }
    }
}

impl Faults {
    /// Adds a failure of the next request that matches.
    pub(crate) fn add(&mut self, matcher: Matcher, fault: Fault) {
        self.waiting.push((matcher, fault));
    }

    /// Returns and removes the first failure for a request.
    pub(crate) fn take(&mut self, method: &str, target: &str) -> Option<Fault> {
        if self.is_down {
            return Some(Fault::HangUp);
        }
        let matches = |(matcher, _): &(Matcher, Fault)| {
            matcher.method.as_deref().is_none_or(|wanted| wanted == method) && target.contains(&matcher.part)
        };
        let position = self.waiting.iter().position(matches)?;
        Some(self.waiting.remove(position).1)
    }
}
