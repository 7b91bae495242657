//! The recent changes of one kind, for watches and for lists of a moment in the past.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use super::Key;

/// How many changes of a kind are kept.
///
/// Ten thousand clusters answer within seconds of one another, and a watcher may be as many changes behind before it must list
/// again. The objects are shared with the store, so that a change costs at most one object that is no longer current: at 10 KiB
/// a work that is 160 MiB in the worst case.
const CAPACITY: usize = 16_384;

/// One change of an object.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    /// The revision that the change made.
    pub(crate) revision: u64,
    /// Where the object lies.
    pub(crate) key: Key,
    /// The object after the change; for a removal its last state, at the revision of the removal.
    pub(crate) object: Arc<Value>,
    /// The object before the change.
    pub(crate) previous: Option<Arc<Value>>,
    /// Whether the object is gone.
    pub(crate) removed: bool,
}

/// The history does not reach back that far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooOld {
    /// The oldest revision from which it can be followed.
    pub(crate) oldest: u64,
}

/// The recent changes of one kind.
#[derive(Debug, Default)]
pub(crate) struct History {
    changes: VecDeque<Change>,
    forgotten: u64,
}

impl History {
    /// Adds a change and forgets the oldest beyond the capacity.
    pub(crate) fn push(&mut self, change: Change) {
        if self.changes.len() == CAPACITY
            && let Some(oldest) = self.changes.pop_front()
        {
            self.forgotten = oldest.revision;
        }
        self.changes.push_back(change);
    }

    /// Forgets everything up to a revision.
    pub(crate) fn begin(&mut self, revision: u64) {
        self.changes.clear();
        self.forgotten = revision;
    }

    /// Returns the changes after a revision, in order.
    ///
    /// # Errors
    /// [`TooOld`] if some of them are forgotten.
    pub(crate) fn after(&self, revision: u64) -> Result<impl DoubleEndedIterator<Item = &Change>, TooOld> {
        if revision < self.forgotten {
            return Err(TooOld { oldest: self.forgotten });
        }
        let start = self.changes.partition_point(|change| change.revision <= revision);
        Ok(self.changes.range(start..))
    }
}
