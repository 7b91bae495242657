//! The formatted lines.

use std::collections::BTreeMap;

use super::line::{Content, Layout, Move, Token, leading};

/// What happens to empty lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    /// There is at most one in a row, and none at the ends.
    Fold,
    /// They stay, because they are part of a value.
    Keep,
}

/// Returns the file with the new indentation.
pub(super) fn render(lines: &[&str], layout: &Layout, empty: Empty) -> String {
    let mut out: Vec<String> = Vec::new();
    let (mut last, mut columns) = (Move::default(), BTreeMap::new());
    for (at, text) in lines.iter().enumerate() {
        if let Some(content) = layout.verbatim.get(&at) {
            out.push(verbatim(text, *content));
            continue;
        }
        let trimmed = text.trim();
        if trimmed.is_empty() {
            match empty {
                Empty::Keep => out.push((*text).to_owned()),
                Empty::Fold if out.last().is_some_and(|line| !line.is_empty()) => out.push(String::new()),
                Empty::Fold => {}
            }
            continue;
        }
        let before = out.iter().rev().find(|line| !line.is_empty());
        if trimmed == "---" && (before.is_none_or(|line| line == "---") || !has_more(lines, at)) {
            continue;
        }
        let line = match layout.tokens.get(&at) {
            Some(token) => token_line(text, token),
            None if trimmed.starts_with('#') => {
                let next = layout.tokens.range(at..).next().map(|(_, token)| token);
                comment(text, next, &columns, last)
            }
            None if leading(text) == 0 => (*text).to_owned(),
            None => moved(text, last),
        };
        columns.extend(layout.tokens.get(&at).map(|token| (token.first(), token.indent)));
        last = layout.inner.get(&at).copied().unwrap_or(last);
        out.push(line.trim_end().to_owned());
    }
    while empty == Empty::Fold && out.last().is_some_and(String::is_empty) {
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
fn verbatim(text: &str, content: Content) -> String {
    if text.trim_matches(' ').is_empty() && text.len() <= content.indent {
        return String::new();
    }
    moved(text, content.to)
}

/// Returns a comment, with the indentation of the line that it is about: the next one with the same indentation, or the last one before.
fn comment(text: &str, next: Option<&Token>, columns: &BTreeMap<usize, usize>, last: Move) -> String {
    let column = leading(text);
    let of_next = next.filter(|next| next.first() == column).map(|next| next.indent);
    let to = match of_next.or_else(|| columns.get(&column).copied()) {
        Some(indent) => Move { old: column, new: indent },
        None => next.map_or(last, |next| Move { old: next.first(), new: next.indent }),
    };
    moved(text, to)
}
