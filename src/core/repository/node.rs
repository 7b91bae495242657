//! YAML nodes with their lines and columns.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::{Location, Spanned};

use tidegate_api::schema::path::{Path, Step};
use tidegate_model::position::line_and_column;

/// A line and a column, both from 1, and the number of their file: 0 is the file that the object starts in, and other numbers are
/// those of the files of a rendered overlay, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) file: u32,
}

impl Mark {
    /// The first character of a file.
    pub(super) const START: Self = Self { line: 1, column: 1, file: 0 };

    /// Returns the mark of a byte offset in a text; an offset beyond the end means the end.
    pub(super) fn of_offset(text: &str, offset: usize) -> Self {
        let (line, column) = line_and_column(text, offset);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { line: number(line), column: number(column), file: 0 }
    }
}

impl Mark {
    /// Returns the file of the mark.
    pub(super) fn file_in<'a>(&self, files: &'a [Arc<str>], own: &'a str) -> &'a str {
        let number = (self.file as usize).checked_sub(1);
        number.and_then(|number| files.get(number)).map_or(own, |file| file)
    }
}

impl From<Location> for Mark {
    fn from(at: Location) -> Self {
        // An unknown location has line 0, which no editor can open.
        let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX).max(1);
        Self { line: number(at.line()), column: number(at.column()), file: 0 }
    }
}

/// A node of a document.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) mark: Mark,
    pub(super) content: Content,
}

/// The content of a node.
#[derive(Debug)]
pub(super) enum Content {
    Leaf(Value),
    List(Vec<Node>),
    Map(Vec<Member>),
}

/// A member of a mapping; `mark` is the place of its key.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) mark: Mark,
    pub(super) value: Node,
}

impl Node {
    /// Returns the node as plain data.
    pub(super) fn to_value(&self) -> Value {
        match &self.content {
            Content::Leaf(value) => value.clone(),
            Content::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Content::Map(members) => {
                let members = members.iter().map(|member| (member.key.clone(), member.value.to_value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }

    fn member(&self, name: &str) -> Option<&Member> {
        match &self.content {
            Content::Map(members) => members.iter().find(|member| member.key == name),
            _ => None,
        }
    }

    /// Takes one step along a path. The mark is that of the key, or of the list item.
    fn step(&self, step: &Step) -> Option<(Mark, &Self)> {
        match (step, &self.content) {
            (Step::Member(name), _) => self.member(name).map(|member| (member.mark, &member.value)),
            (Step::Item(index), Content::List(items)) => items.get(*index).map(|item| (item.mark, item)),
            _ => None,
        }
    }

    /// Follows the path as far as nodes exist; returns the mark of the last key or item, and the last node.
    fn walk(&self, steps: &[Step]) -> (Mark, &Self) {
        let mut at = (self.mark, self);
        for step in steps {
            match at.1.step(step) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// Returns the place of the value at a path, or of the nearest value around it.
    pub(super) fn value_mark(&self, path: &Path) -> Mark {
        self.walk(&path.0).1.mark
    }

    /// Returns the place of the key at the end of a path, or of the nearest key around it.
    pub(super) fn key_mark(&self, path: &Path) -> Mark {
        self.walk(&path.0).0
    }

    /// Returns the node at the end of a path of members, if it exists.
    pub(super) fn find(&self, members: &[&str]) -> Option<&Self> {
        members.iter().try_fold(self, |node, name| node.member(name).map(|member| &member.value))
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Content>::deserialize(from)?;
        Ok(Self { mark: spanned.referenced.into(), content: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a scalar, a list or a mapping")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Content, E> {
        Ok(Content::Leaf(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Content, E> {
        Ok(Content::Leaf(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Content, E> {
        Ok(Content::Leaf(value.into()))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Content, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Content, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Content, E> {
        // When Go converts YAML to JSON, it prints 1e3 and 1.0 without exponent and point, so they arrive as integers.
        // Beyond 2^53 a float is no longer an exact integer.
        if value.fract() == 0.0 && value.abs() < 9e15 {
            return self.visit_i64(value as i64);
        }
        let number = Number::from_f64(value).ok_or_else(|| E::custom("a number that JSON cannot hold"))?;
        Ok(Content::Leaf(Value::Number(number)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Content, E> {
        Ok(Content::Leaf(value.into()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Content, E> {
        Ok(Content::Leaf(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Content, E> {
        Ok(Content::Leaf(Value::Null))
    }

    fn visit_none<E: Error>(self) -> Result<Content, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Content, D::Error> {
        Content::deserialize(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Content, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        Ok(Content::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Content, A::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = from.next_entry::<Spanned<String>, Node>()? {
            members.push(Member { mark: key.referenced.into(), key: key.value, value });
        }
        Ok(Content::Map(members))
    }
}
