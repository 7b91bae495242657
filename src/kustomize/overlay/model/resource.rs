//! Resources: objects as they pass through the layers.

use std::collections::HashSet;
use std::sync::Arc;

use super::id::Id;
use crate::yaml::{Key, Mapping, Node, Origin, Scalar};

/// What a generated object does with an existing object that has the same id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Behavior {
    /// No such object may exist.
    #[default]
    Create,
    /// Replaces the existing object.
    Replace,
    /// Merges with the existing object.
    Merge,
}

/// An id that an object had before something changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Previous {
    /// Its kind.
    pub kind: Arc<str>,
    /// Its effective namespace.
    pub namespace: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
}

/// An object as it passes through the layers.
#[derive(Debug, Clone)]
pub struct Resource {
    /// The object.
    pub node: Node,
    /// Its previous ids, oldest first. Group and version are always the current ones.
    pub(crate) previous: Vec<Previous>,
    /// Prefixes added to its name, innermost first.
    pub(crate) prefixes: Vec<Arc<str>>,
    /// Suffixes added to its name, innermost first.
    pub(crate) suffixes: Vec<Arc<str>>,
    /// Whether the hash of its data is appended to its name in the end.
    pub(crate) needs_hash: bool,
    /// What it does with an existing object that has the same id.
    pub(crate) behavior: Behavior,
    /// Whether a chart rendered it. `namespace` does not apply to it, since Helm has set the namespaces.
    pub(crate) is_from_chart: bool,
    /// Origins of values that are shared by several places and change together.
    pub(crate) shared: HashSet<Origin>,
    /// Keys of added values that kustomize writes without quotes, although YAML does not read them as strings.
    pub(crate) non_string_keys: Vec<Key>,
    /// What read or generated it, if `buildMetadata` asks for that.
    pub(crate) made_by: Option<Maker>,
    /// What changed it, oldest first, if `buildMetadata` asks for that.
    pub(crate) changed_by: Vec<Maker>,
    /// Number of upcoming `changed_by` entries to skip, because a later patch removes the annotation that would hold them.
    pub(crate) skipped_changes: usize,
    /// Whether the document of `openapi` says that its kind is cluster-scoped.
    pub(crate) is_cluster_scoped: bool,
    /// The vars that refer to it.
    pub(crate) vars: Vec<Arc<str>>,
}

/// What made or changed an object, as recorded in the annotations of `buildMetadata`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Maker {
    /// The file that it was read from, relative to the directory being built.
    File(Arc<str>),
    /// A generator or transformer.
    Builtin {
        /// The kustomization file.
        configured_in: Arc<str>,
        /// Its kind in kustomize.
        kind: &'static str,
    },
    /// A plugin.
    Plugin {
        /// The file with its configuration.
        configured_in: Arc<str>,
        /// Its kind, name and namespace.
        id: Id,
    },
}

impl Resource {
    /// Creates a resource from an object that was read.
    pub fn new(node: Node) -> Self {
        Self {
            node,
            previous: Vec::new(),
            prefixes: Vec::new(),
            suffixes: Vec::new(),
            needs_hash: false,
            behavior: Behavior::Create,
            is_from_chart: false,
            shared: HashSet::new(),
            non_string_keys: Vec::new(),
            made_by: None,
            changed_by: Vec::new(),
            skipped_changes: 0,
            is_cluster_scoped: false,
            vars: Vec::new(),
        }
    }

    /// Returns group and version as in the object, without a leading `/`; empty if there are none.
    pub(crate) fn api_version(&self) -> Arc<str> {
        let text = text_at(&self.node, &["apiVersion"]);
        match text.strip_prefix('/') {
            Some(version) => Arc::from(version),
            None => text,
        }
    }

    /// Returns the kind.
    pub fn kind(&self) -> Arc<str> {
        text_at(&self.node, &["kind"])
    }

    /// Returns the name.
    pub fn name(&self) -> Arc<str> {
        text_at(&self.node, &["metadata", "name"])
    }

    /// Returns the namespace; empty if there is none.
    pub(crate) fn namespace(&self) -> Arc<str> {
        text_at(&self.node, &["metadata", "namespace"])
    }

    /// Returns its current id.
    pub(crate) fn id(&self) -> Id {
        let id = Id::new(self.api_version(), self.kind(), self.namespace(), self.name());
        Id { has_cluster_scope: self.is_cluster_scoped, ..id }
    }

    /// Returns its previous ids, oldest first.
    pub(crate) fn previous_ids(&self) -> impl Iterator<Item = Id> + '_ {
        let api_version = if self.previous.is_empty() { Arc::default() } else { self.api_version() };
        self.previous.iter().map(move |previous| {
            let (kind, namespace) = (Arc::clone(&previous.kind), Arc::clone(&previous.namespace));
            let id = Id::new(Arc::clone(&api_version), kind, namespace, Arc::clone(&previous.name));
            Id { has_cluster_scope: self.is_cluster_scoped, ..id }
        })
    }

    /// Returns its id from when it was read or generated.
    pub fn original_id(&self) -> Id {
        self.previous_ids().next().unwrap_or_else(|| self.id())
    }

    /// Returns all its ids, the current one last.
    pub(crate) fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.previous_ids().chain(std::iter::once(self.id()))
    }

    /// Records its current id before something changes it.
    pub(crate) fn record_id(&mut self) {
        let id = self.id().effective();
        self.previous.push(Previous { kind: id.kind, namespace: id.namespace, name: id.name });
    }

    /// Returns the annotations of the object itself.
    pub(crate) fn annotations(&self) -> Option<&Mapping> {
        self.node.find(&["metadata", "annotations"])?.as_mapping()
    }

    /// Returns the value of an annotation.
    pub(crate) fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations()?.get(key)?.as_scalar().map(Scalar::text)
    }
}

/// Returns the string of the scalar at a path, empty if it is missing or null.
fn text_at(node: &Node, path: &[&str]) -> Arc<str> {
    let scalar = node.find(path).filter(|node| !node.is_null()).and_then(Node::as_scalar);
    scalar.map_or_else(Arc::default, |scalar| Arc::clone(scalar.shared_text()))
}
