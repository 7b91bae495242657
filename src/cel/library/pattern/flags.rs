//! Groups with flags: `(?i)`, `(?s:…)`, `(?P<name>…)`.

use super::read::{Reader, told};

/// The flags for the rest of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    /// Whether matching ignores case.
    pub(super) fold: bool,
    /// Whether `^` and `$` match at the start and end of lines.
    pub(super) lines: bool,
    /// Whether `.` matches a line break.
    pub(super) dot_all: bool,
    /// Whether repetitions match as little as possible.
    pub(super) ungreedy: bool,
}

impl Flags {
    fn set(&mut self, letter: char, on: bool) -> bool {
        match letter {
            'i' => self.fold = on,
            'm' => self.lines = on,
            's' => self.dot_all = on,
            'U' => self.ungreedy = on,
            _ => return false,
        }
        true
    }
}

impl Reader<'_> {
    /// Parses a group that starts with `(?`.
    pub(super) fn flagged_group(&mut self) -> Result<(), String> {
        let before = self.rest;
        if (before.starts_with("(?P<") && before.len() > 4) || (before.starts_with("(?<") && before.len() > 3) {
            return self.named_group();
        }
        self.take("(?");
        let (mut flags, mut negative, mut any) = (self.flags, false, false);
        while let Some(c) = self.next() {
            match c {
                '-' if !negative => (negative, any) = (true, false),
                ':' | ')' if !negative || any => {
                    let restored = self.flags;
                    self.flags = flags;
                    return if c == ':' { self.open(restored) } else { Ok(()) };
                }
                letter if flags.set(letter, !negative) => any = true,
                _ => break,
            }
        }
        Err(told("invalid or unsupported Perl syntax", self.since(before)))
    }

    fn named_group(&mut self) -> Result<(), String> {
        let before = self.rest;
        let start = if self.take("(?P<") || self.take("(?<") { self.rest } else { before };
        let Some((name, rest)) = start.split_once('>') else {
            return Err(told("invalid named capture", before));
        };
        self.rest = rest;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(told("invalid named capture", self.since(before)));
        }
        self.open(self.flags)
    }
}
