//! How long an answer of the hub is waited for.

use std::time::Duration;

use tokio::time::timeout;

use super::error::Error;

/// Timeout for one answer. An API server gives up on its own requests after 60 s, and admission webhooks time out after 10
/// s by default; an answer that takes longer than three of those is not expected any more.
const ANSWER: Duration = Duration::from_secs(30);

/// Waits for an answer, but not forever.
///
/// # Errors
/// [`Error::TimedOut`], or the error of the client with a description of the request.
pub(in crate::hub) async fn within<T>(
    what: impl Into<String>,
    answer: impl Future<Output = Result<T, kube::Error>>,
) -> Result<T, Error> {
    match timeout(ANSWER, answer).await {
        Ok(result) => result.map_err(|source| Error::of(what, source)),
        Err(_) => Err(Error::TimedOut { what: what.into(), within: ANSWER }),
    }
}
