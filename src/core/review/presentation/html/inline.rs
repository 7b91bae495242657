//! Lines of text, and the escaping of values.

use crate::presentation::page::{Line, Piece, grouped, percentage, shown};

/// Returns a line as HTML.
pub(super) fn line(line: &Line) -> String {
    line.0.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Words(words) => escaped(words),
        Piece::Number(number) => grouped(*number),
        Piece::Seconds(seconds) => shown(*seconds),
        Piece::Share(thousandths) => percentage(*thousandths),
        Piece::Lines(added, removed) => {
            format!("<ins>+{}</ins> <del>−{}</del>", grouped(*added), grouped(*removed))
        }
        Piece::Name(name) if name.is_empty() => "<code>\"\"</code>".to_owned(),
        Piece::Name(name) => format!("<code>{}</code>", escaped(name)),
        Piece::Sentence(sentence) => escaped(sentence),
        Piece::Bold(inner) => format!("<b>{}</b>", line(inner)),
    }
}

/// Returns a line as escaped text without elements, for the title of a window.
pub(super) fn text(line: &Line) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Words(words) => escaped(words),
        Piece::Name(text) | Piece::Sentence(text) => escaped(text),
        Piece::Number(number) => grouped(*number),
        Piece::Seconds(seconds) => shown(*seconds),
        Piece::Share(thousandths) => percentage(*thousandths),
        Piece::Lines(added, removed) => format!("+{added} −{removed}"),
        Piece::Bold(inner) => text(inner),
    };
    line.0.iter().map(piece).collect()
}

/// Returns text in which no character has a meaning in HTML.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
