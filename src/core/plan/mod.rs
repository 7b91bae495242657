//! The one pipeline: `plan(repository, fleet, now)` says what to write to the hub, what is where, and when to look again.
//!
//! The daemon, the command line and every preview call exactly this. It is pure: it reads no clock and does no I/O, and the
//! same inputs give the same plan. It writes nothing that is already as it should be, so a plan carried out and observed
//! yields an empty plan.
//!
//! ```text
//! declare  what the repository says ------------------> Lane (Prepare, Declare)
//! prune    what left it, within the brake ------------> Lane (Prune)
//! select   Placements --> groups of clusters ---------> Lane (Decide)
//! addon    groups + states + strategy --> who starts
//!   cluster   configurations, works, status ----------> Lane (Deliver)
//!   removal   clusters that are not to have it -------> Lane (Deliver)
//!   conclude  all clusters of a placement ------------> Lane (Conclude)
//! report   the same decisions, told to people
//! ```

pub mod addon;
pub mod brake;
pub mod cluster;
pub mod conclude;
pub mod context;
pub mod declare;
pub mod drift;
pub mod input;
pub mod membership;
pub mod memo;
pub mod node;
pub mod ownership;
pub mod pipeline;
pub mod present;
pub mod prune;
pub mod reason;
pub mod removal;
pub mod report;
pub mod select;
pub mod settle;
mod stamp;
pub mod tell;
pub mod withdraw;

pub use input::{Input, Past, PlacementMode};
pub use memo::Memo;
pub use pipeline::{Plan, plan};
