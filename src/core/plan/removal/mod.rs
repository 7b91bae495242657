//! What is removed: add-ons from clusters, and objects that left the repository, within the limits.

pub(super) mod brake;
mod data;
pub(super) mod hooks;
pub(super) mod leftovers;
pub(super) mod prune;
mod report;
pub(super) mod rollout;
pub(super) mod withdraw;
