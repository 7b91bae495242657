//! Places in texts.

/// Two texts where they first differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference<'a> {
    /// The line, from 1.
    pub line: usize,
    /// The line that is there; empty beyond the end.
    pub found: &'a str,
    /// The line that should be there; empty beyond the end.
    pub wanted: &'a str,
}

/// Returns where two texts first differ.
pub fn difference<'a>(found: &'a str, wanted: &'a str) -> Option<Difference<'a>> {
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

/// Returns the first line, from 1, that begins so, spaces apart.
pub fn line_of(text: &str, beginning: &str) -> Option<usize> {
    text.lines().position(|line| line.trim_start().starts_with(beginning)).map(|index| index + 1)
}

/// Returns a line of a file as it is shown to people.
pub fn quoted(line: &str) -> String {
    let line = line.trim();
    if line.is_empty() { "no line".to_owned() } else { format!("`{line}`") }
}
