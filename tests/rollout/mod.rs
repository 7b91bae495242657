//! Tests of `rollout` through its public face.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails by panicking, as the tests do")]

mod differences;
mod golden;
mod properties;
mod scene;
mod settings;
mod simulation;
mod waiting;
mod world;
