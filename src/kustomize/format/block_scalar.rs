//! The lines of block scalars, in which spaces are part of values.

use super::line::leading;

/// Returns the last line with content of the block scalar that starts after a line, in a collection with this column; `None` if it is empty.
///
/// # Source
/// YAML 1.2.2, chapter 8.1: the content is indented more than the collection that the scalar is in.
pub(super) fn last_line(lines: &[&str], header: usize, column: usize) -> Option<usize> {
    let content = lines.iter().enumerate().skip(header + 1);
    let content = content.take_while(|(_, text)| text.trim().is_empty() || leading(text) > column);
    content.filter(|(_, text)| !text.trim().is_empty()).map(|(at, _)| at).last()
}

/// Returns `true` if a line ends as the header of a block scalar does.
pub(super) fn is_header(text: &str) -> bool {
    let (before, _) = header(text);
    before.ends_with(['|', '>'])
}

/// Returns `true` if the header of a block scalar names the indentation of its content.
pub(super) fn has_indicator(text: &str) -> bool {
    header(text).1.contains(|letter: char| letter.is_ascii_digit())
}

/// Returns a line up to the `|` or `>` of a header, and what follows it, without a comment.
fn header(text: &str) -> (&str, &str) {
    let text = text.split(" #").next().unwrap_or_default().trim_end();
    let before = text.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '+' || letter == '-');
    text.split_at(before.len())
}
