//! The servers that checks ask.

use std::time::Duration;

use reqwest::Client;

use super::allowed::{Allowed, Forbidden};
use crate::reconciler::http::{self, NoAnswer, NoClient};
use tidegate_rollout::gate::checks::Answer;

/// Why a server gives no complete answer.
#[derive(Debug, thiserror::Error)]
pub enum Unmeasured {
    /// It is not asked.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// It was asked.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
}

/// The servers that checks may ask.
#[derive(Debug, Clone)]
pub struct Servers {
    client: Result<Client, NoClient>,
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
    /// [`Unmeasured`]
    pub async fn ask(&self, address: &str, timeout: Duration) -> Result<Answer, Unmeasured> {
        let url = self.allowed.permit(address)?;
        let client = self.client.as_ref().map_err(|none| NoAnswer::from(none.clone()))?;
        let answer = tokio::time::timeout(timeout, http::complete(client.get(url))).await;
        let reply = answer.unwrap_or(Err(NoAnswer::Late(timeout)))?;
        Ok(Answer { status: reply.status, body: reply.body })
    }
}
