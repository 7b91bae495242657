//! YAML nodes with their lines and columns.

use std::sync::Arc;

use serde_json::{Map, Value};
use tidegate_kustomize::yaml;

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

/// A node of a document.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) mark: Mark,
    pub(super) content: Content,
    /// The scalar as it is in the file, if it is not quoted, not in a block, and has no tag.
    pub(super) plain: Option<Arc<str>>,
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

/// Converts a tree that was parsed by a schema. `mark` returns the place of an origin, given the place around it.
///
/// # Errors
/// [`yaml::Fault`] for a number that JSON cannot represent.
pub(super) fn node(
    from: &yaml::Node,
    schema: yaml::Schema,
    around: Mark,
    mark: &mut impl FnMut(yaml::Origin, Mark) -> Mark,
) -> Result<Node, yaml::Fault> {
    let at = mark(from.origin, around);
    let mut plain = None;
    let content = match &from.content {
        yaml::Content::Scalar(scalar) => {
            plain = scalar.plain_text(schema).cloned();
            Content::Leaf(from.to_value()?)
        }
        yaml::Content::Sequence(items) => {
            Content::List(items.iter().map(|item| node(item, schema, at, mark)).collect::<Result<_, _>>()?)
        }
        yaml::Content::Mapping(entries) => {
            let mut members = Vec::new();
            for entry in entries.iter() {
                let key = entry.key();
                let key_mark = mark(key.origin, at);
                let value = node(&entry.value, schema, key_mark, mark)?;
                members.push(Member { key: key.text.to_string(), mark: key_mark, value });
            }
            Content::Map(members)
        }
    };
    Ok(Node { mark: at, content, plain })
}
