//! The handle through which tests and demos use a forge.

use std::sync::Arc;

use axum::http::{Request, Response};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::super::instance::Instance;
use super::super::options::{Behavior, Options, Protection, Webhook};
use super::super::service;
use super::super::service::{HungUp, Shared};
use super::super::traffic::{Fault, Matcher, RateLimit, RequestRecord, Usage};
use super::super::webhooks::{DeliveryRecord, Queue};
use super::error::ForgeError;
use tidegate_model::forge::ForgeKind;

/// A forge on a loopback port. Clones share one forge, which stops when the last one is dropped.
#[derive(Clone)]
pub struct ForgeSandbox {
    pub(crate) shared: Arc<Shared>,
    _stop: Arc<DropGuard>,
}

impl ForgeSandbox {
    /// Starts a forge with one project, whose repository is empty.
    ///
    /// # Errors
    /// If git or the socket fails.
    pub async fn start(kind: ForgeKind, options: Options) -> Result<Self, ForgeError> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(ForgeError::Listen)?;
        let address = listener.local_addr().map_err(ForgeError::Listen)?;
        let origin = format!("http://{address}");
        let instance = Instance::create(kind, options, origin.clone())?;
        let (webhooks, outlet) = Queue::new();
        let shared = Arc::new(Shared::new(kind, origin, instance, webhooks.clone()));
        let stop = CancellationToken::new();
        let sending = stop.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = webhooks.send_all(outlet) => {}
                () = sending.cancelled() => {}
            }
        });
        tokio::spawn(service::serve(Arc::clone(&shared), listener, stop.clone()));
        Ok(Self { shared, _stop: Arc::new(stop.drop_guard()) })
    }

    /// Returns the address of the API, without a slash at the end.
    pub fn url(&self) -> String {
        format!("{}{}", self.shared.origin, self.shared.api_path())
    }

    /// Returns the address of the project's repository.
    pub fn git_url(&self) -> String {
        format!("{}.git", self.web_url())
    }

    /// Returns the address of the project's page.
    pub fn web_url(&self) -> String {
        format!("{}/{}", self.shared.origin, self.project())
    }

    /// Answers a request as the server on the port does, without a connection. Tests with a paused clock need that: time passes while they
    /// wait for a socket.
    ///
    /// # Errors
    /// If the connection would end without a complete answer.
    pub async fn call(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, HungUp> {
        service::call(&self.shared, request).await
    }

    /// Returns the owner and the name of the project.
    pub fn project(&self) -> String {
        self.shared.instance.lock().options.project.clone()
    }

    /// Changes how the forge behaves.
    pub fn set_behavior(&self, behavior: Behavior) {
        self.shared.instance.lock().options.behavior = behavior;
    }

    /// Changes the protection of the default branch.
    pub fn set_protection(&self, protection: Protection) {
        self.shared.instance.lock().options.protection = protection;
    }

    /// Sets where events are sent from now on.
    pub fn set_webhook(&self, webhook: Option<Webhook>) {
        self.shared.instance.lock().options.webhook = webhook;
    }

    /// Waits until all messages of the webhook were sent, and returns them, oldest first.
    pub async fn deliveries(&self) -> Vec<DeliveryRecord> {
        self.shared.webhooks.settled().await;
        self.shared.webhooks.sent()
    }

    /// Sends a message of the webhook again, with its id and its signature.
    pub fn redeliver(&self, delivery: &DeliveryRecord) {
        let url = self.shared.act(|forge| forge.options.webhook.as_ref().map(|webhook| webhook.url.clone()));
        if let Some(url) = url {
            self.shared.webhooks.add(&url, delivery.clone());
        }
    }

    /// Lets the next request that matches fail. A string such as `POST /statuses/` is a matcher.
    pub fn fail_next(&self, matcher: impl Into<Matcher>, fault: Fault) {
        self.shared.faults.lock().add(matcher.into(), fault);
    }

    /// Makes the forge unreachable, or reachable again.
    pub fn down(&self, is_down: bool) {
        self.shared.faults.lock().is_down = is_down;
    }

    /// Limits the requests from now on, or lifts the limit.
    pub fn rate_limit(&self, limit: Option<RateLimit>) {
        let now = self.shared.act(|forge| forge.now);
        *self.shared.usage.lock() = limit.map(|limit| Usage::new(limit, now));
    }

    /// Returns the requests, oldest first.
    pub fn requests(&self) -> Vec<RequestRecord> {
        self.shared.log.lock().requests.clone()
    }

    /// Forgets the requests.
    pub fn clear_requests(&self) {
        self.shared.log.lock().requests.clear();
    }

    /// Returns the mistakes of the client: comments that GitLab executes, too many writes within a minute, and unknown routes.
    pub fn problems(&self) -> Vec<String> {
        self.shared.log.lock().problems.clone()
    }

    /// Checks in a test that the client made no mistakes, and fails the test otherwise.
    pub fn assert_clean(&self) {
        let problems = self.problems();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
