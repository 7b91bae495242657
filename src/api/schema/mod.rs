//! Structural schemas, as JSON: defaulting, pruning and checking of objects by what a CRD says.
//!
//! One walker serves the repository loader (which points at the line of a fault) and the sandbox (which answers as an API server).
//!
//! # Source
//! Kubernetes "Specifying a structural schema", and `apiextensions-apiserver/pkg/apiserver/schema`.

pub mod check;
pub mod defaulting;
pub mod hint;
mod pattern;
pub mod pruning;
