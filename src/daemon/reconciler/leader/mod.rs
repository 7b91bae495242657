//! Leader election: of several replicas of a daemon, one leads, and the others stand by.
//!
//! A Lease on the hub makes the change of leaders fast. It does not make it safe, because a leader may be paused between its last look at the
//! clock and a write. What makes it safe:
//!
//! - A replica sends a write only while its Lease was renewed recently, by its own clocks. The others take the Lease over after a longer time
//!   without a change, by theirs. No one compares the clocks of two machines.
//! - A leader begins a term in the journal before it writes anything to the hub. The push is a compare-and-swap, so an earlier leader can push
//!   nothing after it.
//! - Most writes to the hub name the version of the object that they were decided from (see docs/replicas.md for the others).
//!
//! # Source
//! The algorithm is that of client-go's `tools/leaderelection`, except that a replica that cannot renew its Lease pauses, and ends only when
//! another one leads.

mod candidate;
mod election;
mod leadership;
mod metrics;
mod replica;
mod stage;
mod standby;

pub use self::election::{Election, Move, Timing};
pub use self::metrics::Leads;
pub use self::replica::Replica;
pub use self::stage::Stage;
