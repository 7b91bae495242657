//! Replaces and removes elements of a list.

use crate::overlay::patch::compare::describe;
use crate::yaml::{Error, Mapping, Node, Scalar};

/// Returns `true` if an element is dropped because it is null or an empty mapping. An empty list stays.
pub(crate) fn is_empty(item: &Node) -> bool {
    item.is_null() || item.as_mapping().is_some_and(Mapping::is_empty)
}

/// Elements of a list that is being merged. Some of them are in two lists at once.
pub(crate) struct Arena {
    pub(crate) nodes: Vec<Node>,
}

impl Arena {
    /// Returns the string of a value.
    pub(crate) fn text(&self, at: usize) -> &str {
        self.nodes.get(at).map_or("", text)
    }
}

/// Returns the string of a value, empty for anything but a single value.
pub(crate) fn text(node: &Node) -> &str {
    node.as_scalar().map_or("", Scalar::text)
}

/// Returns the error for an element that is not a mapping.
pub(crate) fn no_mapping(item: &Node) -> Error {
    item.origin.error(format!("an element of the list is {}, but must be a mapping", describe(item)))
}

/// Returns `true` if an element has the given values.
pub(crate) fn matches(item: &Node, wanted: &[(&str, &str)]) -> bool {
    match wanted.first() {
        Some(("", value)) => text(item) == *value,
        _ => item.as_mapping().is_some_and(|item| {
            wanted.iter().all(|(key, value)| item.get(key).is_some_and(|found| text(found) == *value))
        }),
    }
}

/// Replaces the elements that have all of the given values, or removes them.
///
/// # Errors
/// As [`set_partly()`].
pub(crate) fn set(
    arena: &Arena,
    list: &mut Vec<usize>,
    new: Option<usize>,
    pairs: &[(&str, &str)],
) -> Result<(), Error> {
    let (keys, values): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    set_partly(arena, list, new, &keys, &values)
}

/// Replaces the elements with the given values by `new`, or removes them. If none is found, `new` is added.
///
/// # Errors
/// [`Error`] if an element does not have the type that the keys require.
///
/// # Source
/// kyaml `ElementSetter`.
pub(crate) fn set_partly(
    arena: &Arena,
    list: &mut Vec<usize>,
    new: Option<usize>,
    keys: &[&str],
    values: &[&str],
) -> Result<(), Error> {
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
            // Without any value, all other elements are lost.
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

fn is_match(item: &Node, keys: &[&str], values: &[&str]) -> Result<bool, Error> {
    let mut found = false;
    for (i, key) in keys.iter().enumerate() {
        // For a key without a value, the result of the previous key counts.
        if let Some(value) = values.get(i) {
            found = if key.is_empty() {
                if item.as_scalar().is_none() {
                    let message = format!("an element of the list is {}, but must be a string", describe(item));
                    return Err(item.origin.error(message));
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
