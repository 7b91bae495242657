//! The routes, and the pages among them that only show something.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::webhook::{self, Receiver, Webhook};
use crate::reconciler::Snapshot;
use crate::telemetry::metrics::Metrics;

/// What the pages are made from.
#[derive(Debug, Clone)]
struct Sources {
    metrics: Metrics,
    snapshots: watch::Receiver<Arc<Snapshot>>,
}

/// Returns the routes; `/webhook` is one of them if webhooks are received.
pub fn router(metrics: Metrics, snapshots: watch::Receiver<Arc<Snapshot>>, webhook: Option<Webhook>) -> Router {
    let webhooks = webhook.map_or_else(Router::new, |webhook| {
        Router::new().route("/webhook", post(webhook::receive)).with_state(Receiver::from(webhook))
    });
    Router::new()
        .route("/metrics", get(metrics_page))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .with_state(Sources { metrics, snapshots })
        .merge(webhooks)
}

/// Serves the routes until told to stop.
///
/// # Errors
/// The error of the listener, if it cannot go on.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) -> std::io::Result<()> {
    axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await
}

async fn metrics_page(State(sources): State<Sources>) -> impl IntoResponse {
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, content_type)], sources.metrics.text())
}

/// Ready is who has seen the repository and the hub, and has ticked at least once.
async fn ready(State(sources): State<Sources>) -> impl IntoResponse {
    match sources.snapshots.borrow().tick {
        0 => (StatusCode::SERVICE_UNAVAILABLE, "waits for the first tick\n"),
        _ => (StatusCode::OK, "ok\n"),
    }
}
