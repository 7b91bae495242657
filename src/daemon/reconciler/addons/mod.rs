//! The state of each add-on, as numbers.

pub mod metrics;
mod rollouts;
