//! Tests of imports of staged rollouts.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod fields;
mod groups;
mod refusals;
mod samples;
