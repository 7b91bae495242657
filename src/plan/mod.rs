//! The one pipeline: `plan(repository, fleet, now)` says what to write to the hub, what is where, and when to look again.
//!
//! The daemon, the command line and every preview call exactly this. It is pure: it reads no clock and does no I/O, and the
//! same inputs give the same plan. It writes nothing that is already as it should be, so a plan carried out and observed
//! yields an empty plan.
//!
//! ```text
//! declare  what the repository says ------------------> Lane (Prepare, Declare, Prune)
//! select   Placements --> groups of clusters ---------> Lane (Decide)
//! addon    groups + states + strategy --> who starts
//!   cluster   configurations, works, status ----------> Lane (Deliver)
//!   conclude  all clusters of a placement ------------> Lane (Conclude)
//! report   the same decisions, told to people
//! ```

pub mod addon;
pub mod cluster;
pub mod conclude;
pub mod declare;
pub mod input;
pub mod membership;
pub mod node;
pub mod pipeline;
pub mod present;
pub mod reason;
pub mod report;
pub mod select;
pub mod settle;
pub mod tell;

pub use input::{Input, Memo, PlacementMode};
pub use pipeline::{Plan, plan};
