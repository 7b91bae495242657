//! Tests of `checker`: for every rule, one sequence of observations that breaks it and one that almost does.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod doubt;
mod evidence;
mod gate;
mod gates;
mod guards;
mod hostile;
mod order;
mod scene;
mod schedules;
mod simulation;

#[path = "../../support/instance.rs"]
mod instance;
