//! The ids of objects.

use std::fmt;
use std::sync::{Arc, LazyLock};

/// Placeholder for the namespace of cluster-scoped objects.
const NO_NAMESPACE: &str = "_non_namespaceable_";

/// The namespace of objects that do not name one.
const DEFAULT_NAMESPACE: &str = "default";

/// Shared strings for the two namespaces that most objects have.
static NO_NAMESPACE_TEXT: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(NO_NAMESPACE));
static DEFAULT_NAMESPACE_TEXT: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(DEFAULT_NAMESPACE));

/// The id of an object: group and version, kind, namespace and name.
///
/// Two ids of one object may differ, because a missing namespace and `default` are the same: compare them with [`Id::is_same`].
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
    /// Whether the document of `openapi` says that its kind is cluster-scoped.
    pub(crate) has_cluster_scope: bool,
}

impl Id {
    /// Creates an id.
    pub(crate) fn new(api_version: Arc<str>, kind: Arc<str>, namespace: Arc<str>, name: Arc<str>) -> Self {
        Self { api_version, kind, namespace, name, has_cluster_scope: false }
    }

    /// Returns the group, which is empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// Returns the version.
    pub fn version(&self) -> &str {
        self.api_version.split_once('/').map_or(&*self.api_version, |(_, version)| version)
    }

    /// Returns `true` if its kind is known to be cluster-scoped.
    pub(crate) fn is_cluster_scoped(&self) -> bool {
        self.has_cluster_scope || is_cluster_scoped(&self.api_version, &self.kind)
    }

    /// Returns the effective namespace: `default` if the object has no namespace, and a placeholder for all cluster-scoped kinds.
    pub(crate) fn effective_namespace(&self) -> &str {
        match &*self.namespace {
            _ if self.is_cluster_scoped() => NO_NAMESPACE,
            "" => DEFAULT_NAMESPACE,
            namespace => namespace,
        }
    }

    /// Returns the id with its effective namespace, for comparisons and lookups.
    #[must_use]
    pub(crate) fn effective(&self) -> Self {
        let namespace = match self.effective_namespace() {
            NO_NAMESPACE => Arc::clone(&NO_NAMESPACE_TEXT),
            DEFAULT_NAMESPACE => Arc::clone(&DEFAULT_NAMESPACE_TEXT),
            _ => Arc::clone(&self.namespace),
        };
        // The placeholder says the same, and ids are compared as a whole.
        Self { namespace, has_cluster_scope: false, ..self.clone() }
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

/// Returns `true` if a kind is known to be cluster-scoped. All other kinds, including custom ones, count as namespaced.
///
/// # Source
/// kustomize's precomputed table of scopes: Kubernetes 1.21.
fn is_cluster_scoped(api_version: &str, kind: &str) -> bool {
    match api_version {
        "v1" => matches!(kind, "ComponentStatus" | "Namespace" | "Node" | "NodeProxyOptions" | "PersistentVolume"),
        "admissionregistration.k8s.io/v1" | "admissionregistration.k8s.io/v1beta1" => {
            matches!(kind, "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration")
        }
        "apiextensions.k8s.io/v1" | "apiextensions.k8s.io/v1beta1" => kind == "CustomResourceDefinition",
        "apiregistration.k8s.io/v1" | "apiregistration.k8s.io/v1beta1" => kind == "APIService",
        "certificates.k8s.io/v1" | "certificates.k8s.io/v1beta1" => kind == "CertificateSigningRequest",
        "flowcontrol.apiserver.k8s.io/v1beta1" => matches!(kind, "FlowSchema" | "PriorityLevelConfiguration"),
        "networking.k8s.io/v1" | "networking.k8s.io/v1beta1" => kind == "IngressClass",
        "node.k8s.io/v1" | "node.k8s.io/v1beta1" => kind == "RuntimeClass",
        "policy/v1beta1" => kind == "PodSecurityPolicy",
        "rbac.authorization.k8s.io/v1" | "rbac.authorization.k8s.io/v1beta1" => {
            matches!(kind, "ClusterRole" | "ClusterRoleBinding")
        }
        "scheduling.k8s.io/v1" | "scheduling.k8s.io/v1beta1" => kind == "PriorityClass",
        "storage.k8s.io/v1" | "storage.k8s.io/v1beta1" => {
            matches!(kind, "CSIDriver" | "CSINode" | "StorageClass" | "VolumeAttachment")
        }
        _ => false,
    }
}
