//! The kinds that are watched, and how the hub serves them.

pub(super) mod discovery;
pub(super) mod resource;
pub(super) mod watched;
