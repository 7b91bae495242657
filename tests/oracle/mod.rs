//! Cases that the recordings do not cover, answered through the same entry point.

mod controller;
mod rollout;
mod spec_hash;
