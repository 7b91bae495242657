//! What the audit returns: findings, and the history of every rollout.

pub mod event;
pub(super) mod finding;
pub mod history;
pub(crate) mod story;
