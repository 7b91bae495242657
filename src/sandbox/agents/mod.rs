//! Simulated agents, which report the status of ManifestWorks on behalf of the clusters of a fleet.
//!
//! One task simulates the agents of all clusters. It watches the works of a [`Sandbox`](super::Sandbox) and reports on each after
//! a delay, as OCM's work agent does, with the outcome that a [`Script`] sets. It does not depend on what creates the works. A
//! script is deterministic: the same seed gives the same fleet, and what an agent observes depends only on the time since it
//! first reported.

mod delay;
mod desk;
mod draw;
mod feedback;
mod file;
mod manifest;
mod outcome;
mod partition;
mod queue;
mod registration;
mod report;
mod run;
mod script;

pub use delay::Delay;
pub use file::InvalidScript;
pub use outcome::Outcome;
pub use partition::Partition;
pub use run::Agents;
pub use script::{Clusters, Rule, Script};
