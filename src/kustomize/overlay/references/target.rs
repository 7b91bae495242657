//! Objects that can be referred to by name.

use std::sync::Arc;

use crate::overlay::field_specs::spec::Gvk;
use crate::overlay::model::{Id, Resource};
use crate::yaml::Origin;

/// An object that can be referred to.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) id: Id,
    pub(super) namespace: Arc<str>,
    pub(super) is_cluster_scoped: bool,
    /// Where its name comes from.
    pub(super) named_at: Option<Origin>,
    /// Where its namespace comes from.
    pub(super) placed_at: Option<Origin>,
    /// Its previous ids.
    pub(super) previous: Vec<Id>,
    /// Its original namespace.
    pub(super) original_namespace: Arc<str>,
    prefixes: Vec<Arc<str>>,
    suffixes: Vec<Arc<str>>,
}

impl Target {
    pub(super) fn of(resource: &Resource) -> Self {
        let id = resource.id();
        let original = resource.original_id().effective();
        let origin = |field| resource.node.find(&["metadata", field]).map(|node| node.origin);
        Self {
            named_at: origin("name"),
            placed_at: origin("namespace"),
            namespace: id.effective().namespace,
            is_cluster_scoped: id.is_cluster_scoped(),
            previous: resource.previous_ids().collect(),
            original_namespace: original.namespace,
            prefixes: resource.prefixes.clone(),
            suffixes: resource.suffixes.clone(),
            id,
        }
    }

    /// Returns its id from when it was read or generated.
    pub(super) fn original(&self) -> &Id {
        self.previous.first().unwrap_or(&self.id)
    }

    /// Returns `true` if any of its previous ids is of the given kind.
    pub(super) fn was(&self, kind: &Gvk) -> bool {
        self.previous.iter().any(|id| kind.selects(&id.api_version, &id.kind))
    }
}

/// Returns `true` if the outermost prefixes and suffixes of two objects are the same.
pub(super) fn has_same_affixes(a: &Target, b: &Target, may_be_empty: bool) -> bool {
    let same = |a: &[Arc<str>], b: &[Arc<str>]| match (a, b) {
        ([], []) => true,
        ([], _) | (_, []) => may_be_empty,
        _ => a.iter().rev().zip(b.iter().rev()).all(|(a, b)| a == b),
    };
    same(&a.prefixes, &b.prefixes) && same(&a.suffixes, &b.suffixes)
}
