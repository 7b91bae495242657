//! The time limits of a conversation with a remote.

use std::time::Duration;

/// Time limits for a conversation with a remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The time limit for an HTTP connection.
    pub connect: Duration,
    /// The time limit for one HTTP request and its response, including the packfile.
    pub request: Duration,
    /// The time limit for one whole fetch or push.
    pub operation: Duration,
}

impl Default for Timeouts {
    /// Returns ten seconds for the connection, a minute for a request, and five minutes (five full requests) for the
    /// whole operation.
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), request: Duration::from_secs(60), operation: Duration::from_secs(300) }
    }
}
