//! Cases that the recordings do not cover, answered through the same entry point.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod controller;
mod rollout;
mod spec_hash;
