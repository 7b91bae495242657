//! Finds the lines of complaints in the files.

use std::str;

use tidegate_model::diagnostic::Place;
use tidegate_model::tree::Tree;

/// Finds lines for places in ascending order: each file is read only once, no matter how many places there are. Places in
/// another order are found, too, by starting again at the beginning of the file.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    tree: &'a Tree,
    file: &'a str,
    /// The lines after the current one.
    rest: str::Lines<'a>,
    /// The number of the current line, from 1; 0 before the first.
    number: u32,
    line: &'a str,
    /// A column of the current line, from 1, and the number of bytes before it.
    column: u32,
    offset: usize,
}

/// A place in its line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'a> {
    /// The part of the line before the place.
    pub(super) before: &'a str,
    /// The part after the place.
    pub(super) after: &'a str,
}

impl<'a> Lines<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        Self { tree, file: "", rest: "".lines(), number: 0, line: "", column: 1, offset: 0 }
    }

    /// Returns a place in its line, if there is such a line.
    pub(super) fn find(&mut self, place: &Place) -> Option<Spot<'a>> {
        if self.file != place.file || place.line < self.number {
            let (file, bytes) = self.tree.files.get_key_value(&place.file)?;
            let text = str::from_utf8(bytes).unwrap_or_default();
            *self = Self { file, rest: text.lines(), ..Self::new(self.tree) };
        }
        while self.number < place.line {
            self.line = self.rest.next()?;
            self.number += 1;
            (self.column, self.offset) = (1, 0);
        }
        if self.number == 0 {
            return None;
        }
        if place.column < self.column {
            (self.column, self.offset) = (1, 0);
        }
        let ahead = self.line.get(self.offset..).unwrap_or_default();
        let steps = place.column.saturating_sub(self.column) as usize;
        self.offset += ahead.char_indices().nth(steps).map_or(ahead.len(), |(bytes, _)| bytes);
        self.column = place.column.max(1);
        let (before, after) = self.line.split_at_checked(self.offset)?;
        Some(Spot { before, after })
    }
}
