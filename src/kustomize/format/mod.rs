//! The house format of YAML files.
//!
//! Pure. Indentation is two spaces, the items of a list are indented below their key, lines end without spaces, and there is at most one empty
//! line in a row. Nothing else changes: not the order, not the quotes, and no comment.
//!
//! A file is formatted line by line, by the places of its keys and items. Afterwards, it is parsed again: a file whose values or characters
//! would change is refused.

mod block_scalar;
mod facts;
mod layout;
mod line;
mod render;
mod verify;

use self::facts::Facts;
use self::render::{Empty, render};
use self::verify::verify;
use crate::yaml::{Error, Input, SourceId, resources};

/// Formats a file.
///
/// # Errors
/// [`Error`] if the file is not valid YAML, or if it cannot be formatted without changing a value.
pub fn format(text: &str) -> Result<String, Error> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let nodes = resources(Input::of_file(SourceId::default(), text.as_bytes()))?;
    let lines: Vec<&str> = text.lines().collect();
    let layout = layout::layout(&lines, &Facts::of(&lines, &nodes));
    let formatted = render(&lines, &layout, Empty::Fold);
    if verify(&text, &nodes, &formatted).is_ok() {
        return Ok(formatted);
    }
    // Empty lines can be part of a value.
    let formatted = render(&lines, &layout, Empty::Keep);
    verify(&text, &nodes, &formatted)?;
    Ok(formatted)
}
