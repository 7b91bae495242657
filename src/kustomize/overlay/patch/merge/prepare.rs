//! Prepares patches for merging, and protects the names that they must not change.

use std::sync::Arc;

use super::directive;
use super::directive::Directive;
use crate::overlay::model::values;
use crate::overlay::patch::Options;
use crate::yaml::{Content, Key, Node, Scalar};

/// Returns a patch without the names that it must not change.
///
/// For patches with a target, kustomize copies the metadata of the patch. Then all values of labels and annotations become strings,
/// including nulls, and empty mappings are left out.
///
/// # Source
/// kustomize `resWrangler.ApplySmPatch` and `Resource.ApplySmPatch`.
pub(crate) fn prepare(patch: &Node, options: Options, is_copied: bool) -> Node {
    let mut patch = patch.clone();
    if is_copied {
        as_texts(&mut patch, "labels");
        remove(&mut patch, &[], "apiVersion");
    }
    if is_copied || options.any() {
        as_texts(&mut patch, "annotations");
    }
    if !options.kind {
        remove(&mut patch, &[], "kind");
    }
    if !options.name {
        remove(&mut patch, &["metadata"], "name");
    }
    remove(&mut patch, &["metadata"], "namespace");
    patch
}

fn remove(node: &mut Node, path: &[&str], key: &str) -> Option<Node> {
    Some(node.find_mut(path)?.as_mapping_mut()?.remove(key)?.value)
}

fn as_texts(patch: &mut Node, field: &str) {
    let Some(value) = patch.find_mut(&["metadata", field]) else { return };
    let is_empty = match &mut value.content {
        Content::Mapping(mapping) => {
            for (_, value) in mapping.iter_mut() {
                let text = value.as_scalar().map_or("", Scalar::text).to_owned();
                value.content = Content::Scalar(Scalar::string(text));
            }
            mapping.is_empty()
        }
        _ => true,
    };
    if is_empty {
        remove(patch, &["metadata"], field);
    }
}

/// Returns `true` if a patch removes all annotations, including kustomize's internal ones.
pub(crate) fn forgets(patch: &Node) -> bool {
    let replaces =
        |node: &Node| matches!(directive::of_mapping(node), Ok(Some(Directive::Delete | Directive::Replace)));
    let metadata = patch.get("metadata");
    let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
    metadata.is_some_and(replaces) || annotations.is_some_and(|node| node.is_null() || replaces(node))
}

/// The kind, name and namespace of an object before it was patched.
#[derive(Debug)]
pub(crate) struct Names {
    kind: Option<Node>,
    name: Option<Node>,
    namespace: Option<Node>,
}

impl Names {
    /// Returns the kind, name and namespace of an object.
    pub(crate) fn of(node: &Node) -> Self {
        let is_some = |value: &&Node| value.as_scalar().is_some_and(|text| !text.text().is_empty()) && !value.is_null();
        Self {
            kind: node.get("kind").cloned(),
            name: node.find(&["metadata", "name"]).cloned(),
            namespace: node.find(&["metadata", "namespace"]).filter(is_some).cloned(),
        }
    }

    /// Restores the names that a patch must not change.
    pub(crate) fn restore(self, node: &mut Node, options: Options) {
        if let Some(kind) = self.kind.filter(|_| !options.kind) {
            put(node, "kind", kind);
        }
        let Some(metadata) = node.get_mut("metadata") else { return };
        if let Some(mut name) = self.name.filter(|_| !options.name) {
            if let Content::Scalar(text) = &mut name.content {
                *text = values::scalar(Arc::clone(text.shared_text()), Some(text));
            }
            put(metadata, "name", name);
        }
        match self.namespace {
            Some(namespace) => put(metadata, "namespace", namespace),
            None => drop(remove(metadata, &[], "namespace")),
        }
    }
}

fn put(node: &mut Node, key: &str, value: Node) {
    let origin = value.origin;
    node.set(Key::new(key, origin), value);
}
