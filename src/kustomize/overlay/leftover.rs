//! Directives that nothing understood.

use super::resource::Resource;
use crate::yaml::{Content, Fault, Key, Node};

/// How the keys of directives begin.
const DIRECTIVES: [&str; 4] = ["$patch", "$setElementOrder", "$deleteFromPrimitiveList", "$retainKeys"];

/// Returns a doubt for the first key of an object that looks like a directive of a patch: it stays there, as it does in kustomize, and a
/// hub refuses it or drops it.
pub(super) fn leftover(resource: &Resource) -> Option<Fault> {
    let key = look(&resource.node)?;
    let message = format!(
        "{:?} stays in {} as it stands: no directive is known here that is written so; correct it, or remove it",
        key.text,
        resource.id()
    );
    Some(Fault::new(key.origin, message))
}

fn look(node: &Node) -> Option<&Key> {
    let is_directive =
        |key: &Key| key.text.starts_with('$') && DIRECTIVES.iter().any(|word| key.text.starts_with(word));
    match &node.content {
        Content::Scalar(_) => None,
        Content::Sequence(items) => items.iter().find_map(look),
        Content::Mapping(mapping) => mapping
            .iter()
            .find_map(|member| Some(member.key()).filter(|key| is_directive(key)).or_else(|| look(&member.value))),
    }
}
