//! What a daemon answers over HTTP: `/metrics` in OpenMetrics, `/healthz` and `/readyz`, and webhooks of forges.

pub mod metrics;
mod pages;
mod webhook;

pub use pages::{router, serve};
pub use webhook::Webhook;
