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
pub mod checks;
pub mod clock;
pub mod daemon;
pub mod events;
pub mod forge;
pub mod http;
pub mod journal;
mod last_writer;
pub mod leader;
pub mod metrics;
pub mod news;
pub mod notification;
mod outage;
mod snapshot;
pub mod source;
pub mod standard_webhook;
mod tick;

pub use daemon::{Config, Daemon};
pub use leader::{Replica, Stage};
pub use snapshot::Snapshot;
