//! Structural schemas as JSON: defaulting, pruning and validation of objects against a CRD.
//!
//! One implementation serves both the repository loader (which reports the line of an error) and the sandbox (which responds
//! like an API server).
//!
//! # Source
//! Kubernetes "Specifying a structural schema", and `apiextensions-apiserver/pkg/apiserver/schema`.

pub mod check;
pub mod defaulting;
pub mod hint;
mod pattern;
pub mod pruning;
