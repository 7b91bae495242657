//! All tests in one binary: one link instead of many.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod api;
mod approval;
mod architecture;
mod audit;
mod cel;
mod checker;
mod cli;
mod daemon;
mod delivery;
mod examples;
mod git;
mod hub;
mod journal;
mod model;
mod monitor;
mod news;
mod oracle;
mod overlay;
mod placement;
mod plan;
mod repository;
mod rollout;
mod sandbox;
mod signature;
mod simulation;
mod status;
mod vectors;
mod wording;
mod yaml;

/// The instance that most tests are about.
fn instance() -> tidegate::model::instance::Instance {
    tidegate::model::instance::Instance { id: "0123456789abcdef".parse().unwrap(), name: String::new() }
}
