//! Tests of the pure logic: declarations, placements, rollouts, works, plans, and simulations of whole fleets.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod adopt;
mod approval;
mod checker;
mod consent;
mod delivery;
mod gate;
mod hostile;
mod placement;
mod plan;
mod policy;
mod presentation;
mod proposal;
mod registration;
mod rehearsal;
mod repository;
mod rollout;
mod simulation;
mod snapshot;
mod status;
mod upstream;

#[path = "../support/certificate_request.rs"]
mod certificate_request;
#[path = "../support/example_tree.rs"]
mod example_tree;
#[path = "../support/instance.rs"]
mod instance;
#[path = "../support/root.rs"]
mod root;
#[path = "../support/transcript.rs"]
mod transcript;
