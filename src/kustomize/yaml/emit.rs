//! The pen of the writer: where it stands, and what that means for the next thing.

use super::analyze::is_line_end;

/// Columns after which a line is folded at the next blank.
const WIDTH: usize = 80;
/// Columns of one level.
pub(super) const STEP: usize = 2;

/// What was written, and where the pen stands.
///
/// # Source
/// The primitives of go-yaml v2's emitter.
#[derive(Default)]
pub(super) struct Pen {
    pub(super) out: String,
    column: usize,
    /// Columns of the current level; none before the first.
    pub(super) indent: Option<usize>,
    /// Nothing has to part the next thing from what is before it.
    is_parted: bool,
    /// Nothing but blanks and indicators of collections stands in the line.
    pub(super) is_indentation: bool,
}

impl Pen {
    /// Makes the pen of a document, behind what was written before.
    pub(super) fn of_document(out: String) -> Self {
        Self { out, column: 0, indent: None, is_parted: true, is_indentation: true }
    }

    pub(super) fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    /// Writes a line end as it stands in a text.
    pub(super) fn end_line(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
        self.is_indentation = true;
    }

    /// Goes to the indentation of the current level, on a line of its own unless the pen is there already.
    pub(super) fn go_to_indent(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.is_indentation || self.column > indent || (self.column == indent && !self.is_parted) {
            self.out.push('\n');
            self.column = 0;
        }
        while self.column < indent {
            self.put(' ');
        }
        self.is_parted = true;
        self.is_indentation = true;
    }

    /// Writes an indicator behind a blank, unless it stands at the beginning or belongs to what is before.
    pub(super) fn indicator(&mut self, text: &str, needs_blank: bool) {
        if needs_blank && !self.is_parted {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.is_parted = false;
        self.is_indentation = false;
    }

    /// Writes an indicator of a block collection, behind which another collection may begin in the same line.
    pub(super) fn entry(&mut self, indicator: &str) {
        let is_indentation = self.is_indentation;
        self.indicator(indicator, true);
        self.is_indentation = is_indentation;
    }

    /// Returns `true` if the line is folded at the blank that comes next.
    pub(super) fn is_beyond_width(&self) -> bool {
        self.column > WIDTH
    }

    /// Writes text without quotes.
    pub(super) fn plain(&mut self, text: &str, may_fold: bool) {
        if !self.is_parted {
            self.put(' ');
        }
        let mut is_behind_blank = false;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let folds = may_fold && !is_behind_blank && self.is_beyond_width() && chars.peek() != Some(&' ');
            if c == ' ' && folds {
                self.go_to_indent()
            } else {
                self.put(c)
            }
            self.is_indentation &= c == ' ';
            is_behind_blank = c == ' ';
        }
        self.is_parted = false;
        self.is_indentation = false;
    }

    /// Writes text behind `|`.
    pub(super) fn literal(&mut self, text: &str) {
        self.indicator("|", true);
        if text.starts_with(' ') || text.starts_with(is_line_end) {
            self.indicator(&STEP.to_string(), false);
        }
        self.indicator(chomping(text), false);
        self.end_line('\n');
        self.is_parted = true;
        let mut is_behind_line_end = true;
        for c in text.chars() {
            if is_line_end(c) {
                self.end_line(c);
                is_behind_line_end = true;
                continue;
            }
            if is_behind_line_end {
                self.go_to_indent();
            }
            self.put(c);
            self.is_indentation = false;
            is_behind_line_end = false;
        }
    }
}

/// Returns what says how a block scalar ends.
fn chomping(text: &str) -> &'static str {
    let mut last = text.chars().rev();
    match (last.next(), last.next()) {
        (Some(c), _) if !is_line_end(c) => "-",
        (None, _) => "-",
        (Some(_), None) => "+",
        (Some(_), Some(c)) if is_line_end(c) => "+",
        _ => "",
    }
}
