//! What nodes are, and whether two are alike.

use crate::yaml::{Content, Fault, Node};

/// Refuses a patch that is a mapping, a list or a single value where the object has another one of them.
///
/// # Errors
/// [`Fault`]
pub(super) fn check_kinds(dest: &Node, patch: &Node) -> Result<(), Fault> {
    if std::mem::discriminant(&dest.content) == std::mem::discriminant(&patch.content) {
        return Ok(());
    }
    let message = format!(
        "the patch has {} here, and the object has {}; give {} or remove the field with null in a patch of its own first",
        describe(patch),
        describe(dest),
        describe(dest)
    );
    Err(Fault::new(patch.origin, message))
}

/// Returns what a node is.
pub(in crate::overlay) fn describe(node: &Node) -> &'static str {
    match &node.content {
        Content::Scalar(_) => "a single value",
        Content::Sequence(_) => "a list",
        Content::Mapping(_) => "a mapping",
    }
}

/// Returns `true` if two trees hold the same, wherever it stands.
pub(in crate::overlay) fn is_same(a: &Node, b: &Node) -> bool {
    match (&a.content, &b.content) {
        (Content::Scalar(a), Content::Scalar(b)) => a.kind() == b.kind() && a.text() == b.text(),
        (Content::Sequence(a), Content::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Content::Mapping(a), Content::Mapping(b)) => {
            a.len() == b.len()
                && a.iter().all(|member| b.get(&member.key().text).is_some_and(|b| is_same(&member.value, b)))
        }
        _ => false,
    }
}
