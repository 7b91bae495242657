//! Schemas of the core kinds, from the types of the Kubernetes API.

use k8s_openapi::api::{
    admissionregistration::v1 as admission, authentication::v1 as authentication, authorization::v1 as authorization,
};
use k8s_openapi::api::{certificates::v1 as certificates, coordination::v1 as coordination, core::v1 as core};
use k8s_openapi::api::{events::v1 as events, rbac::v1 as rbac};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as extensions;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

/// The name of the schema of all metadata.
pub(super) const METADATA: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// Collects the schemas that a document needs.
pub(super) struct Core {
    generator: SchemaGenerator,
}

impl Core {
    /// Begins with the schema of all metadata.
    pub(super) fn new() -> Self {
        let mut core = Self { generator: SchemaSettings::openapi3().into_generator() };
        core.needs::<meta::ObjectMeta>();
        core
    }

    fn needs<T: JsonSchema>(&mut self) -> String {
        self.generator.subschema_for::<T>();
        T::schema_name().into_owned()
    }

    /// Adds the schema of a core kind and returns its name; `None` for a kind whose type is not known.
    pub(super) fn kind(&mut self, group: &str, kind: &str) -> Option<String> {
        Some(match (group, kind) {
            ("", "Namespace") => self.needs::<core::Namespace>(),
            ("", "ConfigMap") => self.needs::<core::ConfigMap>(),
            ("", "Secret") => self.needs::<core::Secret>(),
            ("", "ServiceAccount") => self.needs::<core::ServiceAccount>(),
            ("", "Event") => self.needs::<core::Event>(),
            ("events.k8s.io", "Event") => self.needs::<events::Event>(),
            ("coordination.k8s.io", "Lease") => self.needs::<coordination::Lease>(),
            ("rbac.authorization.k8s.io", "Role") => self.needs::<rbac::Role>(),
            ("rbac.authorization.k8s.io", "RoleBinding") => self.needs::<rbac::RoleBinding>(),
            ("rbac.authorization.k8s.io", "ClusterRole") => self.needs::<rbac::ClusterRole>(),
            ("rbac.authorization.k8s.io", "ClusterRoleBinding") => self.needs::<rbac::ClusterRoleBinding>(),
            ("certificates.k8s.io", "CertificateSigningRequest") => {
                self.needs::<certificates::CertificateSigningRequest>()
            }
            ("authentication.k8s.io", "TokenReview") => self.needs::<authentication::TokenReview>(),
            ("authorization.k8s.io", "SelfSubjectAccessReview") => {
                self.needs::<authorization::SelfSubjectAccessReview>()
            }
            ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration") => {
                self.needs::<admission::ValidatingWebhookConfiguration>()
            }
            ("apiextensions.k8s.io", "CustomResourceDefinition") => {
                self.needs::<extensions::CustomResourceDefinition>()
            }
            _ => return None,
        })
    }

    /// Returns all schemas that were added, with those that they refer to.
    pub(super) fn schemas(mut self) -> Map<String, Value> {
        self.generator.take_definitions(true)
    }
}
