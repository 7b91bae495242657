//! The requests that the forge received, and what was wrong with them.

use std::collections::VecDeque;

use tidegate_model::time::{SignedDuration, Timestamp};

/// GitHub's limit of requests that create content, per minute.
const WRITES_PER_MINUTE: usize = 80;

/// A request that the forge received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRecord {
    /// The method.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// The status of the answer; `None` if the connection ended without one.
    pub status: Option<u16>,
    /// Whether the answer was that nothing changed.
    pub is_not_modified: bool,
    /// Whether the forge does not have the route.
    pub is_unknown: bool,
}

/// All requests, and the mistakes of the client.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) requests: Vec<RequestRecord>,
    pub(crate) problems: Vec<String>,
    writes: VecDeque<Timestamp>,
}

impl Log {
    /// Adds an answered request.
    pub(crate) fn add(&mut self, request: RequestRecord) {
        if request.is_unknown {
            self.problems.push(format!("{} {}: the forge does not have this route", request.method, request.target));
        }
        self.requests.push(request);
    }

    /// Counts a request that creates content.
    pub(crate) fn count_write(&mut self, at: Timestamp) {
        self.writes.push_back(at);
        let minute = SignedDuration::from_mins(1);
        while self.writes.front().is_some_and(|first| at.duration_since(*first) >= minute) {
            self.writes.pop_front();
        }
        if self.writes.len() == WRITES_PER_MINUTE + 1 {
            self.problems.push(format!("more than {WRITES_PER_MINUTE} writes within the minute before {at}"));
        }
    }

    /// Checks the text of a comment: GitLab executes lines that start with a slash.
    pub(crate) fn check_text(&mut self, body: &str) {
        for line in body.lines().filter(|line| line.starts_with('/')) {
            self.problems.push(format!("GitLab executes this line of a comment: {line:?}"));
        }
    }
}
