//! The declaration of a var.

use std::sync::Arc;

use crate::overlay::input::Text;
use crate::overlay::model::Id;
use crate::yaml::Origin;

/// A var: a name for the value of a field of an object.
#[derive(Debug, Clone)]
pub(crate) struct Var {
    pub(crate) name: Arc<str>,
    /// Where its entry is.
    pub(crate) origin: Origin,
    pub(crate) target: VarTarget,
    /// The path of the field.
    pub(crate) path: Text,
}

/// The object of a var.
#[derive(Debug, Clone)]
pub(crate) struct VarTarget {
    pub(crate) origin: Origin,
    pub(crate) group: Arc<str>,
    pub(crate) version: Arc<str>,
    pub(crate) kind: Arc<str>,
    pub(crate) name: Arc<str>,
    /// Objects in all namespaces match if it is empty.
    pub(crate) namespace: Arc<str>,
}

impl VarTarget {
    /// Returns `true` if an id is that of the object. Group and version must be equal, too: without a version, no object of the
    /// core group matches.
    ///
    /// # Source
    /// kustomize `ResAccumulator.MergeVars`, `ResId.GvknEquals`.
    pub(crate) fn matches(&self, id: &Id) -> bool {
        *self.kind == *id.kind
            && *self.name == *id.name
            && *self.group == *id.group()
            && *self.version == *id.version()
            && (self.namespace.is_empty() || *self.namespace == *id.effective_namespace())
    }
}

impl std::fmt::Display for VarTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let api_version = match (&*self.group, &*self.version) {
            ("", version) => version.to_owned(),
            (group, version) => format!("{group}/{version}"),
        };
        let (namespace, name) = (Arc::clone(&self.namespace), Arc::clone(&self.name));
        Id::new(api_version.into(), Arc::clone(&self.kind), namespace, name).fmt(f)
    }
}
