//! Simulated agents: what the clusters of a fleet would report of the works that they are given.
//!
//! One task stands for all clusters. It watches the works of a [`Sandbox`](super::Sandbox) and answers each after a delay, as a
//! [`Script`] says and as OCM's work agent would. It knows nothing of who makes the works. A script is values only: the same seed
//! gives the same fleet, and what an agent finds depends on nothing but the time since it first answered.

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
