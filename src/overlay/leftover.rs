//! Directives that nothing understood.

use super::resource::Resource;
use crate::yaml::{Content, Fault, Node};

/// How the keys of directives begin.
const DIRECTIVES: [&str; 4] = ["$patch", "$setElementOrder", "$deleteFromPrimitiveList", "$retainKeys"];

/// Returns a doubt for each key of an object that looks like a directive of a patch: it stays there, as it does in kustomize, and a
/// hub refuses it or drops it.
pub(super) fn leftovers(resource: &Resource) -> Vec<Fault> {
    let mut found = Vec::new();
    look(&resource.node, &mut |key, origin| {
        let message = format!(
            "{key:?} stays in {} as it stands: no directive is known here that is written so; correct it, or remove it",
            resource.id()
        );
        found.push(Fault::new(origin, message));
    });
    found
}

fn look(node: &Node, found: &mut dyn FnMut(&str, crate::yaml::Origin)) {
    match &node.content {
        Content::Scalar(_) => {}
        Content::Sequence(items) => items.iter().for_each(|item| look(item, found)),
        Content::Mapping(mapping) => {
            for member in mapping.iter() {
                let key = &*member.key().text;
                if key.starts_with('$') && DIRECTIVES.iter().any(|directive| key.starts_with(directive)) {
                    found(key, member.key().origin);
                }
                look(&member.value, found);
            }
        }
    }
}
