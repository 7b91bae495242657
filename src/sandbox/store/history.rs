//! The recent changes of one kind, for watches and for lists at a past revision.

use std::collections::VecDeque;
use std::sync::OnceLock;

use bytes::Bytes;

use super::{Key, Stored};

/// Maximum number of changes that are kept for a kind.
///
/// Ten thousand clusters may answer within seconds of one another. A watcher may fall this many changes behind before it must
/// list again.
const CAPACITY: usize = 16_384;

/// Maximum number of bytes of changed objects that are kept for a kind, so that past states do not fill the memory. The watch
/// events cached for them may take as much again.
const BYTES: usize = 128 << 20;

/// One change of an object.
#[derive(Debug)]
pub(crate) struct Change {
    /// The revision of the change.
    pub(crate) revision: u64,
    /// The key of the object.
    pub(crate) key: Key,
    /// The object after the change; for a removal, its last state at the revision of the removal.
    pub(crate) object: Stored,
    /// The object before the change.
    pub(crate) previous: Option<Stored>,
    /// Whether the change removed the object.
    pub(crate) removed: bool,
    /// The event for watchers without a selector, serialized once for all of them.
    line: OnceLock<Bytes>,
}

impl Change {
    /// Records a change.
    pub(crate) fn new(revision: u64, key: Key, object: Stored, previous: Option<Stored>, removed: bool) -> Self {
        Self { revision, key, object, previous, removed, line: OnceLock::new() }
    }

    /// Returns the event for a watcher without a selector, as a line in the storage version.
    pub(crate) fn line(&self) -> Bytes {
        self.line.get_or_init(|| event_line(self.type_(), &self.object)).clone()
    }

    fn type_(&self) -> &'static str {
        match &self.previous {
            _ if self.removed => "DELETED",
            None => "ADDED",
            Some(_) => "MODIFIED",
        }
    }
}

/// Returns the line that a watch sends for an object in the storage version.
pub(crate) fn event_line(type_: &str, object: &Stored) -> Bytes {
    let text = object.text();
    let mut line = Vec::with_capacity(text.len() + type_.len() + 23);
    line.extend_from_slice(b"{\"type\":\"");
    line.extend_from_slice(type_.as_bytes());
    line.extend_from_slice(b"\",\"object\":");
    line.extend_from_slice(text);
    line.extend_from_slice(b"}\n");
    line.into()
}

/// The history does not reach back far enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooOld {
    /// The oldest revision after which all changes are known.
    pub(crate) oldest: u64,
}

/// The recent changes of one kind.
#[derive(Debug, Default)]
pub(crate) struct History {
    changes: VecDeque<Change>,
    bytes: usize,
    forgotten: u64,
}

impl History {
    /// Adds a change and drops the oldest ones that exceed the limits.
    pub(crate) fn push(&mut self, change: Change) {
        self.bytes += change.object.text().len();
        self.changes.push_back(change);
        while self.changes.len() > CAPACITY || (self.bytes > BYTES && self.changes.len() > 1) {
            let Some(oldest) = self.changes.pop_front() else { return };
            self.bytes -= oldest.object.text().len();
            self.forgotten = oldest.revision;
        }
    }

    /// Drops all changes; the history starts after this revision.
    pub(crate) fn begin(&mut self, revision: u64) {
        self.changes.clear();
        self.forgotten = revision;
    }

    /// Returns all changes that are kept.
    pub(crate) fn into_changes(self) -> impl Iterator<Item = Change> {
        self.changes.into_iter()
    }

    /// Returns the changes after a revision, in order.
    ///
    /// # Errors
    /// [`TooOld`] if some of them were dropped.
    pub(crate) fn after(&self, revision: u64) -> Result<impl DoubleEndedIterator<Item = &Change>, TooOld> {
        if revision < self.forgotten {
            return Err(TooOld { oldest: self.forgotten });
        }
        let start = self.changes.partition_point(|change| change.revision <= revision);
        Ok(self.changes.range(start..))
    }
}
