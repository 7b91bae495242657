//! Parsers for parts of the lines that forges write.

/// Parses a string in single quotes at the start of `text`; returns it and the rest. It ends at the last quote that is
/// followed by `behind`, because titles may contain quotes themselves.
pub(super) fn single<'a>(text: &'a str, behind: &str) -> Option<(&'a str, &'a str)> {
    let inner = text.strip_prefix('\'')?;
    let end = inner
        .rmatch_indices('\'')
        .map(|(at, _)| at)
        .find(|at| inner.get(at + 1..).is_some_and(|t| t.starts_with(behind)));
    let (quoted, rest) = inner.split_at_checked(end?)?;
    Some((quoted, rest.get(1..)?))
}

/// Parses a number at the start of `text`; returns it and the rest.
pub(super) fn number(text: &str) -> Option<(u64, &str)> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
    Some((digits.parse().ok()?, text.get(digits.len()..)?))
}

/// Returns the subject of a message: its first line that is not empty.
pub(super) fn subject(message: &str) -> &str {
    message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}
