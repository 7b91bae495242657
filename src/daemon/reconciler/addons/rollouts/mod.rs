//! What rollouts are measured by.

mod metrics;

pub(super) use metrics::Metrics;
