//! Writes quoted scalars.

use std::fmt::Write as _;

use super::analyze::{is_line_end, is_printable};
use super::emitter::Emitter;

impl Emitter {
    /// Writes a string in single quotes.
    pub(crate) fn single(&mut self, text: &str, may_fold: bool) {
        self.indicator("'", true);
        let (mut is_first, mut is_after_space, mut is_after_line_end) = (true, false, false);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.peek().copied();
            if c == ' ' {
                let is_inside = !is_first && next.is_some_and(|next| next != ' ');
                let folds = may_fold && !is_after_space && is_inside && self.is_beyond_width();
                if folds { self.go_to_indent() } else { self.put(c) }
            } else if is_line_end(c) {
                self.end_line(c);
            } else {
                if is_after_line_end {
                    self.go_to_indent();
                }
                if c == '\'' {
                    self.put('\'');
                }
                self.put(c);
                self.is_indentation = false;
            }
            is_after_space = c == ' ' || (is_after_space && is_line_end(c));
            is_after_line_end = is_line_end(c) || (is_after_line_end && c == ' ');
            is_first = false;
        }
        self.indicator("'", false);
    }

    /// Writes a string in double quotes.
    pub(crate) fn double(&mut self, text: &str, may_fold: bool) {
        self.indicator("\"", true);
        // If the string starts with a byte order mark, every character is written as an escape.
        let escapes_all = text.starts_with('\u{feff}');
        let (mut is_first, mut is_after_space) = (true, false);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.peek().copied();
            if escapes_all || !is_printable(c) || is_line_end(c) || matches!(c, '"' | '\\') {
                self.escape(c);
                is_after_space = false;
            } else if c == ' ' {
                let folds = may_fold && !is_after_space && !is_first && next.is_some() && self.is_beyond_width();
                if folds {
                    self.go_to_indent();
                    if next == Some(' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(c);
                }
                is_after_space = true;
            } else {
                self.put(c);
                is_after_space = false;
            }
            is_first = false;
        }
        self.indicator("\"", false);
    }

    fn escape(&mut self, c: char) {
        let mut text = String::from("\\");
        let short = match c {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' | '\\' => c,
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => {
                // Writing into a String cannot fail.
                let _: std::fmt::Result = match u32::from(c) {
                    code @ 0..=0xff => write!(text, "x{code:02X}"),
                    code @ 0x100..=0xffff => write!(text, "u{code:04X}"),
                    code => write!(text, "U{code:08X}"),
                };
                return text.chars().for_each(|c| self.put(c));
            }
        };
        self.put('\\');
        self.put(short);
    }
}
