//! What happens to an add-on on a cluster that should not have it.

use super::obstacle::Obstacle;
use tidegate_model::time::Timestamp;

/// What happens to an add-on on a cluster that should not have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Departure {
    /// It is deleted now.
    Starts,
    /// It is being deleted; finalizers, such as those of works on an unreachable cluster, may delay that.
    Deleting {
        /// When the deletion times out, if ever.
        deadline: Option<Timestamp>,
    },
    /// It stays for now.
    Waits(Obstacle),
}
