//! Scripts, which determine the behavior of the clusters. Pure.

mod behavior;
mod clusters;
mod delay;
mod file;
mod outcome;
mod partition;
mod rng;

pub use self::behavior::{Rule, Script};
pub use self::clusters::Clusters;
pub use self::delay::Delay;
pub use self::file::InvalidScript;
pub(super) use self::outcome::Health;
pub use self::outcome::Outcome;
pub use self::partition::Partition;
