//! Logs and metrics: where they go, not what they contain.

pub mod log;
pub mod metrics;
