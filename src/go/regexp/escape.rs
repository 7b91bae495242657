//! Escape sequences.

use super::parser::{Parser, error_at};
use super::piece::Piece;

impl<'t> Parser<'t> {
    pub(super) fn backslash(&mut self) -> Result<(), String> {
        let before = self.rest;
        if self.take(r"\A") {
            return self.push(Piece::look(r"\A"));
        }
        if self.take(r"\z") {
            return self.push(Piece::look(r"\z"));
        }
        if self.take(r"\b") {
            return self.push(Piece::look(r"(?-u:\b)"));
        }
        if self.take(r"\B") {
            return self.push(Piece::look(r"(?-u:\B)"));
        }
        if self.take(r"\C") {
            return Err(error_at("invalid escape sequence", self.since(before)));
        }
        if self.take(r"\Q") {
            let (literal, rest) = self.rest.split_once(r"\E").unwrap_or((self.rest, ""));
            self.rest = rest;
            return literal.chars().try_for_each(|c| self.push(Piece::literal(c, self.flags)));
        }
        if let Some(class) = self.escaped_class()? {
            return self.push(Piece::class(class, self.flags));
        }
        match char::from_u32(self.escape()?) {
            Some(c) => self.push(Piece::literal(c, self.flags)),
            // No string contains surrogates.
            None => self.push(Piece::atom(NOTHING)),
        }
    }

    /// Parses an escape sequence for one character.
    pub(super) fn escape(&mut self) -> Result<u32, String> {
        let before = self.rest;
        self.take(r"\");
        let Some(c) = self.next() else {
            return Err(error_at("trailing backslash at end of expression", ""));
        };
        let code = match c {
            '0' => Some(self.octal(0)),
            // A single digit would be a backreference.
            '1'..='7' if self.rest.starts_with(|c: char| c.is_digit(8)) => Some(self.octal(c.to_digit(8).unwrap_or(0))),
            'x' => self.hexadecimal(),
            'a' => Some(7),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            'v' => Some(11),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
            _ => None,
        };
        code.ok_or_else(|| error_at("invalid escape sequence", self.since(before)))
    }

    /// Parses up to two more digits.
    fn octal(&mut self, first: u32) -> u32 {
        let mut code = first;
        for _ in 0..2 {
            let Some(digit) = self.rest.chars().next().and_then(|c| c.to_digit(8)) else { break };
            self.next();
            code = code * 8 + digit;
        }
        code
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let first = self.next()?;
        if first != '{' {
            let second = self.next();
            return Some(first.to_digit(16)? * 16 + second?.to_digit(16)?);
        }
        let (mut code, mut digits) = (0, 0);
        loop {
            match self.next()? {
                '}' => return (digits > 0).then_some(code),
                c => code = code * 16 + c.to_digit(16)?,
            }
            digits += 1;
            if code > u32::from(char::MAX) {
                return None;
            }
        }
    }
}

/// A class of no characters.
pub(super) const NOTHING: &str = r"[^\x00-\x{10ffff}]";
