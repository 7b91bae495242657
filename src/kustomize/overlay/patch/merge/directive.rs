//! The `$patch` directives of a patch.

use crate::yaml::{Error, Node, Origin, Scalar};

/// The key of a directive.
pub(crate) const KEY: &str = "$patch";

/// What to do with the value that the patch applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Directive {
    /// Delete the value.
    Delete,
    /// Replace the value with the patch.
    Replace,
    /// Merge the patch into the value, as without a directive.
    Merge,
}

impl Directive {
    fn read(value: &Node) -> Result<Self, Error> {
        match value.as_scalar().map_or("", Scalar::text) {
            "delete" => Ok(Self::Delete),
            "replace" => Ok(Self::Replace),
            "merge" => Ok(Self::Merge),
            other => Err(unknown(other, value.origin)),
        }
    }
}

fn unknown(text: &str, origin: Origin) -> Error {
    origin.error(format!("{KEY} is {text:?}, but must be delete, replace or merge"))
}

/// Returns the directive of a mapping.
///
/// # Errors
/// [`Error`] if the directive is not one of the three.
pub(crate) fn of_mapping(node: &Node) -> Result<Option<Directive>, Error> {
    node.get(KEY).map(Directive::read).transpose()
}

/// Returns a mapping without its directives and those of nested mappings, or `None` if there are none.
pub(crate) fn without(node: &Node) -> Option<Node> {
    has_any(node).then(|| {
        let mut rest = node.clone();
        remove_all(&mut rest);
        rest
    })
}

fn has_any(node: &Node) -> bool {
    node.as_mapping().is_some_and(|mapping| mapping.iter().any(|m| *m.key().text == *KEY || has_any(&m.value)))
}

fn remove_all(node: &mut Node) {
    let Some(mapping) = node.as_mapping_mut() else { return };
    mapping.remove(KEY);
    mapping.iter_mut().for_each(|(_, value)| remove_all(value));
}

/// Returns the directive of a list: the first element with a directive, if that element holds nothing else.
///
/// # Errors
/// [`Error`] if the directive is not one of the three.
pub(crate) fn of_list(items: &[Node]) -> Result<Option<Directive>, Error> {
    let Some(first) = items.iter().find(|item| item.get(KEY).is_some()) else { return Ok(None) };
    if first.as_mapping().is_some_and(|mapping| mapping.len() > 1) {
        return Ok(None);
    }
    of_mapping(first)
}

/// Returns `true` if an element is removed along with the directive of its list: it is empty, or has the same directive.
pub(crate) fn goes_with(item: &Node, directive: Directive) -> bool {
    let is_empty = item.is_null() || item.as_mapping().is_some_and(crate::yaml::Mapping::is_empty);
    is_empty || matches!(of_mapping(item), Ok(Some(found)) if found == directive)
}
