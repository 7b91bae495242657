//! Structural schemas: a CRD's schema is compiled once, and then fills in defaults, prunes and validates objects.
//!
//! One [`Schema`] serves both the repository loader, which reports each error with its line and a remedy, and the sandbox, which
//! validates and responds like an API server.
//!
//! # Source
//! Kubernetes "Specifying a structural schema", and `apiextensions-apiserver/pkg/apiserver/schema`.

mod bounds;
pub mod builtin;
pub mod check;
mod choices;
pub mod defaulting;
pub mod format;
pub mod path;
pub mod pruning;
mod structural;

pub use self::bounds::{Bounds, Limit, Range};
pub use self::structural::{Combined, ListType, Pattern, Schema};
