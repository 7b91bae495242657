//! What a line of a file is.

use std::collections::BTreeMap;

/// Columns are from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// The columns of the dashes, and at last that of the content; only the content for a key.
    pub(super) columns: Vec<usize>,
    /// The new column of the first of them.
    pub(super) indent: usize,
}

impl Token {
    /// Returns the column of the first dash or key.
    pub(super) fn first(&self) -> usize {
        self.columns.first().copied().unwrap_or_default()
    }
}

/// A move from a column to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Move {
    pub(super) old: usize,
    pub(super) new: usize,
}

/// The lines of a file by their numbers, from 0.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Lines that start with a key or with an item of a list.
    pub(super) tokens: BTreeMap<usize, Token>,
    /// The innermost key or item of such a line: the lines that continue it move as it does.
    pub(super) inner: BTreeMap<usize, Move>,
    /// The content of block scalars, in which spaces are part of values.
    pub(super) verbatim: BTreeMap<usize, Content>,
}

/// A line of a block scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) to: Move,
    /// The indentation of the content: what is longer on a line of spaces is part of the value.
    pub(super) indent: usize,
}

/// Returns the number of spaces at the start of a line.
pub(super) fn leading(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
