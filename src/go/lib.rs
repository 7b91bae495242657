//! Go's ways of reading and writing values, byte for byte.
//!
//! Kubernetes and Open Cluster Management are written in Go, and hashes, comparisons and messages depend on how Go prints a number,
//! quotes a string or decodes JSON. Each module here does one of these as Go's standard library or apimachinery does it. Pure.

pub mod canonical;
pub mod duration;
pub mod json;
pub mod json_length;
pub mod label;
pub mod label_selector;
pub mod number;
pub mod quantity;
pub mod quote;
