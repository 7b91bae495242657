//! The JSON scanner, with Go's messages for invalid characters.

use crate::quote::go_quoted;

/// Invalid JSON. Displays as Go's `encoding/json` reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// The text ends before the value does.
    #[error("unexpected end of JSON input")]
    End,
    /// A byte that is not allowed where it is.
    #[error("invalid character {} {context}", quoted(*.found))]
    Character {
        /// The byte.
        found: u8,
        /// The position, in Go's words.
        context: &'static str,
    },
}

fn quoted(byte: u8) -> String {
    match char::from(byte) {
        '\'' => r"'\''".to_owned(),
        '"' => r#"'"'"#.to_owned(),
        c => format!("'{}'", go_quoted(&c.to_string()).trim_matches('"')),
    }
}

/// A cursor in a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the next byte; `None` at the end.
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Consumes the byte if it is next. Returns `true` if it was.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    pub(super) fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Returns the error for the next byte, between two values, where whitespace is allowed.
    pub(super) fn wrong(&self, context: &'static str) -> SyntaxError {
        self.peek().map_or(SyntaxError::End, |found| SyntaxError::Character { found, context })
    }

    /// Returns the error for the next byte, inside a value. Go treats the end of the text as a space and reports that.
    fn wrong_inside(&self, context: &'static str) -> SyntaxError {
        SyntaxError::Character { found: self.peek().unwrap_or(b' '), context }
    }

    /// Scans a string after its opening quote, and returns the raw characters between the quotes.
    pub(super) fn string(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        loop {
            match self.peek() {
                None => return Err(SyntaxError::End),
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    self.escape()?;
                }
                Some(0..0x20) => return Err(self.wrong_inside("in string literal")),
                Some(_) => self.at += 1,
            }
        }
        let raw = self.text.get(start..self.at).unwrap_or_default();
        self.at += 1;
        Ok(raw)
    }

    fn escape(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            Some(b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    match self.peek() {
                        Some(digit) if digit.is_ascii_hexdigit() => self.at += 1,
                        _ => return Err(self.wrong_inside("in \\u hexadecimal character escape")),
                    }
                }
            }
            _ => return Err(self.wrong_inside("in string escape code")),
        }
        Ok(())
    }

    /// Scans a number and returns its spelling.
    pub(super) fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits("in numeric literal")?;
        }
        if self.take(b'.') {
            self.digits("after decimal point in numeric literal")?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits("in exponent of numeric literal")?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    fn digits(&mut self, context: &'static str) -> Result<(), SyntaxError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.wrong_inside(context)) } else { Ok(()) }
    }

    /// Scans one of the literals below, whose first letter is next.
    pub(super) fn word(&mut self, word: &[(u8, &'static str)]) -> Result<(), SyntaxError> {
        self.at += 1;
        for (byte, context) in word {
            if !self.take(*byte) {
                return Err(self.wrong_inside(context));
            }
        }
        Ok(())
    }
}

/// The letters of `true` after the first, with Go's message for a different letter.
pub(super) const TRUE: [(u8, &str); 3] = [
    (b'r', "in literal true (expecting 'r')"),
    (b'u', "in literal true (expecting 'u')"),
    (b'e', "in literal true (expecting 'e')"),
];
/// `false`, likewise.
pub(super) const FALSE: [(u8, &str); 4] = [
    (b'a', "in literal false (expecting 'a')"),
    (b'l', "in literal false (expecting 'l')"),
    (b's', "in literal false (expecting 's')"),
    (b'e', "in literal false (expecting 'e')"),
];
/// `null`, likewise.
pub(super) const NULL: [(u8, &str); 3] = [
    (b'u', "in literal null (expecting 'u')"),
    (b'l', "in literal null (expecting 'l')"),
    (b'l', "in literal null (expecting 'l')"),
];
