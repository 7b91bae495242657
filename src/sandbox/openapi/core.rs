//! OpenAPI schemas of the core kinds.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use tidegate_api::kubernetes;

/// The name of the schema of `metadata`.
pub(super) const METADATA: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// The core kinds with a known schema: group, kind, and name of the schema.
const KINDS: &[(&str, &str, &str)] = &[
    ("", "Namespace", "io.k8s.api.core.v1.Namespace"),
    ("", "ConfigMap", "io.k8s.api.core.v1.ConfigMap"),
    ("", "Secret", "io.k8s.api.core.v1.Secret"),
    ("", "ServiceAccount", "io.k8s.api.core.v1.ServiceAccount"),
    ("", "Event", "io.k8s.api.core.v1.Event"),
    ("events.k8s.io", "Event", "io.k8s.api.events.v1.Event"),
    ("coordination.k8s.io", "Lease", "io.k8s.api.coordination.v1.Lease"),
    ("rbac.authorization.k8s.io", "Role", "io.k8s.api.rbac.v1.Role"),
    ("rbac.authorization.k8s.io", "RoleBinding", "io.k8s.api.rbac.v1.RoleBinding"),
    ("rbac.authorization.k8s.io", "ClusterRole", "io.k8s.api.rbac.v1.ClusterRole"),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding", "io.k8s.api.rbac.v1.ClusterRoleBinding"),
    ("certificates.k8s.io", "CertificateSigningRequest", "io.k8s.api.certificates.v1.CertificateSigningRequest"),
    ("authentication.k8s.io", "TokenReview", "io.k8s.api.authentication.v1.TokenReview"),
    ("authorization.k8s.io", "SelfSubjectAccessReview", "io.k8s.api.authorization.v1.SelfSubjectAccessReview"),
    (
        "admissionregistration.k8s.io",
        "ValidatingWebhookConfiguration",
        "io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration",
    ),
    (
        "apiextensions.k8s.io",
        "CustomResourceDefinition",
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
    ),
];

/// Collects the schemas that a document needs.
pub(super) struct Core {
    needed: BTreeSet<&'static str>,
}

impl Core {
    /// Starts with the schema of `metadata`.
    pub(super) fn new() -> Self {
        Self { needed: kubernetes::closure(METADATA) }
    }

    /// Adds the schema of a core kind and returns its name; `None` if the kind has no known schema.
    pub(super) fn kind(&mut self, group: &str, kind: &str) -> Option<String> {
        let (_, _, name) = KINDS.iter().find(|(g, k, _)| (*g, *k) == (group, kind))?;
        self.needed.extend(kubernetes::closure(name));
        Some((*name).to_owned())
    }

    /// Returns all added schemas and the schemas that they refer to.
    pub(super) fn schemas(self) -> Map<String, Value> {
        let schema = |name: &str| Some((name.to_owned(), kubernetes::definition(name)?.clone()));
        self.needed.into_iter().filter_map(schema).collect()
    }
}
