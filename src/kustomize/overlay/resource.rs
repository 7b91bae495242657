//! Objects on their way through the layers.

use std::collections::HashSet;
use std::sync::Arc;

use super::id::Id;
use crate::yaml::{Key, Mapping, Node, Origin, Scalar};

/// What a generated object does with one of its id that is there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Behavior {
    /// There must be none.
    #[default]
    Create,
    /// It takes its place.
    Replace,
    /// Both become one.
    Merge,
}

/// What an object was called before something changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Previous {
    /// Its kind.
    pub kind: Arc<str>,
    /// The namespace that counted.
    pub namespace: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
}

/// An object on its way through the layers.
#[derive(Debug, Clone)]
pub struct Resource {
    /// The object.
    pub node: Node,
    /// What it was called before, the first name first. Group and version are always the present ones.
    pub previous: Vec<Previous>,
    /// Prefixes that it got, the innermost first.
    pub prefixes: Vec<Arc<str>>,
    /// Suffixes that it got, the innermost first.
    pub suffixes: Vec<Arc<str>>,
    /// Its name gets the hash of its data in the end.
    pub needs_hash: bool,
    /// What it does with one of its id that is there already.
    pub behavior: Behavior,
    /// Origins of values that stand in several places, and change together.
    pub shared: HashSet<Origin>,
    /// Keys of values that were added and that kustomize writes without quotes, although YAML takes them for something else than text.
    pub odd_keys: Vec<Key>,
    /// What read or generated it, if the build metadata are to tell.
    pub made_by: Option<Maker>,
    /// What changed it, if the build metadata are to tell; the first change first.
    pub changed_by: Vec<Maker>,
    /// So many of the next notes of what changed it are not taken: a patch behind them took away where they stood.
    pub lost_notes: usize,
}

/// What made or changed an object, as the annotations of `buildMetadata` tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Maker {
    /// The file that it was read from, as written from the directory that is built.
    File(Arc<str>),
    /// A generator or transformer.
    Builtin {
        /// The kustomization file.
        configured_in: Arc<str>,
        /// Its kind in kustomize.
        kind: &'static str,
    },
}

impl Resource {
    /// Makes a resource of an object that was read.
    pub fn new(node: Node) -> Self {
        Self {
            node,
            previous: Vec::new(),
            prefixes: Vec::new(),
            suffixes: Vec::new(),
            needs_hash: false,
            behavior: Behavior::Create,
            shared: HashSet::new(),
            odd_keys: Vec::new(),
            made_by: None,
            changed_by: Vec::new(),
            lost_notes: 0,
        }
    }

    /// Returns group and version as they stand in the object, without a leading `/`; empty if there are none.
    pub fn api_version(&self) -> Arc<str> {
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
    pub fn namespace(&self) -> Arc<str> {
        text_at(&self.node, &["metadata", "namespace"])
    }

    /// Returns what it is called.
    pub fn id(&self) -> Id {
        Id { api_version: self.api_version(), kind: self.kind(), namespace: self.namespace(), name: self.name() }
    }

    /// Returns what it was called before, the first id first.
    pub fn previous_ids(&self) -> impl Iterator<Item = Id> + '_ {
        let api_version = if self.previous.is_empty() { Arc::default() } else { self.api_version() };
        self.previous.iter().map(move |previous| Id {
            api_version: Arc::clone(&api_version),
            kind: Arc::clone(&previous.kind),
            namespace: Arc::clone(&previous.namespace),
            name: Arc::clone(&previous.name),
        })
    }

    /// Returns what it was called when it was read or generated.
    pub fn original_id(&self) -> Id {
        self.previous_ids().next().unwrap_or_else(|| self.id())
    }

    /// Returns all that it was and is called, the present id last.
    pub fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.previous_ids().chain(std::iter::once(self.id()))
    }

    /// Keeps what it is called at this moment, before something changes it.
    pub fn remember(&mut self) {
        let id = self.id().effective();
        self.previous.push(Previous { kind: id.kind, namespace: id.namespace, name: id.name });
    }

    /// Returns the labels of the object itself.
    pub fn labels(&self) -> Option<&Mapping> {
        self.node.find(&["metadata", "labels"])?.as_mapping()
    }

    /// Returns the annotations of the object itself.
    pub fn annotations(&self) -> Option<&Mapping> {
        self.node.find(&["metadata", "annotations"])?.as_mapping()
    }

    /// Returns the text of an annotation.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations()?.get(key)?.as_scalar().map(Scalar::text)
    }

    /// Sets a member of `metadata` to a text. Where nothing changes, the value keeps its origin.
    pub fn set_metadata(&mut self, key: &str, text: &Arc<str>) {
        let origin = self.node.origin;
        let Some(root) = self.node.as_mapping_mut() else { return };
        let metadata = root.get_or_insert_with(Key::new("metadata", origin), || Node::mapping(Mapping::new(), origin));
        let Some(metadata) = metadata.as_mapping_mut() else { return };
        let is_same = metadata.get(key).and_then(Node::as_scalar).is_some_and(|old| old.text() == &**text);
        if !is_same {
            let at = metadata.get(key).map_or(origin, |old| old.origin);
            metadata.insert(Key::new(key, at), Node::scalar(Scalar::string(Arc::clone(text)), at));
        }
    }
}

/// Returns the text of the scalar at a path; empty if there is none or it is null.
fn text_at(node: &Node, path: &[&str]) -> Arc<str> {
    let scalar = node.find(path).filter(|node| !node.is_null()).and_then(Node::as_scalar);
    scalar.map_or_else(Arc::default, |scalar| Arc::clone(scalar.shared_text()))
}
