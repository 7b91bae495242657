//! The pieces of an expression, in the syntax of `regex`.

use std::fmt::Write as _;

use super::flags::Flags;

/// A parsed piece.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) text: String,
    /// Approximate number of instructions.
    pub(super) size: u64,
    /// How many times its innermost part is repeated by counts.
    pub(super) copies: u64,
    /// The nesting depth.
    pub(super) height: u32,
}

impl Piece {
    /// Creates a piece that can be repeated as it is.
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), size: 1, copies: 1, height: 1 }
    }

    /// Creates a piece that matches a position. `regex` repeats such pieces only in groups.
    pub(super) fn look(text: &str) -> Self {
        Self::atom(format!("(?:{text})"))
    }

    /// Creates a literal character.
    pub(super) fn literal(c: char, flags: Flags) -> Self {
        let mut text = String::from(if flags.fold { "(?i:" } else { "" });
        write_char(&mut text, u32::from(c));
        text.push_str(if flags.fold { ")" } else { "" });
        Self::atom(text)
    }

    /// Creates a character class, given with its brackets.
    pub(super) fn class(class: String, flags: Flags) -> Self {
        Self::atom(if flags.fold { format!("(?i:{class})") } else { class })
    }

    /// Concatenates pieces.
    pub(super) fn sequence(pieces: Vec<Self>) -> Self {
        match <[Self; 1]>::try_from(pieces) {
            Ok([one]) => one,
            Err(pieces) => Self::joined(pieces, ""),
        }
    }

    /// Creates a piece of alternatives.
    pub(super) fn alternatives(pieces: Vec<Self>) -> Self {
        match <[Self; 1]>::try_from(pieces) {
            Ok([one]) => one,
            Err(pieces) => Self::joined(pieces, "|"),
        }
    }

    fn joined(pieces: Vec<Self>, separator: &str) -> Self {
        Self {
            size: pieces.iter().map(|piece| piece.size).fold(pieces.len() as u64, u64::saturating_add),
            copies: pieces.iter().map(|piece| piece.copies).max().unwrap_or(1),
            height: 1 + pieces.iter().map(|piece| piece.height).max().unwrap_or(0),
            text: pieces.into_iter().map(|piece| piece.text).collect::<Vec<_>>().join(separator),
        }
    }

    /// Returns the piece in parentheses.
    pub(super) fn grouped(self) -> Self {
        Self { text: format!("(?:{})", self.text), size: self.size + 2, height: self.height + 1, ..self }
    }

    /// Returns the piece repeated.
    pub(super) fn repeated(self, least: u32, most: Option<u32>, greedy: bool, counted: bool) -> Self {
        let mut text = format!("(?:{})", self.text);
        // Writing to a string cannot fail.
        let _ = match (least, most) {
            (0, None) => write!(text, "*"),
            (1, None) => write!(text, "+"),
            (0, Some(1)) => write!(text, "?"),
            (least, None) => write!(text, "{{{least},}}"),
            (least, Some(most)) => write!(text, "{{{least},{most}}}"),
        };
        text.push_str(if greedy { "" } else { "?" });
        let times = u64::from(most.unwrap_or(least).max(1));
        let copies = match most {
            Some(0) => 1,
            _ if counted => self.copies.saturating_mul(times),
            _ => self.copies,
        };
        Self { text, size: self.size.saturating_mul(times).saturating_add(2), copies, height: self.height + 1 }
    }
}

/// Writes a character so that it matches only itself.
pub(super) fn write_char(out: &mut String, code: u32) {
    match char::from_u32(code) {
        Some(c) if c.is_ascii_alphanumeric() => out.push(c),
        // Writing to a string cannot fail.
        _ => drop(write!(out, "\\x{{{code:x}}}")),
    }
}
