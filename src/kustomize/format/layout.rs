//! Where the keys and items of a file are, and where they go.

use super::block_scalar::{has_indicator, last_line};
use super::facts::Facts;
use super::line::{Content, Layout, Move, Token, leading};

/// The columns by which each level is indented.
const STEP: usize = 2;

/// Returns the layout of the lines of a file.
pub(super) fn layout(lines: &[&str], facts: &Facts) -> Layout {
    let (mut layout, mut open) = (Layout::default(), Open::default());
    let mut at = 0;
    while let Some(text) = lines.get(at) {
        if is_separator(text) {
            open = Open::default();
        }
        if let Some((columns, has_key)) = tokens(text, at, facts) {
            let last = columns.len() - 1;
            for (number, column) in columns.iter().enumerate() {
                let kind = if number < last { Kind::List } else { Kind::Mapping };
                // What is beside a dash, and is no key, is no collection.
                if kind == Kind::List || has_key {
                    let indent = open.indent(*column, kind);
                    layout.tokens.entry(at).or_insert(Token { columns: columns.clone(), indent });
                    layout.inner.insert(at, Move { old: *column, new: indent });
                }
            }
        }
        if let Some(to) = layout.inner.get(&at).copied().filter(|_| facts.headers.contains(&at)) {
            let last = last_line(lines, at, to.old).unwrap_or(at);
            let content = content(lines, at, to, last);
            layout.verbatim.extend((at + 1..=last).map(|line| (line, content)));
            at = last;
        }
        at += 1;
    }
    layout
}

/// Returns how the content of a block scalar moves: with its key or item if the header names its indentation, and otherwise by one level.
fn content(lines: &[&str], header: usize, to: Move, last: usize) -> Content {
    let mut block = lines.iter().take(last + 1).skip(header + 1).filter(|text| !text.trim().is_empty());
    let names_indent = lines.get(header).is_some_and(|text| has_indicator(text));
    let first = block.next().map_or(0, |text| leading(text));
    match names_indent {
        true => Content { to, indent: block.map(|text| leading(text)).fold(first, usize::min) },
        false => Content { to: Move { old: first, new: to.new + STEP }, indent: first },
    }
}

/// Returns `true` if a line starts another document.
pub(super) fn is_separator(text: &str) -> bool {
    text.strip_prefix("---").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Returns the columns of the dashes at the start of a line, and of what follows them, which may be a key; `None` if the line starts with
/// neither an item nor a key.
fn tokens(text: &str, at: usize, facts: &Facts) -> Option<(Vec<usize>, bool)> {
    let mut columns = Vec::new();
    let mut column = leading(text);
    while is_dash(text, column) {
        columns.push(column);
        column += 1;
        column += text.get(column..).map_or(0, leading);
    }
    let has_key = facts.keys.contains(&(at, column));
    columns.push(column);
    (columns.len() > 1 || has_key).then_some((columns, has_key))
}

/// Returns `true` if there is the dash of an item in a column.
fn is_dash(text: &str, column: usize) -> bool {
    let mut rest = text.get(column..).unwrap_or_default().chars();
    rest.next() == Some('-') && rest.next().is_none_or(|next| next == ' ')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    Mapping,
}

/// The collections that are open at a line, from the outermost to the innermost.
#[derive(Default)]
struct Open(Vec<(usize, Kind, usize)>);

impl Open {
    /// Returns the new column of a key or dash.
    fn indent(&mut self, column: usize, kind: Kind) -> usize {
        while let Some((open, open_kind, _)) = self.0.last() {
            // A list may have the column of the key that it belongs to.
            let is_closed = *open > column || *open == column && *open_kind == Kind::List && kind == Kind::Mapping;
            if !is_closed {
                break;
            }
            self.0.pop();
        }
        match self.0.last() {
            Some((open, open_kind, indent)) if *open == column && *open_kind == kind => *indent,
            above => {
                let indent = above.map_or(0, |(_, _, indent)| indent + STEP);
                self.0.push((column, kind, indent));
                indent
            }
        }
    }
}
