//! The planner: `plan(repository, fleet, now)` decides what to write to the hub, reports the state of every cluster, and returns
//! when to look again.
//!
//! Every tick of the reconciler calls exactly this function. It is pure: it reads no clock and does no I/O, and the same inputs
//! give the same plan. It writes nothing that is already up to date, so once a plan has been carried out and observed, the next
//! plan is empty.
//!
//! ```text
//! rules    which rules are in force
//! declare  what the repository declares --------------> Lane (Prepare, Declare)
//! prune    what left it, within the limits -----------> Lane (Prune)
//! select   Placements --> groups of clusters ---------> Lane (Decide)
//! addon    one add-on in five steps:
//!   survey     its clusters, and where each one stands
//!   rule       gates + strategy --> who starts
//!   deliver    configurations, works, status, tokens -> Lane (Deliver)
//!   depart     clusters that should not have it ------> Lane (Deliver)
//!   summarize  all clusters of the add-on ------------> Lane (Conclude)
//! requests certificates of agents --------------------> Lane (Deliver)
//! report   the same decisions, described for people
//! ```
//!
//! `context`, `node` and `report` are the ground: all folders import them. No two folders import each other.
//!
//! [`preview`] composes the same way, for one cluster that need not have the add-on yet.

mod alike;
mod at_rest;
mod candidate;
mod cluster;
mod context;
mod guards;
mod hub_objects;
mod input;
mod kept_declared;
mod kept_selections;
mod kept_works;
mod memo;
mod moves;
mod node;
mod occupants;
mod pipeline;
mod preview;
mod refusal;
mod removal;
pub mod report;
mod rules;
mod select;
mod status_patch;
mod undecided;
mod unit;
mod upstream;
mod writers;

pub use self::cluster::assumed::completed;
pub use self::cluster::layered::{Layered, layered};
pub use self::cluster::rendering::Undeliverable;
pub use self::guards::{Guards, Judged};
pub use self::hub_objects::drift::drift;
pub use self::hub_objects::ownership::{Ownership, remedy};
pub use self::moves::Move;
pub use self::removal::brake::would_hold;
pub use self::report::hold::Hold;
pub use self::unit::grants::watched_kinds;
pub use self::unit::outlook::{Outlook, Outlooks, PlacementOutlook, Target};
pub use self::unit::requests::Issue;
pub use input::{Distrust, Input, Past, PlacementMode};
pub use memo::Memo;
pub use pipeline::{Plan, plan};
pub use preview::{Preview, preview};
pub use refusal::Refusal;
pub use undecided::Undecided;
