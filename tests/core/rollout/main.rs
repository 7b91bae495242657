//! Tests of `rollout` through its public interface.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod course;
mod differences;
mod gate;
mod golden;
mod hubs;
mod journey;
mod late;
mod limits;
mod names;
mod placement;
mod properties;
mod scene;
mod settings;
mod simulation;
mod waiting;
mod world;

#[path = "../../support/root.rs"]
mod root;
