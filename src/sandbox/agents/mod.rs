//! Simulated agents: what the clusters of a fleet would report of the works that they are given.
//!
//! One task stands for all clusters. It watches the works of a [`Sandbox`](super::Sandbox) and answers each after a delay, as a
//! [`Script`] says and as OCM's work agent would. It knows nothing of who makes the works.

mod feedback;
mod manifest;
mod queue;
mod report;
mod run;
mod script;

pub use run::Agents;
pub use script::{Clusters, Outcome, Rule, Script};
