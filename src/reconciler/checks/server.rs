//! Requests to servers that may answer slowly, wrongly, without end, or not at all.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use super::allowed::Allowed;
use tidegate_core::gate::checks::Answer;
use tidegate_git::install_tls_provider;
use tidegate_model::error_chain::ErrorChain;

/// Most bytes of a body. The answer to a query for one number has less than a thousand.
const LARGEST: usize = 1 << 20;

/// The servers that checks may ask.
#[derive(Debug, Clone)]
pub struct Servers {
    client: Result<Client, String>,
    allowed: Allowed,
}

impl Servers {
    /// Creates a client for servers with these origins. Without it, no check has a result.
    pub fn new(allowed: Allowed) -> Self {
        install_tls_provider();
        // Each measurement has a connection of its own: one that the server has closed in the meantime is no result.
        let client = Client::builder().redirect(Policy::none()).pool_max_idle_per_host(0).user_agent("tidegate");
        let client = client.build().map_err(|error| format!("no HTTP client: {}", ErrorChain(&error)));
        Self { client, allowed }
    }

    /// Asks for an address with GET. Redirects are not followed.
    ///
    /// # Errors
    /// Why there is no complete answer. It names no address, because a query may contain a secret.
    pub async fn ask(&self, address: &str, timeout: Duration) -> Result<Answer, String> {
        let url = self.allowed.permit(address)?;
        let client = self.client.as_ref().map_err(Clone::clone)?;
        let answer = tokio::time::timeout(timeout, get(client, url)).await;
        answer.unwrap_or_else(|_| Err(format!("no complete answer within {timeout:?}")))
    }
}

async fn get(client: &Client, url: Url) -> Result<Answer, String> {
    let failed = |error: reqwest::Error| {
        let what = if error.is_connect() { "cannot connect" } else { "the answer is incomplete" };
        format!("{what}: {}", ErrorChain(&error.without_url()))
    };
    let too_large = || format!("the answer has more than {LARGEST} bytes");
    let mut response = client.get(url).send().await.map_err(failed)?;
    if response.content_length().is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > LARGEST)) {
        return Err(too_large());
    }
    let (status, mut body) = (response.status().as_u16(), Vec::new());
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > LARGEST {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer { status, body })
}
