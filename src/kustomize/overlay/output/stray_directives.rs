//! Directives that were not recognized.

use crate::overlay::model::Resource;
use crate::yaml::{Content, Key, Node, Origin};
use tidegate_model::diagnostic::Diagnostic;

/// Prefixes of the keys of directives.
const DIRECTIVES: [&str; 4] = ["$patch", "$setElementOrder", "$deleteFromPrimitiveList", "$retainKeys"];

/// Returns a warning for the first key of an object that looks like a patch directive. The key stays, as in kustomize, and a hub
/// refuses or drops it.
pub(crate) fn stray_directive(resource: &Resource) -> Option<Diagnostic<Origin>> {
    let key = find_directive(&resource.node)?;
    let message = format!(
        "{:?} stays in {} unchanged, because it is not a known directive; correct it, or remove it",
        key.text,
        resource.id()
    );
    Some(key.origin.warning(message))
}

fn find_directive(node: &Node) -> Option<&Key> {
    let is_directive =
        |key: &Key| key.text.starts_with('$') && DIRECTIVES.iter().any(|word| key.text.starts_with(word));
    match &node.content {
        Content::Scalar(_) => None,
        Content::Sequence(items) => items.iter().find_map(find_directive),
        Content::Mapping(mapping) => mapping.iter().find_map(|entry| {
            Some(entry.key()).filter(|key| is_directive(key)).or_else(|| find_directive(&entry.value))
        }),
    }
}
