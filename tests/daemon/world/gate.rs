//! A way to the hub that can be closed.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;
use futures::StreamExt as _;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use super::setup::World;

/// While it is closed, answers requests to the hub with `503 Service Unavailable`.
#[derive(Clone, Default)]
pub(in crate::daemon) struct HubGate {
    /// Cancelled while the gate is closed.
    closed: Arc<Mutex<CancellationToken>>,
}

impl HubGate {
    /// Refuses every request, and ends open watches.
    pub(in crate::daemon) fn close(&self) {
        self.closed.lock().cancel();
    }

    /// Lets every request pass.
    pub(in crate::daemon) fn open(&self) {
        let mut closed = self.closed.lock();
        if closed.is_cancelled() {
            *closed = CancellationToken::new();
        }
    }

    /// Returns `true` if requests are refused.
    pub(in crate::daemon) fn is_closed(&self) -> bool {
        self.closed.lock().is_cancelled()
    }
}

impl World {
    /// Returns a client of the hub behind a gate, which is open.
    pub(in crate::daemon) fn gated(&self) -> (kube::Client, HubGate) {
        let gate = HubGate::default();
        let of = gate.clone();
        let pass = move |request: Request, next: Next| {
            let closed = of.closed.lock().clone();
            async move {
                if closed.is_cancelled() {
                    return StatusCode::SERVICE_UNAVAILABLE.into_response();
                }
                let answer = next.run(request).await;
                answer.map(|body| Body::from_stream(body.into_data_stream().take_until(closed.cancelled_owned())))
            }
        };
        (kube::Client::new(self.sandbox.router().layer(middleware::from_fn(pass)), "default"), gate)
    }
}
