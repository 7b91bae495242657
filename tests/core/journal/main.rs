//! Tests of the journal: its paths, and the records of pull requests and of the fleet.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod file;
mod pulls;
mod snapshot;

#[path = "../../support/instance.rs"]
mod instance;
