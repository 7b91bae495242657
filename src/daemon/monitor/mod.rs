//! The HTTP endpoints of the daemon: `/metrics` in OpenMetrics, `/healthz` and `/readyz`, and on an address of their own, webhooks of forges.

pub mod metrics;
pub mod page;
mod pages;
mod serve;
mod servers;
pub mod tls;
mod webhook;

pub use pages::{router, webhook_router};
pub use serve::{Limits, serve};
pub use servers::Servers;
pub use tls::{Socket, Tls};
pub use webhook::{GAP, Looks, Webhook};
