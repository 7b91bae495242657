//! Maps that keep the order and the origins of their keys.

use std::collections::HashMap;
use std::sync::Arc;

use crate::yaml::origin::Origin;

/// From this size on, entries are found through an index. Below it, a linear search is faster and needs no memory.
const INDEXED: usize = 24;

/// The key of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its text.
    pub text: Arc<str>,
    /// Its origin.
    pub origin: Origin,
}

impl Key {
    /// Creates a key.
    pub fn new(text: impl Into<Arc<str>>, origin: Origin) -> Self {
        Self { text: text.into(), origin }
    }
}

/// An entry of an [`OrderedMap`].
#[derive(Debug, Clone)]
pub struct Entry<V> {
    key: Key,
    /// Its value.
    pub value: V,
}

impl<V> Entry<V> {
    /// Returns its key.
    pub fn key(&self) -> &Key {
        &self.key
    }
}

/// A map whose entries keep their insertion order, except after [`OrderedMap::remove`].
#[derive(Debug, Clone)]
pub struct OrderedMap<V> {
    entries: Vec<Entry<V>>,
    /// Boxed, because few maps are large enough to have one.
    index: Option<Box<Index>>,
}

/// The positions of entries by key.
#[derive(Debug, Clone)]
struct Index(HashMap<Arc<str>, usize>);

impl<V> Default for OrderedMap<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), index: None }
    }
}

impl<V> OrderedMap<V> {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.0.get(key).copied(),
            None => self.entries.iter().position(|entry| &*entry.key.text == key),
        }
    }

    /// Returns the entry of a key.
    pub fn entry(&self, key: &str) -> Option<&Entry<V>> {
        self.entries.get(self.position(key)?)
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&V> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Returns the value of a key mutably.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        let at = self.position(key)?;
        self.entries.get_mut(at).map(|entry| &mut entry.value)
    }

    /// Returns `true` if the key exists.
    pub fn contains(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// Sets the value of a key and returns the previous value. An existing entry keeps its key and its position.
    pub fn insert(&mut self, key: Key, value: V) -> Option<V> {
        match self.get_mut(&key.text) {
            Some(old) => Some(std::mem::replace(old, value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }

    /// Returns the value of a key, and adds the entry if it is missing.
    pub fn get_or_insert_with(&mut self, key: Key, make: impl FnOnce() -> V) -> &mut V {
        let at = match self.position(&key.text) {
            Some(at) => at,
            None => self.push(key, make()),
        };
        // The entry was found or added at this index.
        &mut self.entries[at].value
    }

    fn push(&mut self, key: Key, value: V) -> usize {
        let at = self.entries.len();
        if let Some(index) = &mut self.index {
            index.0.insert(Arc::clone(&key.text), at);
        }
        self.entries.push(Entry { key, value });
        if self.index.is_none() && self.entries.len() >= INDEXED {
            self.rebuild();
        }
        at
    }

    fn rebuild(&mut self) {
        let keys = self.entries.iter().enumerate().map(|(at, entry)| (Arc::clone(&entry.key.text), at));
        self.index = (self.entries.len() >= INDEXED).then(|| Box::new(Index(keys.collect())));
    }

    /// Frees the room for more entries. Most maps have one to three, and a vector starts with room for four.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.entries.shrink_to_fit();
    }

    /// Removes an entry. In a map of 24 entries or more, the last entry takes its position, which takes constant time; the
    /// output does not depend on the order of entries.
    pub fn remove(&mut self, key: &str) -> Option<Entry<V>> {
        let at = self.position(key)?;
        let Some(index) = &mut self.index else { return Some(self.entries.remove(at)) };
        index.0.remove(key);
        let removed = self.entries.swap_remove(at);
        if let Some(moved) = self.entries.get(at) {
            index.0.insert(Arc::clone(&moved.key.text), at);
        }
        Some(removed)
    }

    /// Keeps the entries for which the predicate returns `true`.
    pub fn retain(&mut self, mut keep: impl FnMut(&Key, &mut V) -> bool) {
        self.entries.retain_mut(|entry| keep(&entry.key, &mut entry.value));
        self.rebuild();
    }

    /// Iterates over the entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Entry<V>> {
        self.entries.iter()
    }

    /// Iterates over keys and mutable values in order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Key, &mut V)> {
        self.entries.iter_mut().map(|entry| (&entry.key, &mut entry.value))
    }

    /// Replaces the origins of the keys with the result of a function, and changes the values.
    pub(crate) fn reorigin(&mut self, change: &impl Fn(Origin) -> Origin, mut value: impl FnMut(&mut V)) {
        for entry in &mut self.entries {
            entry.key.origin = change(entry.key.origin);
            value(&mut entry.value);
        }
    }

    /// Renames keys. If entries then have the same key, the last one wins.
    pub(crate) fn rename(&mut self, mut change: impl FnMut(&Key) -> Option<Arc<str>>) {
        if !self.entries.iter().any(|entry| change(&entry.key).is_some()) {
            return;
        }
        let entries = std::mem::take(self).entries;
        for Entry { key, value } in entries {
            let text = change(&key).unwrap_or_else(|| Arc::clone(&key.text));
            self.insert(Key { text, ..key }, value);
        }
    }
}

impl<'a, V> IntoIterator for &'a OrderedMap<V> {
    type Item = &'a Entry<V>;
    type IntoIter = std::slice::Iter<'a, Entry<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<V> IntoIterator for OrderedMap<V> {
    type Item = (Key, V);
    type IntoIter = std::iter::Map<std::vec::IntoIter<Entry<V>>, fn(Entry<V>) -> (Key, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter().map(|entry| (entry.key, entry.value))
    }
}

impl<V> FromIterator<(Key, V)> for OrderedMap<V> {
    fn from_iter<I: IntoIterator<Item = (Key, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}
