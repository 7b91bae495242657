//! A way to the hub that can be closed.

use std::sync::{Arc, Mutex};

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;

use super::setup::World;

/// Answers requests to the hub with `503 Service Unavailable` while it is closed.
#[derive(Clone, Default)]
pub(in crate::daemon) struct HubGate(Arc<Mutex<Option<String>>>);

impl HubGate {
    /// Refuses each request whose path contains this text.
    pub(in crate::daemon) fn close_for(&self, path: &str) {
        *self.0.lock().unwrap() = Some(path.to_owned());
    }

    /// Refuses every request.
    pub(in crate::daemon) fn close(&self) {
        self.close_for("");
    }

    /// Lets every request pass.
    pub(in crate::daemon) fn open(&self) {
        *self.0.lock().unwrap() = None;
    }

    /// Returns `true` if some requests are refused.
    pub(in crate::daemon) fn is_closed(&self) -> bool {
        self.0.lock().unwrap().is_some()
    }

    fn refuses(&self, request: &Request) -> bool {
        self.0.lock().unwrap().as_ref().is_some_and(|path| request.uri().path().contains(path))
    }
}

impl World {
    /// Returns a client of the hub behind a gate, which is open.
    pub(in crate::daemon) fn gated(&self) -> (kube::Client, HubGate) {
        let gate = HubGate::default();
        let of = gate.clone();
        let pass = move |request: Request, next: Next| {
            let is_refused = of.refuses(&request);
            async move { if is_refused { StatusCode::SERVICE_UNAVAILABLE.into_response() } else { next.run(request).await } }
        };
        (kube::Client::new(self.sandbox.router().layer(middleware::from_fn(pass)), "default"), gate)
    }
}
