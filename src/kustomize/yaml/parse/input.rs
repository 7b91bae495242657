//! Validates and normalizes the bytes of a file for the parser.

use std::borrow::Cow;

use crate::yaml::budget::NodeBudget;
use crate::yaml::limits::MAX_BYTES;
use crate::yaml::origin::{Error, Origin, SourceId};
use crate::yaml::scalar::Style;
use crate::yaml::scalar::value::Scalar;
use tidegate_model::position::line_and_column;

/// The position of a text inside another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Base {
    /// Lines before its first line.
    pub line: u32,
    /// Columns before the first column of each of its lines.
    pub column: u32,
}

impl Base {
    /// Returns the position of the content of a scalar, for parsing that content. Lines and columns are correct for literal
    /// blocks (`|`) and for content of one line; for other content, only those of the first line are.
    pub fn of_scalar(scalar: &Scalar, at: Origin) -> Self {
        // The origin of a literal block is its first character that is not a line break.
        let (lines, quote) = match scalar.style() {
            Style::Literal | Style::Folded => (scalar.text().bytes().take_while(|b| *b == b'\n').count(), 0),
            Style::Single | Style::Double => (0, 1),
            Style::Plain => (0, 0),
        };
        let lines = u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1);
        Self { line: at.line.saturating_sub(lines), column: at.column.saturating_sub(1) + quote }
    }
}

/// A text to parse.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The source of the text.
    pub source: SourceId,
    /// The position of the text in the source.
    pub base: Base,
    /// The content.
    pub bytes: &'a [u8],
    /// The nodes that may be read; `None` if only the size limits them.
    pub budget: Option<&'a NodeBudget>,
}

impl<'a> Input<'a> {
    /// Creates an input for a whole file.
    pub fn of_file(source: SourceId, bytes: &'a [u8]) -> Self {
        Self { source, base: Base::default(), bytes, budget: None }
    }

    /// Returns the input with the budget of its revision.
    #[must_use]
    pub fn within(self, budget: &'a NodeBudget) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// Returns the origin of a position: line from 1, column from 0.
    pub(crate) fn origin(&self, line: usize, column: usize) -> Origin {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let column = self.base.column.saturating_add(number(column)).saturating_add(1);
        Origin::new(self.source, self.base.line.saturating_add(number(line)), column)
    }

    /// Returns the origin of the position after a text.
    fn origin_after(&self, before: &str) -> Origin {
        let (line, column) = line_and_column(before, before.len());
        self.origin(line, column - 1)
    }

    /// Returns the text without a byte order mark, with `\n` as line break.
    ///
    /// # Errors
    /// [`Error`] if it is too long, not UTF-8, or contains characters that YAML does not allow.
    pub(crate) fn text(&self) -> Result<Cow<'a, str>, Error> {
        let len = self.bytes.len();
        if len > MAX_BYTES {
            let message = format!("the file has {len} bytes, and at most {MAX_BYTES} are read; split it");
            return Err(self.origin(1, 0).error(message));
        }
        let text = std::str::from_utf8(self.bytes).map_err(|error| {
            let before = self.bytes.get(..error.valid_up_to()).unwrap_or_default();
            let message = "the file is not UTF-8 text from here on; save it as UTF-8";
            self.origin_after(&String::from_utf8_lossy(before)).error(message)
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if let Some((at, c)) = text.char_indices().find(|(_, c)| !is_allowed(*c)) {
            return Err(self.origin_after(text.get(..at).unwrap_or_default()).error(forbidden(c)));
        }
        Ok(if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() })
    }
}

fn is_allowed(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => true,
        '\u{2028}' | '\u{2029}' => false,
        c => c >= '\u{a0}' && !matches!(c, '\u{fffe}' | '\u{ffff}'),
    }
}

fn forbidden(c: char) -> String {
    let code = u32::from(c);
    match c {
        '\u{85}' | '\u{2028}' | '\u{2029}' => {
            format!(
                "the character U+{code:04X} ends lines in YAML 1.1 only; write it as \"\\u{code:04x}\" in double quotes"
            )
        }
        _ => format!(
            "YAML does not allow the character U+{code:04X}; remove it, or write it as \"\\u{code:04x}\" in double quotes"
        ),
    }
}
