//! Requests to servers that may answer slowly, wrongly, without end, or not at all.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};

use tidegate_git::install_tls_provider;
use tidegate_model::error_chain::ErrorChain;

/// Most bytes of a body. What is asked for has less than a thousand.
const LARGEST: usize = 1 << 20;

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// There is no client, for example because the system has no certificates.
#[derive(Debug, Clone, thiserror::Error)]
#[error("no HTTP client: {}", ErrorChain(&*.0))]
pub struct NoClient(Arc<reqwest::Error>);

/// Why there is no complete answer. It names no address, because an address may contain a secret.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// No request can be sent.
    #[error(transparent)]
    NoClient(#[from] NoClient),
    /// The server cannot be reached.
    #[error("cannot connect: {}", ErrorChain(.0))]
    Unconnected(reqwest::Error),
    /// The connection broke.
    #[error("the answer is incomplete: {}", ErrorChain(.0))]
    Incomplete(reqwest::Error),
    /// The body is larger than anything that is asked for.
    #[error("the answer has more than {LARGEST} bytes")]
    TooLarge,
    /// The answer is not complete in time.
    #[error("no complete answer within {0:?}")]
    Late(Duration),
}

impl From<reqwest::Error> for NoAnswer {
    fn from(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if error.is_connect() { Self::Unconnected(error) } else { Self::Incomplete(error) }
    }
}

/// Creates a client that follows no redirects.
///
/// # Errors
/// [`NoClient`]
pub fn client() -> Result<Client, NoClient> {
    install_tls_provider();
    // Each request has a connection of its own: one that the server has closed in the meantime is no answer.
    let client = Client::builder().redirect(Policy::none()).pool_max_idle_per_host(0).user_agent("tidegate");
    client.build().map_err(|error| NoClient(Arc::new(error)))
}

/// Sends a request and reads the answer.
///
/// # Errors
/// [`NoAnswer`]
pub async fn complete(request: RequestBuilder) -> Result<Reply, NoAnswer> {
    let mut response = request.send().await?;
    if response.content_length().is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > LARGEST)) {
        return Err(NoAnswer::TooLarge);
    }
    let status = response.status().as_u16();
    let retry_after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > LARGEST {
            return Err(NoAnswer::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Reply { status, retry_after, body })
}
