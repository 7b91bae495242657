//! Logs and metrics: where they go, not what they say.

pub mod log;
pub mod metrics;
