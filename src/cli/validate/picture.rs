//! A complaint for people: one line that an editor can read too, and below it the place in the file.

use owo_colors::OwoColorize as _;

use super::finding::{harmless, line_of, token_of};
use crate::model::tree::Tree;
use crate::repository::Complaint;

/// So much of a line is shown.
const WIDTH: usize = 160;

/// Returns the complaint with the line that it is about, in colours; where there is no terminal, the output takes them out.
pub(super) fn pictured(complaint: &Complaint, tree: &Tree) -> String {
    let place = &complaint.place;
    let head = format!("{}: {}", harmless(&place.to_string()).bold(), harmless(&complaint.message));
    let Some(line) = line_of(tree, place) else { return head };
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    // A line that no terminal holds is shown around its fault.
    let column = (place.column as usize).saturating_sub(1);
    let from = column.saturating_sub(WIDTH / 2);
    let shown: String = line.chars().skip(from).take(WIDTH).map(|c| if c == '\t' { c } else { visible(c) }).collect();
    let before: String = shown.chars().take(column - from).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let room = shown.chars().count().saturating_sub(column - from);
    let length = token_of(line, place).chars().count().clamp(1, room.max(1));
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
