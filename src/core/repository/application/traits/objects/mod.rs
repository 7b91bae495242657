//! Traits that add objects to a component.

pub(super) mod autoscaler;
pub(super) mod network;
pub(super) mod service_account;
pub(super) mod storage;
