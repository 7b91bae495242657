//! Simulated agents, which report the status of ManifestWorks on behalf of the clusters of a fleet.
//!
//! One task simulates the agents of all clusters. It watches the works of a [`Sandbox`](super::Sandbox) and reports on each after
//! a delay, as OCM's work agent does, with the outcome that a [`Script`] sets. It does not depend on what creates the works. A
//! script is deterministic: the same seed gives the same fleet, and what an agent observes depends only on the time since it
//! first reported.

mod feedback;
mod manifest;
mod queue;
mod registration;
mod report;
mod run;
mod scheduler;
mod script;

pub use run::Agents;
pub use script::{Clusters, Delay, InvalidScript, Outcome, Partition, Rule, Script};
