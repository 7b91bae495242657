//! What kustomize notes in the annotations of an object while it works, as far as patches can tell.

use crate::overlay::resource::{Behavior, Resource};
use crate::yaml::{Content, Key, Mapping, Node, Origin, Scalar};

/// A member of `metadata.annotations` that stands for those with which kustomize keeps its own books.
const BOOKS: &str = "internal.config.kubernetes.io/previousNames";

/// Loses what was noted about an object, as kustomize does with all annotations.
pub(super) fn forget(resource: &mut Resource) {
    resource.previous.clear();
    resource.prefixes.clear();
    resource.suffixes.clear();
    resource.needs_hash = false;
    resource.behavior = Behavior::Create;
}

/// Loses what tells where an object comes from, and what is to be noted of the entries before this one.
pub(super) fn lose_notes(resource: &mut Resource, entries: usize) {
    resource.made_by = None;
    resource.changed_by.clear();
    resource.lost_notes = entries;
}

/// Gives an object annotations where kustomize keeps notes in them, so that a patch can add to them.
pub(super) fn keep(resource: &mut Resource, remembers: bool) {
    let has_books = remembers || !resource.previous.is_empty() || resource.needs_hash;
    // Nobody has written them anywhere.
    let origin = Origin::default();
    let metadata = resource.node.get_mut("metadata").and_then(Node::as_mapping_mut);
    let Some(metadata) = metadata.filter(|_| has_books) else { return };
    let empty = || Node::mapping(Mapping::new(), origin);
    let annotations = metadata.get_or_insert_with(Key::new("annotations", origin), empty);
    if annotations.is_null() {
        *annotations = empty();
    }
    annotations.set(Key::new(BOOKS, origin), Node::scalar(Scalar::string(""), origin));
}

/// Returns `true` if an object has such notes.
pub(super) fn has(node: &Node) -> bool {
    let annotations = node.find(&["metadata", "annotations"]).and_then(Node::as_mapping);
    annotations.is_some_and(|annotations| annotations.contains(BOOKS))
}

/// Takes the notes out, and annotations that hold nothing else.
pub(super) fn drop(node: &mut Node) {
    strip(node);
    let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) else { return };
    if metadata.get("annotations").and_then(Node::as_mapping).is_some_and(Mapping::is_empty) {
        metadata.remove("annotations");
    }
}

/// Takes the books out, wherever the patch copied them to.
fn strip(node: &mut Node) {
    match &mut node.content {
        Content::Scalar(_) => {}
        Content::Sequence(items) => items.iter_mut().for_each(strip),
        Content::Mapping(mapping) => {
            mapping.remove(BOOKS);
            mapping.iter_mut().for_each(|(_, value)| strip(value));
        }
    }
}
