//! How each add-on stands, as numbers.

pub mod metrics;
