//! The formatted lines.

use super::line::{Layout, Move, Token, leading};

/// Returns the file with the new indentation.
pub(super) fn render(lines: &[&str], layout: &Layout) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut last = Move::default();
    for (at, text) in lines.iter().enumerate() {
        if let Some(to) = layout.verbatim.get(&at) {
            out.push(verbatim(text, *to, lines, at, layout));
            continue;
        }
        let trimmed = text.trim();
        if trimmed.is_empty() {
            if out.last().is_some_and(|line| !line.is_empty()) {
                out.push(String::new());
            }
            continue;
        }
        let before = out.iter().rev().find(|line| !line.is_empty());
        if trimmed == "---" && (before.is_none_or(|line| line == "---") || !has_more(lines, at)) {
            continue;
        }
        let line = match layout.tokens.get(&at) {
            Some(token) => token_line(text, token),
            None if trimmed.starts_with('#') => comment(text, at, layout, last),
            None if leading(text) == 0 => (*text).to_owned(),
            None => moved(text, last),
        };
        last = layout.inner.get(&at).copied().unwrap_or(last);
        out.push(line.trim_end().to_owned());
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out.into_iter().map(|line| line + "\n").collect()
}

/// Returns `true` if a line after this one has content.
fn has_more(lines: &[&str], at: usize) -> bool {
    lines.iter().skip(at + 1).any(|line| !matches!(line.trim(), "" | "---"))
}

/// Returns a line that starts with a key or with items of lists.
fn token_line(text: &str, token: &Token) -> String {
    let content = token.columns.last().copied().unwrap_or_default();
    let dashes = "- ".repeat(token.columns.len().saturating_sub(1));
    format!("{}{dashes}{}", " ".repeat(token.indent), text.get(content..).unwrap_or_default())
}

/// Returns a line with its distance to a column kept.
fn moved(text: &str, to: Move) -> String {
    let column = (leading(text) + to.new).saturating_sub(to.old);
    format!("{}{}", " ".repeat(column), text.trim_start_matches(' '))
}

/// Returns a line of a block scalar. A line of spaces is empty, unless it is longer than the indentation: then the rest is part of the value.
fn verbatim(text: &str, to: Move, lines: &[&str], at: usize, layout: &Layout) -> String {
    if text.trim_matches(' ').is_empty() {
        let other = |at: &usize| layout.verbatim.contains_key(at);
        let block = (0..=at).rev().take_while(other).chain((at..lines.len()).take_while(other));
        let content =
            block.filter_map(|at| lines.get(at)).filter(|line| !line.trim().is_empty()).map(|line| leading(line));
        if text.len() <= content.min().unwrap_or_default() {
            return String::new();
        }
    }
    moved(text, to)
}

/// Returns a comment, with the indentation of the line that it is about: the next one with the same indentation, or the last one before.
fn comment(text: &str, at: usize, layout: &Layout, last: Move) -> String {
    let column = leading(text);
    let next = layout.tokens.range(at..).next().map(|(_, token)| token);
    let same = |token: &Token| token.first() == column;
    let before = || layout.tokens.range(..at).rev().map(|(_, token)| token).find(|token| same(token));
    let indent = match next.filter(|next| same(next)).or_else(before) {
        Some(token) => Move { old: column, new: token.indent },
        None => next.map_or(last, |next| Move { old: next.first(), new: next.indent }),
    };
    moved(text, indent)
}
