//! Tests of `rollout` through its public interface.

mod course;
mod differences;
mod golden;
mod journey;
mod late;
mod names;
mod properties;
mod scene;
mod settings;
mod simulation;
mod waiting;
mod world;
