//! Groups that start with `(?`: `(?i)`, `(?s:…)`, `(?P<name>…)`.

use super::parser::{Parser, error_at};

impl Parser<'_> {
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
        Err(error_at("invalid or unsupported Perl syntax", self.since(before)))
    }

    fn named_group(&mut self) -> Result<(), String> {
        let before = self.rest;
        let start = if self.take("(?P<") || self.take("(?<") { self.rest } else { before };
        let Some((name, rest)) = start.split_once('>') else {
            return Err(error_at("invalid named capture", before));
        };
        self.rest = rest;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(error_at("invalid named capture", self.since(before)));
        }
        self.open(self.flags)
    }
}
