//! Helpers to find lines in text.

/// The first difference between two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) struct Difference<'a> {
    /// The line number, from 1.
    pub line: usize,
    /// The actual line; empty past the end.
    pub found: &'a str,
    /// The expected line; empty past the end.
    pub wanted: &'a str,
}

/// Returns the first difference between two texts.
pub(in crate::audit) fn difference<'a>(found: &'a str, wanted: &'a str) -> Option<Difference<'a>> {
    if found == wanted {
        return None;
    }
    let (mut found, mut wanted) = (found.split('\n'), wanted.split('\n'));
    let mut line = 0;
    loop {
        line += 1;
        match (found.next(), wanted.next()) {
            (None, None) => return None,
            (found, wanted) if found != wanted => {
                return Some(Difference { line, found: found.unwrap_or_default(), wanted: wanted.unwrap_or_default() });
            }
            _ => {}
        }
    }
}

/// Returns the number, from 1, of the first line that starts with `beginning`, ignoring indentation.
pub(in crate::audit) fn line_of(text: &str, beginning: &str) -> Option<usize> {
    text.lines().position(|line| line.trim_start().starts_with(beginning)).map(|index| index + 1)
}

/// Formats a line of a file for people.
pub(in crate::audit) fn quoted(line: &str) -> String {
    let line = line.trim();
    if line.is_empty() { "no line".to_owned() } else { format!("`{line}`") }
}
