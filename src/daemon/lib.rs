//! The daemon: it follows a repository, observes the hub, applies plans, and journals what happened.

pub mod hub;
pub mod monitor;
pub mod reconciler;
pub mod telemetry;
