//! The objects of a repository as they are written, with the places of their values, for questions about where a value comes from.

use std::sync::Arc;

use super::load::objects_at;
use super::settings;
use super::types::Repository;
use crate::reference::target::{Target, references};
use serde_json::Value;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::schema::path::{Path, Step};
use tidegate_kustomize::yaml::{Node, Provenance};
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;

/// An object as it is written: in its own version, without defaults.
#[derive(Debug)]
pub struct Written {
    /// Its identity.
    pub key: ObjectKey,
    /// Its values, each with its origin.
    pub node: Node,
    /// What the origins refer to.
    pub provenance: Arc<Provenance>,
    value: Value,
}

impl Written {
    /// Returns the configurations that a ClusterManagementAddOn or ManagedClusterAddOn refers to, in order, each with the JSON pointer
    /// of the reference.
    pub fn configurations(&self) -> Vec<(ConfigReference, String)> {
        let configuration = |target| match target {
            Target::Configuration(reference) => Some(reference),
            Target::Placement(_) => None,
        };
        let found = references(&self.value).into_iter();
        found.filter_map(|found| Some((configuration(found.target)?, pointer(&found.path)))).collect()
    }

    /// Follows a JSON pointer as far as values are written; returns the last one, and whether the pointer ends there.
    pub fn value(&self, pointer: &str) -> (&Node, bool) {
        let mut node = &self.node;
        for part in pointer.split('/').filter(|part| !part.is_empty()) {
            match node.child(&unescaped(part)) {
                // A value that was never in a file has no line.
                Some(next) if next.origin.line > 0 => node = next,
                _ => return (node, false),
            }
        }
        (node, true)
    }
}

/// Returns a key of a JSON pointer as it is in the object.
fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// Returns the objects of a repository in the order of its files, or as its overlay renders them. What cannot be read is left out;
/// [`load`](super::load()) reports why.
///
/// A non-empty `path` overrides the one in `tidegate.toml`.
pub fn written(tree: &Tree, path: &str) -> Vec<Written> {
    let settings = settings::read(tree, path, &mut Vec::new()).settings;
    let objects = objects_at(tree, &mut Repository { settings, ..Repository::default() });
    let written = objects.into_iter().map(|object| Written {
        key: object.key,
        node: object.node,
        provenance: object.provenance,
        value: object.value,
    });
    written.collect()
}

/// Returns a path as a JSON pointer (RFC 6901).
fn pointer(path: &Path) -> String {
    let step = |step: &Step| match step {
        Step::Member(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
        Step::Item(index) => format!("/{index}"),
    };
    path.0.iter().map(step).collect()
}
