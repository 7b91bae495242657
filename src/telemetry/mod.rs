//! Logs and metrics: where they go, not what they say.

pub mod chain;
pub mod log;
pub mod metrics;
