//! Tests of `sandbox` through its public API.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod agents;
mod apply;
mod client;
mod concurrency;
mod core;
mod definitions;
mod deletion;
mod discovery;
mod fleet;
mod kubectl;
mod lists;
mod patches;
mod random;
mod refusals;
mod rules;
mod schema;
mod script;
mod support;
mod versions;
mod watches;
mod writes;

#[path = "../support/scratch.rs"]
mod scratch;
#[path = "../support/watcher.rs"]
mod watcher;
