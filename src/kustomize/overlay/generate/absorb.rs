//! Generated objects among those that are there: created, merged or replaced.

use std::collections::HashSet;
use std::sync::Arc;

use crate::overlay::pool::Pool;
use crate::overlay::resource::{Behavior, Resource};
use crate::yaml::{Fault, Key, Mapping, Node, Origin, Provenance, Scalar, Style};

/// Takes a generated object in.
///
/// # Errors
/// [`Fault`] if its behavior does not fit what is there.
pub(in crate::overlay) fn absorb(
    pool: &mut Pool,
    resource: Resource,
    at: Origin,
    provenance: &Provenance,
) -> Result<(), Fault> {
    let id = resource.id();
    let found = pool.by_any_id(&id);
    match (found.as_slice(), resource.behavior) {
        ([], Behavior::Create) => pool.append(resource, provenance),
        ([], _) => {
            let message =
                format!("there is no {id} to merge with or to replace; remove `behavior`, or fix name and namespace");
            Err(Fault::new(at, message))
        }
        ([_], Behavior::Create) => {
            let message =
                format!("there is a {id} already; say `behavior: merge` or `behavior: replace`, or take another name");
            Err(Fault::new(at, message))
        }
        ([place], _) => {
            pool.replace(*place, |old| merged(old, resource));
            Ok(())
        }
        _ => Err(Fault::new(
            at,
            format!("more than one object is or was called {id}; it is not clear which one is meant"),
        )),
    }
}

/// Returns a generated object with the identity of the one whose place it takes, and with its data if they merge.
fn merged(old: Resource, mut new: Resource) -> Resource {
    let odd_keys = [old.odd_keys.as_slice(), &new.odd_keys].concat();
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
        odd_keys,
        ..old
    }
}

/// Puts the members of a mapping below those of another one, all as texts.
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
