//! Nodes: the trees that transformers modify.

use super::ordered_map::{Key, OrderedMap};
use crate::yaml::origin::Origin;
use crate::yaml::scalar::Kind;
use crate::yaml::scalar::value::Scalar;

/// A mapping: its entries in order.
pub type Mapping = OrderedMap<Node>;

/// A node.
#[derive(Debug, Clone)]
pub struct Node {
    /// Where it comes from.
    pub origin: Origin,
    /// The content.
    pub content: Content,
}

/// The content of a node.
#[derive(Debug, Clone)]
pub enum Content {
    /// A scalar.
    Scalar(Scalar),
    /// Items in order.
    Sequence(Vec<Node>),
    /// Keys with values.
    Mapping(Box<Mapping>),
}

impl Node {
    /// Creates a node with a scalar.
    pub fn scalar(scalar: Scalar, origin: Origin) -> Self {
        Self { origin, content: Content::Scalar(scalar) }
    }

    /// Creates a node with a sequence.
    pub fn sequence(items: Vec<Self>, origin: Origin) -> Self {
        Self { origin, content: Content::Sequence(items) }
    }

    /// Creates a node with a mapping.
    pub fn mapping(mapping: Mapping, origin: Origin) -> Self {
        Self { origin, content: Content::Mapping(Box::new(mapping)) }
    }

    /// Returns the scalar, if the node is one.
    pub fn as_scalar(&self) -> Option<&Scalar> {
        match &self.content {
            Content::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Returns the text, if the node is a string.
    pub fn as_str(&self) -> Option<&str> {
        self.as_scalar().and_then(Scalar::as_str)
    }

    /// Returns `true` if the node is null.
    pub fn is_null(&self) -> bool {
        self.as_scalar().is_some_and(|scalar| scalar.kind() == Kind::Null)
    }

    /// Returns `true` if the node is null, or an empty sequence or mapping.
    pub fn is_empty(&self) -> bool {
        match &self.content {
            Content::Scalar(_) => self.is_null(),
            Content::Sequence(items) => items.is_empty(),
            Content::Mapping(mapping) => mapping.is_empty(),
        }
    }

    /// Returns the items, if the node is a sequence.
    pub fn as_sequence(&self) -> Option<&[Self]> {
        match &self.content {
            Content::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the items mutably, if the node is a sequence.
    pub(crate) fn as_sequence_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.content {
            Content::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the mapping, if the node is one.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.content {
            Content::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// Returns the mapping mutably, if the node is one.
    pub(crate) fn as_mapping_mut(&mut self) -> Option<&mut Mapping> {
        match &mut self.content {
            Content::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_mapping()?.get(key)
    }

    /// Returns the value of a key of a mapping, or the item of a sequence at an index in decimal digits.
    pub fn child(&self, name: &str) -> Option<&Self> {
        match &self.content {
            Content::Sequence(items) => name.parse::<usize>().ok().and_then(|index| items.get(index)),
            Content::Mapping(members) => members.get(name),
            Content::Scalar(_) => None,
        }
    }

    /// Returns the value of a key mutably.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        self.as_mapping_mut()?.get_mut(key)
    }

    /// Returns the value at a path of keys.
    pub fn find(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Returns the value at a path of keys mutably.
    pub fn find_mut(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter().try_fold(self, |node, key| node.get_mut(key))
    }

    /// Sets a key of a mapping and returns the previous value; does nothing if the node is not a mapping.
    pub fn set(&mut self, key: Key, value: Self) -> Option<Self> {
        self.as_mapping_mut()?.insert(key, value)
    }

    /// Replaces the origins of the node and everything below it with the result of a function.
    pub fn reorigin(&mut self, change: &impl Fn(Origin) -> Origin) {
        self.origin = change(self.origin);
        match &mut self.content {
            Content::Scalar(_) => {}
            Content::Sequence(items) => items.iter_mut().for_each(|item| item.reorigin(change)),
            Content::Mapping(mapping) => mapping.reorigin(change, |value| value.reorigin(change)),
        }
    }

    /// Returns the number of levels, including this one.
    pub(crate) fn levels(&self) -> usize {
        let below = match &self.content {
            Content::Scalar(_) => None,
            Content::Sequence(items) => items.iter().map(Self::levels).max(),
            Content::Mapping(mapping) => mapping.iter().map(|entry| entry.value.levels()).max(),
        };
        below.unwrap_or(0) + 1
    }
}
