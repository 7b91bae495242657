//! A queue of works, ordered by when their report is due.

use std::collections::{BTreeMap, HashMap};

use tokio::time::Instant;

use crate::store::Key;

/// Works by when their report is due; each work is queued at most once.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    by_time: BTreeMap<(Instant, Key), ()>,
    by_key: HashMap<Key, Instant>,
}

impl Queue {
    /// Adds a work; a work that is already queued keeps its time.
    pub(crate) fn add(&mut self, key: Key, due: Instant) {
        if !self.by_key.contains_key(&key) {
            self.by_key.insert(key.clone(), due);
            self.by_time.insert((due, key), ());
        }
    }

    /// Adds a work; a work that is already queued gets the new time.
    pub(crate) fn put(&mut self, key: Key, due: Instant) {
        self.remove(&key);
        self.add(key, due);
    }

    /// Removes a work.
    pub(crate) fn remove(&mut self, key: &Key) {
        if let Some(due) = self.by_key.remove(key) {
            self.by_time.remove(&(due, key.clone()));
        }
    }

    /// Returns when the next report is due.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.by_time.first_key_value().map(|((due, _), ())| *due)
    }

    /// Removes and returns the next work whose report is due.
    pub(crate) fn pop(&mut self, now: Instant) -> Option<Key> {
        let entry = self.by_time.first_entry().filter(|entry| entry.key().0 <= now)?;
        let ((_, key), ()) = entry.remove_entry();
        self.by_key.remove(&key);
        Some(key)
    }
}
