//! The order of the components of an application on one cluster.
//!
//! A component belongs to a phase: the first one, or the one after the phases of all components that it depends on. A phase is opened once
//! everything in the phases before is healthy. Until then, a cluster keeps what it has of the components of that phase. A component whose
//! replicas are replaced in batches has a phase for each of them.

pub(super) mod first_batch;
pub(super) mod partial;
pub(super) mod waiting;
