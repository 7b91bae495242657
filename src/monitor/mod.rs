//! The HTTP endpoints of the daemon: `/metrics` in OpenMetrics, `/healthz` and `/readyz`, and webhooks of forges.

pub mod metrics;
mod pages;
mod serve;
mod webhook;

pub use pages::router;
pub use serve::{serve, serve_patiently};
pub use webhook::{GAP, Looks, Webhook};
