//! Translates Go's syntax to the syntax of `regex`.

use super::flags::Flags;
use super::groups::{Groups, MAX_COUNT};
use super::piece::Piece;

/// Translates an expression to the syntax of `regex`. Returns it with its size.
pub(super) fn translate(text: &str) -> Result<(String, u64), String> {
    let mut parser = Parser { whole: text, rest: text, flags: Flags::default(), groups: Groups::default(), tables: 0 };
    while !parser.rest.is_empty() {
        parser.item()?;
    }
    let whole = parser.groups.finish().ok_or_else(|| error_at("missing closing )", text))?;
    let size = whole.size;
    Ok((whole.text, size))
}

/// Formats an error with the part of the expression that causes it.
pub(super) fn error_at(problem: &str, part: &str) -> String {
    format!("{problem}: `{part}`")
}

/// An expression being parsed.
pub(super) struct Parser<'t> {
    pub(super) whole: &'t str,
    pub(super) rest: &'t str,
    pub(super) flags: Flags,
    pub(super) groups: Groups,
    /// Number of Unicode classes so far.
    pub(super) tables: u32,
}

impl<'t> Parser<'t> {
    /// Consumes a character.
    pub(super) fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    /// Consumes a string if it comes next. Returns `true` if it did.
    pub(super) fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Returns the text consumed since a point.
    pub(super) fn since(&self, before: &'t str) -> &'t str {
        before.get(..before.len() - self.rest.len()).unwrap_or(before)
    }

    fn item(&mut self) -> Result<(), String> {
        let before = self.rest;
        if before.starts_with("(?") {
            self.groups.settle();
            return self.flagged_group();
        }
        match before.as_bytes().first() {
            Some(b'*' | b'+' | b'?' | b'{') => return self.repetition(),
            Some(b'\\') => return self.backslash(),
            Some(b'[') => {
                let class = self.class()?;
                return self.push(Piece::class(class, self.flags));
            }
            _ => {}
        }
        match self.next() {
            Some('(') => self.open(self.flags),
            Some('|') => {
                self.groups.alternate();
                Ok(())
            }
            Some(')') => self.close(),
            Some('^') => self.push(Piece::look(if self.flags.lines { "(?m:^)" } else { r"\A" })),
            Some('$') => self.push(Piece::look(if self.flags.lines { "(?m:$)" } else { r"\z" })),
            Some('.') => self.push(Piece::atom(if self.flags.dot_all { "(?s:.)" } else { "(?-s:.)" })),
            Some(c) => self.push(Piece::literal(c, self.flags)),
            None => Ok(()),
        }
    }

    pub(super) fn push(&mut self, piece: Piece) -> Result<(), String> {
        self.groups.push(piece);
        Ok(())
    }

    pub(super) fn open(&mut self, restored: Flags) -> Result<(), String> {
        self.groups.open(restored).map_err(|problem| error_at(problem, self.whole))
    }

    fn close(&mut self) -> Result<(), String> {
        self.flags = self.groups.close().ok_or_else(|| error_at("unexpected )", self.whole))?;
        self.groups.check().map_err(|problem| error_at(problem, self.whole))
    }

    /// Parses a repetition, or a brace that is not a repetition.
    fn repetition(&mut self) -> Result<(), String> {
        let before = self.rest;
        let (least, most) = match self.next() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            _ => {
                self.rest = before;
                let Some(bounds) = self.bounds() else {
                    self.rest = before;
                    self.take("{");
                    return self.push(Piece::literal('{', self.flags));
                };
                bounds
            }
        };
        if least > MAX_COUNT || most.is_some_and(|most| most > MAX_COUNT || least > most) {
            return Err(error_at("invalid repeat count", self.since(before)));
        }
        let counted = before.starts_with('{');
        let greedy = self.take("?") == self.flags.ungreedy;
        if let Some(last) = self.groups.last_repetition() {
            let start = self.whole.get(last..).unwrap_or_default();
            return Err(error_at("invalid nested repetition operator", self.since(start)));
        }
        let at = self.whole.len() - before.len();
        match self.groups.repeat(least, most, greedy, counted, at) {
            None => Err(error_at("missing argument to repetition operator", self.since(before))),
            Some(false) => Err(error_at("invalid repeat count", self.since(before))),
            Some(true) => self.groups.check().map_err(|problem| error_at(problem, self.whole)),
        }
    }

    /// Parses bounds such as `{2,5}`, if they come next.
    fn bounds(&mut self) -> Option<(u32, Option<u32>)> {
        self.take("{");
        let least = self.number()?;
        let most = match self.take(",") {
            false => Some(least),
            true if self.rest.starts_with('}') => None,
            true => Some(self.number()?),
        };
        self.take("}").then_some((least, most))
    }

    /// Parses a number without leading zeros.
    fn number(&mut self) -> Option<u32> {
        let count = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at_checked(count)?;
        if digits.is_empty() || (count > 1 && digits.starts_with('0')) {
            return None;
        }
        self.rest = rest;
        Some(digits.parse().unwrap_or(u32::MAX))
    }
}
