//! Kubernetes types only: the OCM kinds that are read and written, their schemas and constants. No behavior beyond accessors.

pub mod condition;
pub mod fleet;
pub mod key;
pub mod kubernetes;
pub mod mark;
pub mod ocm;
pub mod precondition;
pub mod schema;
pub mod variable;
