//! Kubernetes quantities such as `500m`, `16Gi` or `1e3`: parsed, compared, added, and written in canonical form.
//!
//! # Source
//! `k8s.io/apimachinery` v0.36 pkg/api/resource.

mod canonical;
mod decimal;
mod value;

pub use self::value::{InvalidQuantity, Quantity};
