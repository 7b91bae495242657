//! Trees of mappings, sequences and scalars, in which each node and each key has an origin.

pub(crate) mod json;
mod node;
mod ordered_map;

pub use self::node::{Content, Mapping, Node};
pub use self::ordered_map::{Entry, Key, OrderedMap};
pub use crate::yaml::interner::Interner;
