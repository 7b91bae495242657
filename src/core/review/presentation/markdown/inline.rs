//! Lines of text.

use super::code;
use crate::presentation::page::{Line, Piece, grouped, percentage, shown};

/// Where a line of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a paragraph, a list or a heading.
    Text,
    /// In a cell of a table.
    Cell,
    /// In an HTML element, where Markdown is not parsed.
    Element,
}

/// Returns a line as Markdown.
pub(super) fn line(line: &Line, place: Place) -> String {
    line.0.iter().map(|piece| self::piece(piece, place)).collect()
}

fn piece(piece: &Piece, place: Place) -> String {
    match piece {
        Piece::Words(words) => (*words).to_owned(),
        Piece::Number(number) => grouped(*number),
        Piece::Seconds(seconds) => shown(*seconds),
        Piece::Share(thousandths) => percentage(*thousandths),
        Piece::Lines(added, removed) => format!("+{} −{}", grouped(*added), grouped(*removed)),
        Piece::Name(name) => quoted(name, place),
        Piece::Sentence(sentence) if is_harmless(sentence) => sentence.clone(),
        Piece::Sentence(sentence) => quoted(sentence, place),
        Piece::Bold(inner) if place == Place::Element => format!("<b>{}</b>", line(inner, place)),
        Piece::Bold(inner) => format!("**{}**", line(inner, place)),
    }
}

fn quoted(text: &str, place: Place) -> String {
    match place {
        Place::Text => code::span(text),
        Place::Cell => code::cell(text),
        Place::Element => code::element(text),
    }
}

/// Returns `true` if a sentence means nothing in Markdown, and if no forge would make a link or a mention of a part of it.
fn is_harmless(sentence: &str) -> bool {
    let starts_well = sentence.starts_with(|c: char| c.is_ascii_alphanumeric());
    // `1.` and `1)` start a list.
    let is_item = sentence.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')']);
    starts_well && !is_item && sentence.split(' ').all(is_harmless_word)
}

fn is_harmless_word(word: &str) -> bool {
    // Punctuation is allowed only around a word, because `a.b`, `a:b` and `%a` can become links.
    let word = word.strip_prefix('(').unwrap_or(word).trim_end_matches([',', '.', ':', ';', '%', ')']);
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let parts = || word.split('-');
    let has_letters = |part: &str| part.chars().all(|c| c.is_ascii_lowercase());
    let is_compound = !word.contains('-') || parts().all(|part| !part.is_empty() && has_letters(part));
    // GitHub and GitLab link what could be the name of a commit.
    let could_be_commit = word.len() >= 7 && word.chars().all(|c| c.is_ascii_hexdigit());
    word.chars().all(|c| is_letter(c) || c == '-') && is_compound && !could_be_commit
}
