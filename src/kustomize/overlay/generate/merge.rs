//! Adds generated objects to a resource map: creates, merges or replaces.

use std::collections::HashSet;
use std::sync::Arc;

use crate::overlay::model::resource_map::ResourceMap;
use crate::overlay::model::{Behavior, Resource};
use crate::yaml::{Error, Key, Mapping, Node, Origin, Provenance, Scalar, Style};

/// Adds a generated object according to its behavior.
///
/// # Errors
/// [`Error`] if its behavior does not match the existing objects.
pub(crate) fn absorb(
    resource_map: &mut ResourceMap,
    resource: Resource,
    at: Origin,
    provenance: &Provenance,
) -> Result<(), Error> {
    let id = resource.id();
    let found = resource_map.by_any_id(&id);
    match (found.as_slice(), resource.behavior) {
        ([], Behavior::Create) => resource_map.append(resource, provenance),
        ([], _) => {
            let message =
                format!("there is no {id} to merge with or replace; remove `behavior`, or fix the name and namespace");
            Err(at.error(message))
        }
        ([_], Behavior::Create) => {
            let message =
                format!("{id} already exists; write `behavior: merge` or `behavior: replace`, or use another name");
            Err(at.error(message))
        }
        ([place], _) => {
            resource_map.replace(*place, |old| merged(old, resource));
            Ok(())
        }
        _ => Err(at.error(format!("more than one object is or was called {id}; it is not clear which one is meant"))),
    }
}

/// Returns a generated object with the identity of the object that it replaces, and with that object's data if the two are merged.
fn merged(old: Resource, mut new: Resource) -> Resource {
    let non_string_keys = [old.non_string_keys.as_slice(), &new.non_string_keys].concat();
    for field in ["labels", "annotations"] {
        union(&old.node, &mut new.node, &["metadata", field]);
    }
    if new.behavior == Behavior::Merge {
        union(&old.node, &mut new.node, &["data"]);
        union(&old.node, &mut new.node, &["binaryData"]);
    }
    let metadata = |key: &str| old.node.find(&["metadata", key]).cloned();
    if let Some(members) = new.node.get_mut("metadata").and_then(Node::as_mapping_mut) {
        for key in ["name", "namespace"] {
            match metadata(key).filter(|value| !value.is_null()) {
                Some(value) => {
                    members.insert(Key::new(key, value.origin), value);
                }
                None => {
                    members.remove(key);
                }
            }
        }
    }
    Resource {
        needs_hash: old.needs_hash && new.needs_hash,
        made_by: if new.behavior == Behavior::Merge { old.made_by } else { new.made_by.or(old.made_by) },
        node: new.node,
        shared: HashSet::new(),
        non_string_keys,
        ..old
    }
}

/// Adds the entries of a mapping of the old object to the new one, whose own entries win. All values become strings.
fn union(old: &Node, new: &mut Node, path: &[&str]) {
    let members = |node: &Node| node.find(path).and_then(Node::as_mapping).cloned().unwrap_or_default();
    let mut both = Mapping::new();
    for (key, value) in members(old).into_iter().chain(members(new)) {
        let text = value.as_scalar().map_or_else(|| Arc::from(""), |scalar| Arc::clone(scalar.shared_text()));
        both.insert(key, Node::scalar(Scalar::string(text).styled(Style::Literal), value.origin));
    }
    let Some((last, above)) = path.split_last() else { return };
    let origin = new.origin;
    let Some(parent) = new.find_mut(above).and_then(Node::as_mapping_mut) else { return };
    if both.is_empty() {
        parent.remove(last);
    } else {
        parent.insert(Key::new(*last, origin), Node::mapping(both, origin));
    }
}
