//! The low-level emitter: output, column and indentation.

use super::analyze::is_line_end;

/// Columns after which a line is folded at the next space.
const WIDTH: usize = 80;
/// Indentation of one level, in columns.
pub(crate) const STEP: usize = 2;

/// The output so far, and the position in it.
///
/// # Source
/// The primitives of go-yaml v2's emitter.
#[derive(Default)]
pub(crate) struct Emitter {
    pub(crate) out: String,
    column: usize,
    /// Indentation of the current level; `None` before the first.
    pub(crate) indent: Option<usize>,
    /// No space is needed before the next token.
    is_separated: bool,
    /// The line contains only spaces and indicators of collections so far.
    pub(crate) is_indentation: bool,
}

impl Emitter {
    /// Creates the emitter of a document, which appends to `out`.
    pub(crate) fn of_document(out: String) -> Self {
        Self { out, column: 0, indent: None, is_separated: true, is_indentation: true }
    }

    pub(crate) fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    /// Writes a line break from a scalar.
    pub(crate) fn end_line(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
        self.is_indentation = true;
    }

    /// Moves to the indentation of the current level, on a new line unless it is already there.
    pub(crate) fn go_to_indent(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.is_indentation || self.column > indent || (self.column == indent && !self.is_separated) {
            self.out.push('\n');
            self.column = 0;
        }
        while self.column < indent {
            self.put(' ');
        }
        self.is_separated = true;
        self.is_indentation = true;
    }

    /// Writes an indicator, after a space if it needs one.
    pub(crate) fn indicator(&mut self, text: &str, needs_space: bool) {
        if needs_space && !self.is_separated {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.is_separated = false;
        self.is_indentation = false;
    }

    /// Writes an indicator of a block collection, after which another collection may start on the same line.
    pub(crate) fn entry(&mut self, indicator: &str) {
        let is_indentation = self.is_indentation;
        self.indicator(indicator, true);
        self.is_indentation = is_indentation;
    }

    /// Returns `true` if the line is folded at the next space.
    pub(crate) fn is_beyond_width(&self) -> bool {
        self.column > WIDTH
    }

    /// Writes a plain scalar.
    pub(crate) fn plain(&mut self, text: &str, may_fold: bool) {
        if !self.is_separated {
            self.put(' ');
        }
        let mut is_after_space = false;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let folds = may_fold && !is_after_space && self.is_beyond_width() && chars.peek() != Some(&' ');
            if c == ' ' && folds {
                self.go_to_indent()
            } else {
                self.put(c)
            }
            self.is_indentation &= c == ' ';
            is_after_space = c == ' ';
        }
        self.is_separated = false;
        self.is_indentation = false;
    }

    /// Writes a literal block (`|`).
    pub(crate) fn literal(&mut self, text: &str) {
        self.indicator("|", true);
        if text.starts_with(' ') || text.starts_with(is_line_end) {
            self.indicator(&STEP.to_string(), false);
        }
        self.indicator(chomping(text), false);
        self.end_line('\n');
        self.is_separated = true;
        let mut is_after_line_end = true;
        for c in text.chars() {
            if is_line_end(c) {
                self.end_line(c);
                is_after_line_end = true;
                continue;
            }
            if is_after_line_end {
                self.go_to_indent();
            }
            self.put(c);
            self.is_indentation = false;
            is_after_line_end = false;
        }
    }
}

/// Returns the chomping indicator of a block scalar.
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
