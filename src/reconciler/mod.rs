//! The loop: observe, plan, act, report.
//!
//! A tick works only on observed state: the repository as last followed, the fleet as last seen, and the clock. Signals (a commit,
//! a change on the hub, a deadline) only mean "look now", and so does a periodic timer. A tick is idempotent, so extra ticks are
//! harmless. It never waits for Git: separate tasks read from Git before it and write to Git after it:
//!
//! ```text
//! source  Git --> Repository --(watch)--> tick --(watch)--> journal --> Git
//!                             hub --> Fleet --^   +--> hub
//! ```
//!
//! State is kept on the hub and in Git only. After a kill at any instant, a new process continues from what it observes.

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
mod local_record;
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
