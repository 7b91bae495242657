//! A hub that was put back to an older state.

use super::time::Timestamp;

/// A hub that shows an older state than it did before, as after its etcd was restored from a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rewind {
    /// The resourceVersion that was seen before.
    pub from: u64,
    /// The lower resourceVersion that the hub has shown since.
    pub to: u64,
    /// When this was noticed.
    pub at: Timestamp,
}
