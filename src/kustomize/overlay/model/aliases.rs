//! Values that change together.
//!
//! A value that `labels` or `commonAnnotations` adds to an object is shared by several places. A later layer that overwrites it
//! in one place overwrites it in all of them: an overlay that changes only the labels of a Service also changes its selector.
//!
//! # Source
//! kustomize `filtersutil.SetEntry`, which puts one node into the tree several times.

use std::collections::HashMap;

use super::resource::Resource;
use crate::yaml::{Content, Mapping, Node, Origin, Provenance, Step};

impl Resource {
    /// Copies values that were overwritten in one of their places to all other places.
    pub(crate) fn share(&mut self, renewed: &HashMap<Origin, Node>) {
        if renewed.is_empty() {
            return;
        }
        replace(&mut self.node, renewed);
        self.shared.extend(renewed.values().map(|new| new.origin));
    }

    /// Separates the annotations of the object itself from those of its templates, as kustomize does when it writes an annotation
    /// of its own.
    pub(crate) fn unshare_annotations(&mut self, provenance: &mut Provenance) {
        if self.shared.is_empty() {
            return;
        }
        let annotations = self.node.find_mut(&["metadata", "annotations"]).and_then(Node::as_mapping_mut);
        for (_, value) in annotations.into_iter().flat_map(Mapping::iter_mut) {
            let step = value.origin.step().filter(|_| self.shared.contains(&value.origin));
            if let Some(step) = step.and_then(|id| provenance.step(id)).cloned() {
                value.origin = value.origin.by(provenance.add_step(step));
            }
        }
    }

    /// Shares all values that entries of the given fields overwrote.
    pub(crate) fn share_changes(&mut self, provenance: &Provenance, is_field: &dyn Fn(&str) -> bool) {
        if self.shared.is_empty() {
            return;
        }
        let mut renewed = HashMap::new();
        let before = |step: &Step| step.before.filter(|_| is_field(&step.field));
        changed(&self.node, &mut |node| {
            let old = node.origin.step().and_then(|id| provenance.step(id)).and_then(before);
            if let Some(old) = old.filter(|old| self.shared.contains(old)) {
                renewed.insert(old, node.clone());
            }
        });
        self.share(&renewed);
    }
}

fn replace(node: &mut Node, renewed: &HashMap<Origin, Node>) {
    match &mut node.content {
        Content::Scalar(_) => {
            if let Some(new) = renewed.get(&node.origin) {
                *node = new.clone();
            }
        }
        Content::Sequence(items) => items.iter_mut().for_each(|item| replace(item, renewed)),
        Content::Mapping(mapping) => mapping.iter_mut().for_each(|(_, value)| replace(value, renewed)),
    }
}

fn changed(node: &Node, see: &mut dyn FnMut(&Node)) {
    match &node.content {
        Content::Scalar(_) => see(node),
        Content::Sequence(items) => items.iter().for_each(|item| changed(item, see)),
        Content::Mapping(mapping) => mapping.iter().for_each(|entry| changed(&entry.value, see)),
    }
}
