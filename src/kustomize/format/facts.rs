//! What the parser knows about the lines of a file.

use std::collections::BTreeSet;

use super::block_scalar::is_header;
use crate::yaml::{Content, Node, Origin, Style};

/// Lines and columns are from 0.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Where the keys of block mappings are.
    pub(super) keys: BTreeSet<(usize, usize)>,
    /// The lines with the header of a block scalar.
    pub(super) headers: BTreeSet<usize>,
}

/// Returns the line and the column of an origin.
fn place(origin: Origin) -> (usize, usize) {
    let from_zero = |number: u32| usize::try_from(number).unwrap_or_default().saturating_sub(1);
    (from_zero(origin.line), from_zero(origin.column))
}

impl Facts {
    /// Returns the facts about a file with these documents.
    pub(super) fn of(lines: &[&str], nodes: &[Node]) -> Self {
        let mut facts = Self::default();
        nodes.iter().for_each(|node| facts.add(lines, node));
        facts
    }

    fn add(&mut self, lines: &[&str], node: &Node) {
        let (line, column) = place(node.origin);
        match &node.content {
            // A mapping in braces is text that follows its key.
            Content::Mapping(_) if char_at(lines, line, column) == Some('{') => {}
            Content::Mapping(mapping) => {
                for entry in mapping.iter() {
                    self.keys.insert(place(entry.key().origin));
                    self.add(lines, &entry.value);
                }
            }
            Content::Sequence(items) => items.iter().for_each(|item| self.add(lines, item)),
            Content::Scalar(scalar) if matches!(scalar.style(), Style::Literal | Style::Folded) => {
                let above = (0..line).rev().find(|at| lines.get(*at).is_some_and(|text| is_header(text)));
                self.headers.extend(above);
            }
            Content::Scalar(_) => {}
        }
    }
}

fn char_at(lines: &[&str], line: usize, column: usize) -> Option<char> {
    lines.get(line)?.chars().nth(column)
}
