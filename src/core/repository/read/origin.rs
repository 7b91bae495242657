//! Finds the origins of the values and keys of an object.

use tidegate_api::schema::path::{Path, Step};
use tidegate_kustomize::yaml::{Node, Origin};

/// Returns the origin of the value at a path, or of the nearest value around it.
pub(crate) fn value_origin(node: &Node, path: &Path) -> Origin {
    walk(node, path).1
}

/// Returns the origin of the key at the end of a path, or of the nearest key around it. The key of a list item is the item.
pub(crate) fn key_origin(node: &Node, path: &Path) -> Origin {
    walk(node, path).0
}

/// Returns an origin, or the one around it for a value that was never in a file.
pub(crate) fn known(origin: Origin, around: Origin) -> Origin {
    if origin.line == 0 { around } else { origin }
}

/// Follows a path as far as nodes exist; returns the origins of the last key and of its value.
fn walk(node: &Node, path: &Path) -> (Origin, Origin) {
    let (mut key, mut value) = (node.origin, node.origin);
    let mut at = node;
    for step in &path.0 {
        let next = match step {
            Step::Member(name) => {
                at.as_mapping().and_then(|entries| entries.entry(name)).map(|entry| (entry.key().origin, &entry.value))
            }
            Step::Item(index) => at.as_sequence().and_then(|items| items.get(*index)).map(|item| (item.origin, item)),
        };
        let Some((origin, next)) = next else { break };
        key = known(origin, value);
        value = known(next.origin, key);
        at = next;
    }
    (key, value)
}
