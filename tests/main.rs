//! All tests in one binary: one link instead of many.

mod delivery;
mod git;
mod hub;
mod placement;
mod repository;
mod rollout;
mod sandbox;
