//! A way to the hub that can be closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;

use super::setup::World;

/// Answers requests to the hub with `503 Service Unavailable` while it is closed.
#[derive(Clone, Default)]
pub(in crate::daemon) struct HubGate(Arc<AtomicBool>);

impl HubGate {
    /// Refuses every request.
    pub(in crate::daemon) fn close(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Lets every request pass.
    pub(in crate::daemon) fn open(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// Returns `true` if requests are refused.
    pub(in crate::daemon) fn is_closed(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl World {
    /// Returns a client of the hub behind a gate, which is open.
    pub(in crate::daemon) fn gated(&self) -> (kube::Client, HubGate) {
        let gate = HubGate::default();
        let of = gate.clone();
        let pass = move |request: Request, next: Next| {
            let is_refused = of.is_closed();
            async move { if is_refused { StatusCode::SERVICE_UNAVAILABLE.into_response() } else { next.run(request).await } }
        };
        (kube::Client::new(self.sandbox.router().layer(middleware::from_fn(pass)), "default"), gate)
    }
}
