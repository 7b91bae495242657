//! Whether a formatted file still says the same.

use crate::yaml::{Error, Input, Node, Origin, SourceId, resources};

/// Returns an error if a value or a character other than white space differs.
pub(super) fn verify(text: &str, nodes: &[Node], formatted: &str) -> Result<(), Error> {
    let at = nodes.first().map_or(Origin::new(SourceId::default(), 1, 1), |node| node.origin);
    let differs = || at.error("cannot be formatted without changing a value; format it by hand");
    let again = resources(Input::of_file(SourceId::default(), formatted.as_bytes())).map_err(|_| differs())?;
    let values = |nodes: &[Node]| nodes.iter().map(Node::to_value).collect::<Result<Vec<_>, _>>();
    let is_same = values(nodes)? == values(&again)? && characters(text) == characters(formatted);
    if is_same { Ok(()) } else { Err(differs()) }
}

/// Returns the characters of a file without white space and without the separators of documents.
fn characters(text: &str) -> String {
    let lines = text.lines().filter(|line| line.trim_end() != "---");
    lines.flat_map(|line| line.chars().filter(|letter| !letter.is_whitespace())).collect()
}
