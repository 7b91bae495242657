//! Mappings: members in order, found fast.

use std::collections::HashMap;
use std::sync::Arc;

use super::node::Node;
use super::origin::Origin;

/// From this size on, members are found by an index. Below, looking at each is faster and costs no memory.
const INDEXED: usize = 24;

/// The key of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its text.
    pub text: Arc<str>,
    /// Where it stands.
    pub origin: Origin,
}

impl Key {
    /// Makes a key.
    pub fn new(text: impl Into<Arc<str>>, origin: Origin) -> Self {
        Self { text: text.into(), origin }
    }
}

/// A member of a mapping.
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

/// A mapping. Its members keep the order in which they came, but for what [`Mapping::remove`] says.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    members: Vec<Member>,
    /// Boxed, since few mappings are so large that they have one.
    index: Option<Box<Index>>,
}

/// The places of members by their keys.
#[derive(Debug, Clone)]
struct Index(HashMap<Arc<str>, usize>);

impl Mapping {
    /// Makes an empty mapping.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns how many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.0.get(key).copied(),
            None => self.members.iter().position(|member| &*member.key.text == key),
        }
    }

    /// Returns a member.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.get(self.position(key)?)
    }

    /// Returns the value of a member.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|member| &member.value)
    }

    /// Returns the value of a member, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let at = self.position(key)?;
        self.members.get_mut(at).map(|member| &mut member.value)
    }

    /// Returns `true` if there is such a member.
    pub fn contains(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// Sets a member, and returns the value that it had. A member that is there keeps its key and its place.
    pub fn insert(&mut self, key: Key, value: Node) -> Option<Node> {
        match self.get_mut(&key.text) {
            Some(old) => Some(std::mem::replace(old, value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }

    /// Returns the value of a member, and adds the member if it is not there.
    pub fn get_or_insert_with(&mut self, key: Key, make: impl FnOnce() -> Node) -> &mut Node {
        let at = match self.position(&key.text) {
            Some(at) => at,
            None => self.push(key, make()),
        };
        // It is where it was found or added.
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

    /// Takes a member out. In a mapping of two dozen members or more the last one takes its place, which costs no time; the order
    /// of members is seen nowhere in what is written.
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

    /// Keeps the members that the test takes.
    pub fn retain(&mut self, mut keep: impl FnMut(&Key, &mut Node) -> bool) {
        self.members.retain_mut(|member| keep(&member.key, &mut member.value));
        self.rebuild();
    }

    /// Returns the members in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Member> {
        self.members.iter()
    }

    /// Returns keys and values in order, the values to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Key, &mut Node)> {
        self.members.iter_mut().map(|member| (&member.key, &mut member.value))
    }

    /// Changes the origins of everything in it.
    pub(super) fn reorigin(&mut self, change: &impl Fn(Origin) -> Origin) {
        for member in &mut self.members {
            member.key.origin = change(member.key.origin);
            member.value.reorigin(change);
        }
    }

    /// Changes the texts of keys; of members with the same key then, the last one stays.
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
