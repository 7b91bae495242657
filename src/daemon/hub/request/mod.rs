//! Requests to the hub: one call with its retries, lists, writes and Events.

pub(super) mod act;
pub(super) mod call;
mod definitions;
mod event;
mod leases;
pub(super) mod list;
pub(super) mod read;
pub(super) mod retry;
mod roles;
mod write;
