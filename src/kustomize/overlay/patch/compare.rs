//! Describes and compares nodes.

use crate::yaml::{Content, Error, Node};

/// Refuses a patch whose type (mapping, list or single value) differs from that of the object.
///
/// # Errors
/// [`Error`]
pub(crate) fn check_kinds(dest: &Node, patch: &Node) -> Result<(), Error> {
    if std::mem::discriminant(&dest.content) == std::mem::discriminant(&patch.content) {
        return Ok(());
    }
    let message = format!(
        "the patch has {} here, but the object has {}; give {}, or first remove the field with null in a separate patch",
        describe(patch),
        describe(dest),
        describe(dest)
    );
    Err(patch.origin.error(message))
}

/// Returns a description of the type of a node.
pub(crate) fn describe(node: &Node) -> &'static str {
    match &node.content {
        Content::Scalar(_) => "a single value",
        Content::Sequence(_) => "a list",
        Content::Mapping(_) => "a mapping",
    }
}

/// Returns `true` if two trees hold the same values, regardless of their origins.
pub(crate) fn is_same(a: &Node, b: &Node) -> bool {
    match (&a.content, &b.content) {
        (Content::Scalar(a), Content::Scalar(b)) => a.kind() == b.kind() && a.text() == b.text(),
        (Content::Sequence(a), Content::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Content::Mapping(a), Content::Mapping(b)) => {
            a.len() == b.len()
                && a.iter().all(|entry| b.get(&entry.key().text).is_some_and(|b| is_same(&entry.value, b)))
        }
        _ => false,
    }
}
