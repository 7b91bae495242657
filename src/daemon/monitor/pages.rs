//! The routes, and the read-only pages.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use tokio::sync::watch;

use super::webhook::{self, Receiver, Webhook};
use crate::reconciler::Stage;
use crate::reconciler::absence::Absences;
use crate::telemetry::metrics::Metrics;
use tidegate_model::line::one_line;

/// The data of the pages.
#[derive(Debug, Clone)]
struct Sources {
    metrics: Metrics,
    stage: watch::Receiver<Stage>,
    absences: Absences,
}

/// Returns the routes for probes and scrapers.
pub fn router(metrics: Metrics, stage: watch::Receiver<Stage>, absences: Absences) -> Router {
    Router::new()
        .route("/metrics", get(metrics_page))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .with_state(Sources { metrics, stage, absences })
}

/// Returns the only route for forges. Its address may be open to the Internet, so that nothing else is served there.
pub fn webhook_router(webhook: Webhook) -> Router {
    Router::new().route("/webhook", post(webhook::receive)).with_state(Receiver::from(webhook))
}

async fn metrics_page(State(sources): State<Sources>) -> impl IntoResponse {
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, content_type)], sources.metrics.text())
}

/// A process is ready when it has ticked at least once, or can take over from the replica that leads, and nothing that it needs has been
/// unavailable for longer than a minute.
async fn ready(State(sources): State<Sources>) -> (StatusCode, String) {
    let answer = match &*sources.stage.borrow() {
        Stage::Starting => Err("waiting for the hub and the repository\n"),
        Stage::Running(snapshots) if snapshots.borrow().tick == 0 => Err("waiting for the first tick\n"),
        Stage::StandingBy => Ok("ok: standing by\n"),
        Stage::Running(_) => Ok("ok\n"),
    };
    match (answer, sources.absences.long()) {
        (Ok(answer), absent) if absent.is_empty() => (StatusCode::OK, answer.to_owned()),
        (Err(waiting), absent) if absent.is_empty() => (StatusCode::SERVICE_UNAVAILABLE, waiting.to_owned()),
        (_, absent) => (StatusCode::SERVICE_UNAVAILABLE, one_line(&absent.join("; ")) + "\n"),
    }
}
