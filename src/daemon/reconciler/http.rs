//! Requests to servers that may answer slowly, wrongly, without end, or not at all.

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

/// Creates a client that follows no redirects.
///
/// # Errors
/// Why there is none, such as a system without certificates.
pub fn client() -> Result<Client, String> {
    install_tls_provider();
    // Each request has a connection of its own: one that the server has closed in the meantime is no answer.
    let client = Client::builder().redirect(Policy::none()).pool_max_idle_per_host(0).user_agent("tidegate");
    client.build().map_err(|error| format!("no HTTP client: {}", ErrorChain(&error)))
}

/// Sends a request and reads the answer.
///
/// # Errors
/// Why there is no complete answer. It names no address, because an address may contain a secret.
pub async fn complete(request: RequestBuilder) -> Result<Reply, String> {
    let failed = |error: reqwest::Error| {
        let what = if error.is_connect() { "cannot connect" } else { "the answer is incomplete" };
        format!("{what}: {}", ErrorChain(&error.without_url()))
    };
    let too_large = || format!("the answer has more than {LARGEST} bytes");
    let mut response = request.send().await.map_err(failed)?;
    if response.content_length().is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > LARGEST)) {
        return Err(too_large());
    }
    let status = response.status().as_u16();
    let retry_after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > LARGEST {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Reply { status, retry_after, body })
}
