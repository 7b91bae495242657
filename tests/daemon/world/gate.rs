//! A way to the hub that can be closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use futures::StreamExt as _;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::setup::World;

/// While it is closed, answers requests to the hub with `503 Service Unavailable`.
#[derive(Clone, Default)]
pub(in crate::daemon) struct HubGate {
    /// Cancelled while the gate is closed.
    closed: Arc<Mutex<CancellationToken>>,
    /// Whether new requests are refused, and open watches continue.
    is_busy: Arc<AtomicBool>,
    /// Whether writes are held back. They reach the hub when this ends.
    holds: watch::Sender<bool>,
    /// Whether watches deliver nothing, although they are open.
    stalls: watch::Sender<bool>,
    /// The number of writes that were held back.
    held: Arc<AtomicUsize>,
    /// The number of writes that have reached the hub.
    written: Arc<AtomicUsize>,
}

impl HubGate {
    /// Refuses every new request. Open watches continue.
    pub(in crate::daemon) fn refuse(&self) {
        self.is_busy.store(true, Ordering::SeqCst);
    }

    /// Refuses every request, and ends open watches.
    pub(in crate::daemon) fn close(&self) {
        self.closed.lock().cancel();
    }

    /// Holds back all writes, that of the Lease included, until [`HubGate::release`]: they are under way for all that time.
    pub(in crate::daemon) fn hold(&self) {
        self.holds.send_replace(true);
    }

    /// Lets the writes reach the hub that were held back.
    pub(in crate::daemon) fn release(&self) {
        self.holds.send_replace(false);
    }

    /// Lets open watches deliver nothing. New lists are answered.
    pub(in crate::daemon) fn stall(&self) {
        self.stalls.send_replace(true);
    }

    /// Returns the number of writes that were held back.
    pub(in crate::daemon) fn held(&self) -> usize {
        self.held.load(Ordering::SeqCst)
    }

    /// Returns the number of writes that have changed something on the hub.
    pub(in crate::daemon) fn written(&self) -> usize {
        self.written.load(Ordering::SeqCst)
    }

    /// Lets every request pass.
    pub(in crate::daemon) fn open(&self) {
        self.is_busy.store(false, Ordering::SeqCst);
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
            let (closed, is_busy) = (of.closed.lock().clone(), of.is_busy.load(Ordering::SeqCst));
            let (mut holds, held, written) = (of.holds.subscribe(), of.held.clone(), of.written.clone());
            let (stalls, is_watch) =
                (of.stalls.subscribe(), request.uri().query().is_some_and(|q| q.contains("watch=true")));
            let is_write = request.method() != axum::http::Method::GET;
            async move {
                if is_busy || closed.is_cancelled() {
                    return StatusCode::SERVICE_UNAVAILABLE.into_response();
                }
                if is_write && *holds.borrow() {
                    held.fetch_add(1, Ordering::SeqCst);
                    // It arrives even if the daemon does not wait for it any longer.
                    let late = tokio::spawn(async move {
                        drop(holds.wait_for(|holds| !holds).await);
                        let answer = next.run(request).await;
                        written.fetch_add(usize::from(answer.status().is_success()), Ordering::SeqCst);
                        answer
                    });
                    return late.await.unwrap();
                }
                let answer = next.run(request).await;
                written.fetch_add(usize::from(is_write && answer.status().is_success()), Ordering::SeqCst);
                let (parts, body) = answer.into_parts();
                let chunks = body.into_data_stream().then(move |chunk| {
                    let mut stalls = is_watch.then(|| stalls.clone());
                    async move {
                        if let Some(stalls) = &mut stalls {
                            drop(stalls.wait_for(|stalls| !stalls).await);
                        }
                        chunk
                    }
                });
                Response::from_parts(parts, Body::from_stream(chunks.take_until(closed.cancelled_owned())))
            }
        };
        (kube::Client::new(self.sandbox.router().layer(middleware::from_fn(pass)), "default"), gate)
    }
}
