//! The ids of objects.

use std::fmt;
use std::sync::{Arc, LazyLock};

use super::scope::is_cluster_scoped;

/// Placeholder for the namespace of cluster-scoped objects.
const NO_NAMESPACE: &str = "_non_namespaceable_";

/// The namespace of objects that do not name one.
const DEFAULT_NAMESPACE: &str = "default";

/// Shared strings for the two namespaces that most objects have.
static NO_NAMESPACE_TEXT: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(NO_NAMESPACE));
static DEFAULT_NAMESPACE_TEXT: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(DEFAULT_NAMESPACE));

/// The id of an object: group and version, kind, namespace and name.
///
/// Two ids of one object are equal only after [`Id::effective`], because a missing namespace and `default` are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id {
    /// Group and version as in `apiVersion`, without a leading `/`.
    pub api_version: Arc<str>,
    /// Its kind.
    pub kind: Arc<str>,
    /// Its namespace; empty if it has none.
    pub namespace: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
}

impl Id {
    /// Returns the group, which is empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// Returns the version.
    pub fn version(&self) -> &str {
        self.api_version.split_once('/').map_or(&*self.api_version, |(_, version)| version)
    }

    /// Returns `true` if its kind is known to be cluster-scoped.
    pub fn is_cluster_scoped(&self) -> bool {
        is_cluster_scoped(&self.api_version, &self.kind)
    }

    /// Returns the effective namespace: `default` if there is none, and a placeholder for all cluster-scoped kinds.
    pub fn effective_namespace(&self) -> &str {
        match &*self.namespace {
            _ if self.is_cluster_scoped() => NO_NAMESPACE,
            "" => DEFAULT_NAMESPACE,
            namespace => namespace,
        }
    }

    /// Returns the id with its effective namespace, for comparisons and lookups.
    #[must_use]
    pub fn effective(&self) -> Self {
        let namespace = match self.effective_namespace() {
            NO_NAMESPACE => Arc::clone(&NO_NAMESPACE_TEXT),
            DEFAULT_NAMESPACE => Arc::clone(&DEFAULT_NAMESPACE_TEXT),
            _ => Arc::clone(&self.namespace),
        };
        Self { namespace, ..self.clone() }
    }

    /// Returns `true` if two ids identify the same object.
    pub fn is_same(&self, other: &Self) -> bool {
        self.name == other.name
            && self.kind == other.kind
            && self.api_version == other.api_version
            && self.effective_namespace() == other.effective_namespace()
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.kind)?;
        if !self.namespace.is_empty() && *self.namespace != *NO_NAMESPACE {
            write!(f, "{}/", self.namespace)?;
        }
        write!(f, "{}", self.name)?;
        if self.api_version.is_empty() { Ok(()) } else { write!(f, " ({})", self.api_version) }
    }
}
