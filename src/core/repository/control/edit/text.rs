//! Edits the text of a control file, so that comments and the layout of other fields stay.

use std::ops::Range;

use serde_json::{Map, Value, json};

use tidegate_kustomize::yaml::{Node, Origin, write};

/// Returns the text of a field, as block mapping.
fn field(name: &str, value: &Value) -> Option<String> {
    rendered(&json!({ name: value }))
}

fn rendered(value: &Value) -> Option<String> {
    write(&Node::from_value(value, Origin::default())).ok()
}

/// Returns the text of a whole document, without comments.
pub(super) fn document(document: &Map<String, Value>) -> Option<String> {
    let order = ["apiVersion", "kind", "pause", "abort", "retry", "quarantine"];
    let known = order.into_iter().filter_map(|name| Some((name, document.get(name)?)));
    known.map(|(name, value)| field(name, value)).collect()
}

/// Returns the ways to write the new value of a field into a text, the one that keeps the most first. A way may be wrong, if the text
/// has an unusual layout.
pub(super) fn candidates(
    text: &str,
    node: &Node,
    name: &str,
    before: Option<&Value>,
    after: Option<&Value>,
) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(fields) = fields(node, &lines) else { return Vec::new() };
    let place = fields.iter().find(|(found, _)| found == name).map(|(_, range)| range.clone());
    let new = match after {
        Some(after) => match field(name, after) {
            Some(new) => new,
            None => return Vec::new(),
        },
        None => String::new(),
    };
    match place {
        Some(place) => {
            let appended = before.zip(after).and_then(|(before, after)| {
                let at = place.clone();
                Some(replaced(&lines, at.end..at.end, &more_items(lines.get(at)?, before, after)?))
            });
            appended.into_iter().chain([replaced(&lines, place, &new)]).collect()
        }
        None => {
            let end = fields.iter().map(|(_, range)| range.end).max().unwrap_or(lines.len());
            vec![replaced(&lines, end..end, &new)]
        }
    }
}

/// Returns the lines of each field of a block mapping; `None` if the fields do not start at the beginning of their lines.
///
/// # Shape
/// Comments and empty lines after a field do not belong to it.
fn fields(node: &Node, lines: &[&str]) -> Option<Vec<(String, Range<usize>)>> {
    let mut starts = Vec::new();
    for entry in node.as_mapping()?.iter() {
        let (key, origin) = (&entry.key().text, entry.key().origin);
        let line = usize::try_from(origin.line).ok()?.checked_sub(1)?;
        if origin.column != 1 {
            return None;
        }
        starts.push((line, key.to_string()));
    }
    starts.sort();
    let ends = starts.iter().skip(1).map(|(line, _)| *line).chain([lines.len()]);
    let range = |((start, name), end): (&(usize, String), usize)| {
        let is_outside = |line: &&&str| line.trim().is_empty() || line.starts_with('#') || is_marker(line);
        let after = lines.get(*start..end)?.iter().rev().take_while(is_outside).count();
        Some((name.clone(), *start..end - after))
    };
    starts.iter().zip(ends).map(range).collect()
}

/// Returns `true` for the line that ends a document.
fn is_marker(line: &str) -> bool {
    matches!(line.trim_end(), "---" | "...")
}

/// Returns the text of the items that are new at the end of a list, if the list is written as block.
fn more_items(list: &[&str], before: &Value, after: &Value) -> Option<String> {
    let (before, after) = (before.as_array()?, after.as_array()?);
    let new = after.strip_prefix(before.as_slice())?;
    let first = list.get(1..)?.iter().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    let indent = first.get(..first.find("- ")?)?;
    if !indent.trim().is_empty() {
        return None;
    }
    let items = rendered(&Value::Array(new.to_vec()))?;
    Some(
        items
            .split_inclusive('\n')
            .map(|line| if line.trim().is_empty() { line.to_owned() } else { format!("{indent}{line}") })
            .collect(),
    )
}

/// Returns lines with a range of them replaced.
fn replaced(lines: &[&str], range: Range<usize>, new: &str) -> String {
    let part = |range: Range<usize>| lines.get(range).unwrap_or_default().concat();
    let mut text = part(0..range.start);
    let is_crlf = lines.first().is_some_and(|line| line.ends_with("\r\n"));
    let end = if is_crlf { "\r\n" } else { "\n" };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(end);
    }
    text.push_str(&if is_crlf { new.replace('\n', "\r\n") } else { new.to_owned() });
    text.push_str(&part(range.end..lines.len()));
    text
}
