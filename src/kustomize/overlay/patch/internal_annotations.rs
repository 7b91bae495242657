//! The internal annotations that kustomize keeps on objects while it works, as far as they affect patches.

use crate::overlay::model::{Behavior, Resource};
use crate::yaml::{Content, Key, Mapping, Node, Origin, Scalar};

/// A key of `metadata.annotations` that represents all of kustomize's internal annotations.
const INTERNAL: &str = "internal.config.kubernetes.io/previousNames";

/// Clears what was recorded about an object. kustomize loses it together with the annotations.
pub(crate) fn forget(resource: &mut Resource) {
    resource.previous.clear();
    resource.prefixes.clear();
    resource.suffixes.clear();
    resource.needs_hash = false;
    resource.behavior = Behavior::Create;
}

/// Clears the record of where an object comes from, and skips the pending notes of the entries before this one.
pub(crate) fn lose_changes(resource: &mut Resource, entries: usize) {
    resource.made_by = None;
    resource.changed_by.clear();
    resource.skipped_changes = entries;
}

/// Adds annotations to an object where kustomize has internal ones, so that a patch can add to them.
pub(crate) fn add(resource: &mut Resource, remembers: bool) {
    let has_internal = remembers || !resource.previous.is_empty() || resource.needs_hash;
    // No file contains them.
    let origin = Origin::default();
    let metadata = resource.node.get_mut("metadata").and_then(Node::as_mapping_mut);
    let Some(metadata) = metadata.filter(|_| has_internal) else { return };
    let empty = || Node::mapping(Mapping::new(), origin);
    let annotations = metadata.get_or_insert_with(Key::new("annotations", origin), empty);
    if annotations.is_null() {
        *annotations = empty();
    }
    annotations.set(Key::new(INTERNAL, origin), Node::scalar(Scalar::string(""), origin));
}

/// Returns `true` if an object has internal annotations.
pub(crate) fn exist(node: &Node) -> bool {
    let annotations = node.find(&["metadata", "annotations"]).and_then(Node::as_mapping);
    annotations.is_some_and(|annotations| annotations.contains(INTERNAL))
}

/// Removes the internal annotations, and `annotations` if it holds nothing else.
pub(crate) fn remove(node: &mut Node) {
    strip(node);
    let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) else { return };
    if metadata.get("annotations").and_then(Node::as_mapping).is_some_and(Mapping::is_empty) {
        metadata.remove("annotations");
    }
}

/// Removes the internal annotations, wherever the patch copied them to.
fn strip(node: &mut Node) {
    match &mut node.content {
        Content::Scalar(_) => {}
        Content::Sequence(items) => items.iter_mut().for_each(strip),
        Content::Mapping(mapping) => {
            mapping.remove(INTERNAL);
            mapping.iter_mut().for_each(|(_, value)| strip(value));
        }
    }
}
