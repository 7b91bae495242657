//! What the answer of a receiver means.

use std::time::Duration;

use serde_json::Value;

use crate::reconciler::http::{NoAnswer, Reply};
use tidegate_model::line::brief;

/// Most characters of an answer that are logged.
const LONGEST: usize = 200;

/// What an answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The notification is delivered.
    Delivered,
    /// The notification is refused, and would be again.
    Refused(String),
    /// It may be delivered later.
    Retry {
        /// What is wrong.
        why: String,
        /// How long the receiver wants to be left alone.
        after: Duration,
    },
}

/// Judges an answer, or why there is none.
pub fn judge(reply: Result<&Reply, &NoAnswer>) -> Verdict {
    let reply = match reply {
        Ok(reply) => reply,
        Err(why) => return Verdict::Retry { why: why.to_string(), after: Duration::ZERO },
    };
    let body = brief(&String::from_utf8_lossy(&reply.body), LONGEST);
    let why = format!("HTTP {}: {body}", reply.status);
    match reply.status {
        200..=299 => Verdict::Delivered,
        300..=399 => Verdict::Refused(format!(
            "HTTP {}: redirects are not followed; configure the address to which it redirects",
            reply.status
        )),
        408 | 425 | 429 | 500..=599 => Verdict::Retry { why, after: after(reply).unwrap_or_default() },
        _ => Verdict::Refused(why),
    }
}

/// Returns how long a receiver wants to be left alone: `Retry-After` in seconds, or `retry_after_ms` of Matrix. A date is not read:
/// it depends on the clock of the receiver.
fn after(reply: &Reply) -> Option<Duration> {
    let seconds = || reply.retry_after.as_deref()?.trim().parse().ok().map(Duration::from_secs);
    let of_matrix = || serde_json::from_slice::<Value>(&reply.body).ok()?.get("retry_after_ms")?.as_u64();
    seconds().or_else(|| of_matrix().map(Duration::from_millis))
}
