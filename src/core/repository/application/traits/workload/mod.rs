//! Traits that change the workload of a component.

pub(super) mod affinity;
pub(super) mod container;
pub(super) mod env;
pub(super) mod metadata;
pub(super) mod patch;
pub(super) mod pods;
pub(super) mod sidecar;
pub(super) mod strategy;
