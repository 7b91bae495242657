//! The limit of requests per hour.

use serde_json::json;

use super::super::request::Answer;
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::{SignedDuration, Timestamp, to_http_date};

/// A limit of requests.
#[derive(Debug, Clone, Copy)]
pub struct RateLimit {
    /// How many requests are allowed within the window.
    pub requests: u64,
    /// The length of the window in seconds.
    pub window: i64,
    /// The status of the answer to further requests: 403 or 429. GitLab always answers 429.
    pub status: u16,
}

/// How much of the limit is used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    limit: RateLimit,
    used: u64,
    reset: Timestamp,
}

impl Usage {
    /// Starts a window.
    pub(crate) fn new(limit: RateLimit, now: Timestamp) -> Self {
        Self { limit, used: 0, reset: now + SignedDuration::from_secs(limit.window) }
    }

    /// Starts a new window if the last one has ended.
    pub(crate) fn renew(&mut self, now: Timestamp) {
        if now >= self.reset {
            *self = Self::new(self.limit, now);
        }
    }

    /// Counts a request. Returns `false` if the limit was reached before.
    pub(crate) fn count(&mut self) -> bool {
        let is_allowed = self.used < self.limit.requests;
        self.used = (self.used + 1).min(self.limit.requests);
        is_allowed
    }

    /// Takes back the last request, because it does not count.
    pub(crate) fn forgive(&mut self) {
        self.used = self.used.saturating_sub(1);
    }

    /// Returns the headers of every answer.
    pub(crate) fn headers(&self, kind: ForgeKind) -> Vec<(String, String)> {
        let prefix = match kind {
            ForgeKind::GitHub => "x-ratelimit",
            ForgeKind::GitLab => "ratelimit",
            // Gitea has no limit of its own.
            ForgeKind::Gitea => return Vec::new(),
        };
        let (used, name) = if kind == ForgeKind::GitHub { ("used", "resource") } else { ("observed", "name") };
        let resource = if kind == ForgeKind::GitHub { "core" } else { "throttle_authenticated_api" };
        let header = |name: &str, value: String| (format!("{prefix}-{name}"), value);
        vec![
            header("limit", self.limit.requests.to_string()),
            header("remaining", (self.limit.requests - self.used).to_string()),
            header(used, self.used.to_string()),
            header("reset", self.reset.as_second().to_string()),
            header(name, resource.to_owned()),
        ]
    }

    /// Returns the answer to a request over the limit.
    pub(crate) fn refusal(&self, kind: ForgeKind, now: Timestamp) -> Answer {
        if kind == ForgeKind::GitHub {
            let url = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api";
            let body = json!({
                "message": "API rate limit exceeded for installation.",
                "documentation_url": url, "status": self.limit.status.to_string(),
            });
            return Answer::json(self.limit.status, &body);
        }
        let seconds = (self.reset.as_second() - now.as_second()).max(0);
        Answer::text(429, "Retry later\n")
            .with("retry-after", seconds.to_string())
            .with("ratelimit-resettime", to_http_date(self.reset))
    }
}
