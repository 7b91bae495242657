//! The loop: observe, plan, act, report.
//!
//! A tick takes no input but what is observed: the repository as last followed, the fleet as last seen, and the clock. Signals
//! (a commit, a change on the hub, a moment that has come) only say "look now", and a period says so in any case. A tick is
//! idempotent, so it may run too often; it never waits for Git, which has tasks of its own on both sides:
//!
//! ```text
//! source  Git --> Repository --(watch)--> tick --(watch)--> journal --> Git
//!                             hub --> Fleet --^   +--> hub
//! ```
//!
//! State lives on the hub and in Git only. Killed at any instant, a new process goes on from what it observes.

pub mod absence;
pub mod addons;
pub mod announce;
pub mod check;
pub mod clock;
pub mod daemon;
pub mod events;
pub mod follow;
mod identify;
pub mod journaling;
pub mod keep;
mod memory;
pub mod metrics;
pub mod news;
pub mod outage;
mod race;
mod recovery;
pub mod refusals;
pub mod revision;
pub mod snapshot;
pub mod source;
pub mod tick;
mod touch;
pub mod trust;
pub mod turn;

pub use daemon::{Config, Daemon};
pub use snapshot::Snapshot;
