//! YAML with the place of every node.
//!
//! # Source
//! YAML 1.2 with the scalars that kubectl reads (`yes` is a boolean, `0777` is octal), so that what is checked here is what an
//! API server gets.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::{Options, Spanned};

use crate::api::schema::check::{Path, Step};

/// A node and what is below it.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Leaf(Value),
    List(Vec<Spanned<Node>>),
    Members(Vec<(Spanned<String>, Spanned<Node>)>),
}

/// A place in a file, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Text that is no YAML.
#[derive(Debug)]
pub(super) struct Malformed {
    pub(super) at: At,
    pub(super) message: String,
}

/// A document: its root, and where each part of it stands.
#[derive(Debug, Clone)]
pub(super) struct Document(Spanned<Node>);

/// Reads all documents of a text; empty ones are left out.
///
/// Aliases, depth and the number of nodes are bounded by the parser, so that no text takes long.
pub(super) fn documents(text: &str) -> Result<Vec<Document>, Malformed> {
    let mut options = Options::default();
    options.legacy_octal_numbers = true;
    let read: Result<Vec<Spanned<Node>>, _> = serde_saphyr::from_multiple_with_options(text, options);
    match read {
        Ok(roots) => Ok(roots.into_iter().map(Document).collect()),
        Err(error) => {
            let place = error.location();
            let at = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok()).unwrap_or(1).max(1);
            let message = error.without_snippet().to_string();
            Err(Malformed {
                at: At { line: at(place.map(|p| p.line())), column: at(place.map(|p| p.column())) },
                message: message.lines().next().unwrap_or_default().to_owned(),
            })
        }
    }
}

impl Document {
    /// Returns the document as JSON.
    pub(super) fn value(&self) -> Value {
        value(&self.0.value)
    }

    /// Returns where the document begins.
    pub(super) fn start(&self) -> At {
        start(&self.0)
    }

    /// Returns where a part of the document stands: a member by its key. What is missing stands where its parent begins.
    pub(super) fn at(&self, path: &Path) -> At {
        let (mut node, mut at) = (&self.0, start(&self.0));
        for step in &path.0 {
            let below = match (&node.value, step) {
                (Node::Members(members), Step::Member(name)) => {
                    members.iter().find(|(key, _)| key.value == *name).map(|(key, member)| {
                        (member, At { line: place(key.referenced.line()), column: place(key.referenced.column()) })
                    })
                }
                (Node::List(items), Step::Item(index)) => items.get(*index).map(|item| (item, start(item))),
                _ => None,
            };
            let Some((next, place)) = below else { break };
            (node, at) = (next, place);
        }
        at
    }

    /// Returns where the value of a member stands, as opposed to its key.
    pub(super) fn value_at(&self, path: &Path) -> At {
        let mut node = &self.0;
        for step in &path.0 {
            let below = match (&node.value, step) {
                (Node::Members(members), Step::Member(name)) => {
                    members.iter().find(|(key, _)| key.value == *name).map(|(_, member)| member)
                }
                (Node::List(items), Step::Item(index)) => items.get(*index),
                _ => None,
            };
            match below {
                Some(next) => node = next,
                None => return self.at(path),
            }
        }
        start(node)
    }
}

fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(1).max(1)
}

fn start(node: &Spanned<Node>) -> At {
    At { line: place(node.referenced.line()), column: place(node.referenced.column()) }
}

fn value(node: &Node) -> Value {
    match node {
        Node::Leaf(leaf) => leaf.clone(),
        Node::List(items) => Value::Array(items.iter().map(|item| value(&item.value)).collect()),
        Node::Members(members) => Value::Object(
            members.iter().map(|(key, member)| (key.value.clone(), value(&member.value))).collect::<Map<_, _>>(),
        ),
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("YAML")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Node, E> {
        // Go prints 1e3 as 1000, and reads it back as an integer.
        if value.fract() == 0.0 && value.abs() < 9e15 {
            return Ok(Node::Leaf((value as i64).into()));
        }
        let number = Number::from_f64(value).ok_or_else(|| E::custom("a number must be finite"))?;
        Ok(Node::Leaf(Value::Number(number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Node, D::Error> {
        Node::deserialize(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Node::Members(members))
    }
}
