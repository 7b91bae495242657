//! Replacing elements of a list, and taking them out.

use super::like::describe;
use crate::yaml::{Fault, Mapping, Node, Scalar};

/// Returns `true` if an element is dropped since it holds nothing; a list stays, even an empty one.
pub(super) fn is_empty(item: &Node) -> bool {
    item.is_null() || item.as_mapping().is_some_and(Mapping::is_empty)
}

/// Elements, some of which stand in two lists at once while a list is merged.
pub(super) struct Arena {
    pub(super) nodes: Vec<Node>,
}

impl Arena {
    /// Returns the text of a value.
    pub(super) fn text(&self, at: usize) -> &str {
        self.nodes.get(at).map_or("", text)
    }
}

/// The text of a value; empty for all that is no single value.
pub(super) fn text(node: &Node) -> &str {
    node.as_scalar().map_or("", Scalar::text)
}

/// Makes the complaint about an element that is no mapping.
pub(super) fn no_mapping(item: &Node) -> Fault {
    Fault::new(item.origin, format!("an element of the list is {}, and it must be a mapping", describe(item)))
}

/// Returns `true` if an element has some values.
pub(super) fn matches(item: &Node, wanted: &[(&str, &str)]) -> bool {
    match wanted.first() {
        Some(("", value)) => text(item) == *value,
        _ => item.as_mapping().is_some_and(|item| {
            wanted.iter().all(|(key, value)| item.get(key).is_some_and(|found| text(found) == *value))
        }),
    }
}

/// Replaces the elements that have all of some values, or takes them out.
///
/// # Errors
/// As [`set_partly()`].
pub(super) fn set(
    arena: &Arena,
    list: &mut Vec<usize>,
    new: Option<usize>,
    pairs: &[(&str, &str)],
) -> Result<(), Fault> {
    let (keys, values): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    set_partly(arena, list, new, &keys, &values)
}

/// Replaces the elements with some values by another one, or takes them out; what is found nowhere is added.
///
/// # Errors
/// [`Fault`] if an element does not have the shape that the keys ask for.
///
/// # Source
/// kyaml `ElementSetter`.
pub(super) fn set_partly(
    arena: &Arena,
    list: &mut Vec<usize>,
    new: Option<usize>,
    keys: &[&str],
    values: &[&str],
) -> Result<(), Fault> {
    let is_for_mappings =
        keys.first().is_some_and(|key| !key.is_empty()) && values.first().is_some_and(|value| !value.is_empty());
    let mut is_found = false;
    let mut kept = Vec::with_capacity(list.len() + 1);
    for at in list.iter().copied() {
        let Some(item) = arena.nodes.get(at).filter(|item| !is_empty(item)) else { continue };
        if item.as_mapping().is_none() && is_for_mappings {
            kept.push(at);
            continue;
        }
        if !is_match(item, keys, values)? {
            // Without any value all others are lost.
            kept.extend((!values.is_empty()).then_some(at));
            continue;
        }
        is_found = true;
        kept.extend(new);
    }
    *list = kept;
    if let Some(new) = new.filter(|new| !is_found && arena.nodes.get(*new).is_some_and(|item| !item.is_null())) {
        list.push(new);
    }
    Ok(())
}

fn is_match(item: &Node, keys: &[&str], values: &[&str]) -> Result<bool, Fault> {
    let mut found = false;
    for (i, key) in keys.iter().enumerate() {
        // Of a key without a value, what was found for the one before counts.
        if let Some(value) = values.get(i) {
            found = if key.is_empty() {
                if item.as_scalar().is_none() {
                    let message = format!("an element of the list is {}, and it must be a text", describe(item));
                    return Err(Fault::new(item.origin, message));
                }
                text(item) == *value
            } else {
                if item.as_mapping().is_none() {
                    return Err(no_mapping(item));
                }
                item.get(key).is_some_and(|found| value.is_empty() || text(found) == *value)
            };
        }
        if !found {
            return Ok(false);
        }
    }
    Ok(true)
}
