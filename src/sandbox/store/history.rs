//! The recent changes of one kind, for watches and for lists of a moment in the past.

use std::collections::VecDeque;
use std::sync::OnceLock;

use bytes::Bytes;

use super::{Key, Stored};

/// How many changes of a kind are kept at most.
///
/// Ten thousand clusters answer within seconds of one another, and a watcher may be as many changes behind before it must list
/// again.
const CAPACITY: usize = 16_384;

/// How many bytes of changed objects are kept of a kind at most: what is no longer current must not fill the memory. The lines that
/// watches send of them may take as much again.
const BYTES: usize = 128 << 20;

/// One change of an object.
#[derive(Debug)]
pub(crate) struct Change {
    /// The revision that the change made.
    pub(crate) revision: u64,
    /// Where the object lies.
    pub(crate) key: Key,
    /// The object after the change; for a removal its last state, at the revision of the removal.
    pub(crate) object: Stored,
    /// The object before the change.
    pub(crate) previous: Option<Stored>,
    /// Whether the object is gone.
    pub(crate) removed: bool,
    /// What is sent to who watches everything, made once for all of them.
    line: OnceLock<Bytes>,
}

impl Change {
    /// Records a change.
    pub(crate) fn new(revision: u64, key: Key, object: Stored, previous: Option<Stored>, removed: bool) -> Self {
        Self { revision, key, object, previous, removed, line: OnceLock::new() }
    }

    /// Returns the event of a watch for everything, as a line in the storage version.
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

/// Returns the line that a watch sends of an object in the storage version.
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
    bytes: usize,
    forgotten: u64,
}

impl History {
    /// Adds a change and forgets the oldest ones beyond the bounds.
    pub(crate) fn push(&mut self, change: Change) {
        self.bytes += change.object.text().len();
        self.changes.push_back(change);
        while self.changes.len() > CAPACITY || (self.bytes > BYTES && self.changes.len() > 1) {
            let Some(oldest) = self.changes.pop_front() else { return };
            self.bytes -= oldest.object.text().len();
            self.forgotten = oldest.revision;
        }
    }

    /// Forgets everything up to a revision.
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
    /// [`TooOld`] if some of them are forgotten.
    pub(crate) fn after(&self, revision: u64) -> Result<impl DoubleEndedIterator<Item = &Change>, TooOld> {
        if revision < self.forgotten {
            return Err(TooOld { oldest: self.forgotten });
        }
        let start = self.changes.partition_point(|change| change.revision <= revision);
        Ok(self.changes.range(start..))
    }
}
