//! Works that wait for their answer, by when it is due.

use std::collections::{BTreeMap, HashMap};

use tokio::time::Instant;

use crate::store::Key;

/// Works by when their answer is due; each work waits once.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    by_time: BTreeMap<(Instant, Key), ()>,
    by_key: HashMap<Key, Instant>,
}

impl Queue {
    /// Adds a work; one that waits already keeps its time.
    pub(crate) fn add(&mut self, key: Key, due: Instant) {
        if !self.by_key.contains_key(&key) {
            self.by_key.insert(key.clone(), due);
            self.by_time.insert((due, key), ());
        }
    }

    /// Adds a work; one that waits already waits for this time instead.
    pub(crate) fn put(&mut self, key: Key, due: Instant) {
        self.remove(&key);
        self.add(key, due);
    }

    /// Forgets a work.
    pub(crate) fn remove(&mut self, key: &Key) {
        if let Some(due) = self.by_key.remove(key) {
            self.by_time.remove(&(due, key.clone()));
        }
    }

    /// Returns when the next answer is due.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.by_time.first_key_value().map(|((due, _), ())| *due)
    }

    /// Takes the next work whose answer is due.
    pub(crate) fn pop(&mut self, now: Instant) -> Option<Key> {
        let entry = self.by_time.first_entry().filter(|entry| entry.key().0 <= now)?;
        let ((_, key), ()) = entry.remove_entry();
        self.by_key.remove(&key);
        Some(key)
    }
}
