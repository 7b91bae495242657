//! The edge to the forge in the loop: looks at pull requests, journals what people said, and reports back.
//!
//! Git comes first: heads, trees, merges and their meaning are read from Git. The forge is asked only what people said and who they are.
//! While it is unreachable, everything that is known stays, so nothing opens and nothing that is open closes.

mod approvals;
mod authors;
mod config;
mod deployments;
mod links;
mod members;
mod plan_status;
mod planner;
mod plans;
mod poller;
mod progress;
mod publish;
mod published;
mod record;
mod refusals;
mod reported;
mod requests;
mod room;
mod task;
mod trees;

pub use config::{Checks, ForgeConfig, Publish};
pub use members::{membership, named_by};
pub(super) use task::{Reviewing, review};
pub(super) use trees::Trees;
