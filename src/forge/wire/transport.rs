//! Carries single requests to the forge.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Request, Response};
use tidegate_model::error_chain::ErrorChain;

use super::body::NoAnswer;
use crate::error::{Error, Result};

/// Carries one HTTP request to the forge, and returns the response. Tests substitute their own. Cheap to clone.
///
/// Whatever a [`Forge`](crate::Forge) guarantees is checked above: where requests go, how many there are, and the redirects, the time and
/// the size of an answer. The body of the response may still be arriving.
#[derive(Clone)]
pub struct Transport(Arc<dyn Fn(Request) -> Sending + Send + Sync>);

/// A response, or why there is none.
type Sending = Pin<Box<dyn Future<Output = Result<Response, NoAnswer>> + Send>>;

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transport")
    }
}

impl Transport {
    /// Returns the transport over HTTP, with the caller's settings for certificates and proxies. The caller installs a TLS provider before.
    ///
    /// # Errors
    /// [`Error::Settings`] if the settings cannot be used.
    pub fn http(builder: ClientBuilder) -> Result<Self> {
        // Redirects are followed above, where the origin is checked.
        let client = builder.redirect(Policy::none()).referer(false).build();
        let failed =
            |error: reqwest::Error| Error::Settings(format!("no HTTP client for the forge: {}", ErrorChain(&error)));
        let client = client.map_err(failed)?;
        Ok(Self::new(move |request| {
            let sending = client.execute(request);
            async move { Ok(sending.await?) }
        }))
    }

    /// Returns a transport that calls a function.
    pub fn new<F>(send: impl Fn(Request) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Response, NoAnswer>> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(send(request))))
    }

    /// Sends a request once.
    ///
    /// # Errors
    /// [`NoAnswer`] if there is no response.
    pub async fn send(&self, request: Request) -> Result<Response, NoAnswer> {
        (self.0)(request).await
    }
}
