//! Who can get what onto a cluster, by which way, and which guard is off: the first page that an auditor reads.
//!
//! [`review`] reads one revision and what the operator says. It judges nothing: the daemon does, by the same declarations.

mod facts;
mod guards;
mod review;
mod ways;

pub use facts::{OperatorFacts, Unguarded, Way};
pub use review::{Review, review};
