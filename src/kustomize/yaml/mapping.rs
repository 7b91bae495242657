//! Mappings: ordered entries with fast lookup.

use std::collections::HashMap;
use std::sync::Arc;

use super::node::Node;
use super::origin::Origin;

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

/// An entry of a mapping.
#[derive(Debug, Clone)]
pub struct Member {
    key: Key,
    /// Its value.
    pub value: Node,
}

impl Member {
    /// Returns its key.
    pub fn key(&self) -> &Key {
        &self.key
    }
}

/// A mapping. Its entries keep their insertion order, except after [`Mapping::remove`].
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    members: Vec<Member>,
    /// Boxed, because few mappings are large enough to have one.
    index: Option<Box<Index>>,
}

/// The positions of entries by key.
#[derive(Debug, Clone)]
struct Index(HashMap<Arc<str>, usize>);

impl Mapping {
    /// Creates an empty mapping.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns `true` if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.0.get(key).copied(),
            None => self.members.iter().position(|member| &*member.key.text == key),
        }
    }

    /// Returns the entry of a key.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.get(self.position(key)?)
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|member| &member.value)
    }

    /// Returns the value of a key mutably.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let at = self.position(key)?;
        self.members.get_mut(at).map(|member| &mut member.value)
    }

    /// Returns `true` if the key exists.
    pub fn contains(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// Sets the value of a key and returns the previous value. An existing entry keeps its key and its position.
    pub fn insert(&mut self, key: Key, value: Node) -> Option<Node> {
        match self.get_mut(&key.text) {
            Some(old) => Some(std::mem::replace(old, value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }

    /// Returns the value of a key, and adds the entry if it is missing.
    pub fn get_or_insert_with(&mut self, key: Key, make: impl FnOnce() -> Node) -> &mut Node {
        let at = match self.position(&key.text) {
            Some(at) => at,
            None => self.push(key, make()),
        };
        // The entry was found or added at this index.
        &mut self.members[at].value
    }

    fn push(&mut self, key: Key, value: Node) -> usize {
        let at = self.members.len();
        if let Some(index) = &mut self.index {
            index.0.insert(Arc::clone(&key.text), at);
        }
        self.members.push(Member { key, value });
        if self.index.is_none() && self.members.len() >= INDEXED {
            self.rebuild();
        }
        at
    }

    fn rebuild(&mut self) {
        let keys = self.members.iter().enumerate().map(|(at, member)| (Arc::clone(&member.key.text), at));
        self.index = (self.members.len() >= INDEXED).then(|| Box::new(Index(keys.collect())));
    }

    /// Removes an entry. In a mapping of 24 entries or more, the last entry takes its position, which takes constant time; the
    /// output does not depend on the order of entries.
    pub fn remove(&mut self, key: &str) -> Option<Member> {
        let at = self.position(key)?;
        let Some(index) = &mut self.index else { return Some(self.members.remove(at)) };
        index.0.remove(key);
        let removed = self.members.swap_remove(at);
        if let Some(moved) = self.members.get(at) {
            index.0.insert(Arc::clone(&moved.key.text), at);
        }
        Some(removed)
    }

    /// Keeps the entries for which the predicate returns `true`.
    pub fn retain(&mut self, mut keep: impl FnMut(&Key, &mut Node) -> bool) {
        self.members.retain_mut(|member| keep(&member.key, &mut member.value));
        self.rebuild();
    }

    /// Iterates over the entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Member> {
        self.members.iter()
    }

    /// Iterates over keys and mutable values in order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Key, &mut Node)> {
        self.members.iter_mut().map(|member| (&member.key, &mut member.value))
    }

    /// Changes the origins of everything in the mapping.
    pub(super) fn reorigin(&mut self, change: &impl Fn(Origin) -> Origin) {
        for member in &mut self.members {
            member.key.origin = change(member.key.origin);
            member.value.reorigin(change);
        }
    }

    /// Renames keys. If entries then have the same key, the last one wins.
    pub(super) fn rename(&mut self, mut change: impl FnMut(&Key) -> Option<Arc<str>>) {
        if !self.members.iter().any(|member| change(&member.key).is_some()) {
            return;
        }
        let members = std::mem::take(self).members;
        for Member { key, value } in members {
            let text = change(&key).unwrap_or_else(|| Arc::clone(&key.text));
            self.insert(Key { text, ..key }, value);
        }
    }
}

impl<'a> IntoIterator for &'a Mapping {
    type Item = &'a Member;
    type IntoIter = std::slice::Iter<'a, Member>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Mapping {
    type Item = (Key, Node);
    type IntoIter = std::iter::Map<std::vec::IntoIter<Member>, fn(Member) -> (Key, Node)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter().map(|member| (member.key, member.value))
    }
}

impl FromIterator<(Key, Node)> for Mapping {
    fn from_iter<I: IntoIterator<Item = (Key, Node)>>(members: I) -> Self {
        let mut mapping = Self::new();
        for (key, value) in members {
            mapping.insert(key, value);
        }
        mapping
    }
}
