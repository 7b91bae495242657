//! Names and values as code, which forges do not interpret.

use std::fmt::Write as _;

/// Returns text as a code span, with as many backticks as it needs.
pub(super) fn span(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    // An empty code span would not be one.
    let text = if text.is_empty() { "\"\"" } else { text };
    // Markdown removes one space at each end.
    let is_padded = text.starts_with('`') || text.ends_with('`') || (text.starts_with(' ') && text.ends_with(' '));
    let space = if is_padded { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// Returns text as a code span in a cell of a table, in which `\|` is a pipe.
pub(super) fn cell(text: &str) -> String {
    // After another backslash, some parsers read `\|` as the end of the cell.
    let is_ambiguous = text.contains('\\') && text.contains('|');
    if is_ambiguous { element(text) } else { span(text).replace('|', "\\|") }
}

/// Returns text as an HTML element. Every character with a meaning is written as its number, because Markdown is parsed in the element.
pub(super) fn element(text: &str) -> String {
    let mut element = "<code>".to_owned();
    for c in if text.is_empty() { "\"\"" } else { text }.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '-' | ',') {
            let _ = write!(element, "&#{};", u32::from(c));
        } else {
            element.push(c);
        }
    }
    element + "</code>"
}

/// Returns a fenced block. Its lines start with one of the characters of a unified diff: GitLab executes a line that starts with `/`.
pub(super) fn fence(diff: &str) -> String {
    let fence = "`".repeat((longest_run(diff) + 1).max(3));
    let mut block = format!("{fence}diff\n");
    for line in diff.lines() {
        if !line.starts_with([' ', '+', '-', '@', '\\']) {
            block.push(' ');
        }
        block.push_str(line);
        block.push('\n');
    }
    block + &fence
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}
