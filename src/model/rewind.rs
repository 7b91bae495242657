//! A hub that was restored to an older state.

use super::time::Timestamp;

/// A hub that shows an older state than before, for example because its etcd was restored from a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rewind {
    /// The resourceVersion seen before.
    pub from: u64,
    /// The lower resourceVersion seen since.
    pub to: u64,
    /// When this was noticed.
    pub at: Timestamp,
}
