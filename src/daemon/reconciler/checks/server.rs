//! The servers that checks ask.

use std::time::Duration;

use reqwest::Client;

use super::allowed::Allowed;
use crate::reconciler::http;
use tidegate_rollout::gate::checks::Answer;

/// The servers that checks may ask.
#[derive(Debug, Clone)]
pub struct Servers {
    client: Result<Client, String>,
    allowed: Allowed,
}

impl Servers {
    /// Creates a client for servers with these origins. Without it, no check has a result.
    pub fn new(allowed: Allowed) -> Self {
        Self { client: http::client(), allowed }
    }

    /// Asks for an address with GET. Redirects are not followed.
    ///
    /// # Errors
    /// Why there is no complete answer. It names no address, because a query may contain a secret.
    pub async fn ask(&self, address: &str, timeout: Duration) -> Result<Answer, String> {
        let url = self.allowed.permit(address)?;
        let client = self.client.as_ref().map_err(Clone::clone)?;
        let answer = tokio::time::timeout(timeout, http::complete(client.get(url))).await;
        let reply = answer.unwrap_or_else(|_| Err(format!("no complete answer within {timeout:?}")))?;
        Ok(Answer { status: reply.status, body: reply.body })
    }
}
