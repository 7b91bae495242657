//! The consequences of writes: what CRDs and namespaces start and end, and the garbage collection of dependents.

pub(super) mod definition;
pub(super) mod garbage;
pub(super) mod namespace;
