//! Carries requests to receivers.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use reqwest::Client;

use super::message::{Method, Request};
use crate::reconciler::http::{self, NoAnswer, NoClient, Reply};

/// How long a receiver may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends a request and returns the answer. Tests substitute their own. Cheap to clone.
#[derive(Clone)]
pub struct Transport(Arc<dyn Fn(Request) -> BoxFuture<'static, Result<Reply, NoAnswer>> + Send + Sync>);

impl std::fmt::Debug for Transport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Transport")
    }
}

impl Transport {
    /// Returns the transport over HTTP, whose client is created for the first request. Redirects are not followed.
    pub fn http() -> Self {
        let client: Arc<OnceLock<Result<Client, NoClient>>> = Arc::default();
        Self::new(move |request| {
            let client = client.clone();
            async move {
                let Request { method, url, headers, body } = request;
                let client = client.get_or_init(http::client).as_ref().map_err(Clone::clone)?;
                let request = match method {
                    Method::Post => client.post(url),
                    Method::Put => client.put(url),
                };
                let request = request.header("content-type", "application/json").body(body);
                let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
                http::complete(request).await
            }
        })
    }

    /// Returns a transport that calls a function.
    pub fn new<F>(send: impl Fn(Request) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Reply, NoAnswer>> + Send + 'static,
    {
        Self(Arc::new(move |request| send(request).boxed()))
    }

    /// Sends a request.
    ///
    /// # Errors
    /// [`NoAnswer`]
    pub async fn send(&self, request: Request) -> Result<Reply, NoAnswer> {
        let answer = tokio::time::timeout(PATIENCE, (self.0)(request)).await;
        answer.unwrap_or(Err(NoAnswer::Late(PATIENCE)))
    }
}
