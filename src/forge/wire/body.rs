//! Bodies of answers, which may be large or never end.

use std::error::Error;
use std::time::Duration;

use reqwest::Response;
use tidegate_model::error_chain::ErrorChain;

/// Most bytes of a body. A page of 100 pull requests of GitHub has about 2 MiB, because each one contains two repositories.
const LARGEST: usize = 8 << 20;

/// Why there is no complete answer. It contains no address, because a query may contain what is private.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// The forge cannot be reached.
    #[error("cannot connect: {}", ErrorChain(.0))]
    Unconnected(reqwest::Error),
    /// The connection broke.
    #[error("the answer is incomplete: {}", ErrorChain(&**.0))]
    Incomplete(Box<dyn Error + Send + Sync>),
    /// The answer is not complete in time.
    #[error("no complete answer within {} s", .0.as_secs())]
    Late(Duration),
    /// The answer is larger than any answer of a forge.
    #[error("the answer has more than {} MiB", LARGEST >> 20)]
    TooLarge,
}

impl From<reqwest::Error> for NoAnswer {
    fn from(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if error.is_connect() { Self::Unconnected(error) } else { Self::Incomplete(error.into()) }
    }
}

/// Reads the body of an answer.
///
/// # Errors
/// [`NoAnswer`] if it is not complete.
pub(super) async fn read(response: &mut Response) -> Result<Vec<u8>, NoAnswer> {
    if response.content_length().is_some_and(|length| usize::try_from(length).map_or(true, |length| length > LARGEST)) {
        return Err(NoAnswer::TooLarge);
    }
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await?;
        let Some(chunk) = chunk else { return Ok(body) };
        if body.len() + chunk.len() > LARGEST {
            return Err(NoAnswer::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
}
