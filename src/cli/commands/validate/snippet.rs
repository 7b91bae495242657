//! A complaint for people: one line that editors can also parse, and below it the place in the file.

use owo_colors::OwoColorize as _;

use super::finding::{harmless, token_of};
use super::lines::Lines;
use tidegate_model::diagnostic::Diagnostic;

/// Maximum number of characters of a line that are shown.
const WIDTH: usize = 160;

/// Returns the complaint with the line that it is about, in color. If the output is not a terminal, the colors are removed
/// on output.
pub(super) fn snippet_of(complaint: &Diagnostic, lines: &mut Lines<'_>) -> String {
    let place = &complaint.place;
    let head = format!("{}: {}", harmless(&place.to_string()).bold(), harmless(&complaint.message));
    let Some(spot) = lines.find(place) else { return head };
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    // A line that is too long for a terminal is cut around the error.
    let from = spot.before.char_indices().rev().nth(WIDTH / 2 - 1).map_or(0, |(from, _)| from);
    let before = spot.before.get(from..).unwrap_or_default();
    let column = before.chars().count();
    let line = before.chars().chain(spot.after.chars()).take(WIDTH);
    let shown: String = line.map(|c| if c == '\t' { c } else { visible(c) }).collect();
    let before: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let room = shown.chars().count().saturating_sub(column);
    let length = token_of(spot, place).chars().take(WIDTH).count().clamp(1, room.max(1));
    let underline = format!("^{}", "~".repeat(length - 1));
    let underline = match complaint.is_error() {
        true => underline.red().to_string(),
        false => format!("{} {}", underline.yellow(), "warning".yellow()),
    };
    format!("{head}\n  {} {} {shown}\n  {margin} {} {before}{underline}", number.blue(), "|".blue(), "|".blue())
}

fn visible(character: char) -> char {
    if harmless(character.encode_utf8(&mut [0; 4])).starts_with(character) { character } else { ' ' }
}
