//! A cursor over one line of text.

use crate::parse_error::ParseError;

/// Reads a line from left to right and tracks its position.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    line: &'a str,
    number: usize,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(line: &'a str, number: usize) -> Self {
        Self { line, number, at: 0 }
    }

    /// Returns the unread rest of the line.
    pub(crate) fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or("")
    }

    /// Skips spaces and tabs.
    pub(super) fn skip_whitespace(&mut self) {
        self.take_while(|c| c == ' ' || c == '\t');
    }

    /// Reads up to the first character for which `belongs` is `false`.
    pub(crate) fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = rest.split(|c| !belongs(c)).next().unwrap_or("");
        self.at += taken.len();
        taken
    }

    /// Reads up to the next space or tab.
    pub(super) fn token(&mut self) -> &'a str {
        self.take_while(|c| c != ' ' && c != '\t')
    }

    /// Reads the character if it is the next one.
    pub(crate) fn take(&mut self, expected: char) -> bool {
        let is_next = self.rest().starts_with(expected);
        if is_next {
            self.at += expected.len_utf8();
        }
        is_next
    }

    /// Reads a string in double quotes, in which `\"` is a quote. Returns `None` if the closing quote is missing.
    ///
    /// The opening quote must be the next character.
    pub(super) fn quoted(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1).peekable();
        while let Some((at, c)) = characters.next() {
            match (c, characters.peek()) {
                ('"', _) => {
                    self.at += at + 1;
                    return Some(text);
                }
                ('\\', Some((_, '"'))) => {
                    characters.next();
                    text.push('"');
                }
                _ => text.push(c),
            }
        }
        None
    }

    /// Returns an error at the current position.
    pub(crate) fn error(&self, message: impl Into<String>) -> ParseError {
        let column = self.line.get(..self.at).unwrap_or(self.line).chars().count() + 1;
        ParseError::new(self.number, column, message)
    }
}
