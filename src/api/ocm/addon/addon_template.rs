//! AddOnTemplate: the manifests of one version of an add-on.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ocm::field_schema;
use crate::ocm::work::manifest_work::ManifestWorkSpec;

/// Represents one version of an add-on: the manifests to deploy to each cluster, with `{{VARIABLES}}`, and how its agent registers.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "addon.open-cluster-management.io",
    version = "v1beta1",
    kind = "AddOnTemplate",
    plural = "addontemplates",
    derive = "PartialEq",
    derive = "Default",
    printcolumn = r#"{"name":"ADDON NAME","type":"string","jsonPath":".spec.addonName"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct AddOnTemplateSpec {
    /// Name of the add-on that the template is for.
    pub addon_name: String,
    /// The spec of the ManifestWork to deploy to each cluster.
    pub agent_spec: ManifestWorkSpec,
    /// How the agent registers on the hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration: Option<Vec<TemplateRegistration>>,
}

/// How the agent of a template registers on the hub.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateRegistration {
    /// `KubeClient` or `CustomSigner`.
    #[serde(rename = "type")]
    #[schemars(schema_with = "field_schema::template_registration_type")]
    pub type_: String,
    /// Set for type `KubeClient`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kube_client: Option<TemplateKubeClient>,
    /// Set for type `CustomSigner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_signer: Option<TemplateCustomSigner>,
}

/// Registration with the hub's API server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateKubeClient {
    /// Permissions of the agent on the hub.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hub_permissions: Vec<HubPermission>,
}

/// One permission of an agent on the hub.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HubPermission {
    /// `CurrentCluster`: in the namespace of the cluster. `SingleNamespace`: in one namespace.
    #[serde(rename = "type")]
    #[schemars(schema_with = "field_schema::hub_permission_type")]
    pub type_: String,
    /// Set for type `CurrentCluster`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_cluster: Option<CurrentClusterPermission>,
    /// Set for type `SingleNamespace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single_namespace: Option<SingleNamespacePermission>,
}

/// A ClusterRole, granted in the namespace of the cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentClusterPermission {
    /// Name of the ClusterRole.
    pub cluster_role_name: String,
}

/// A role, granted in one namespace.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SingleNamespacePermission {
    /// The namespace.
    pub namespace: String,
    /// The role.
    #[schemars(extend("x-kubernetes-map-type" = "atomic"))]
    pub role_ref: RoleReference,
}

/// A reference to a Role or ClusterRole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoleReference {
    /// API group of the role.
    pub api_group: String,
    /// `Role` or `ClusterRole`.
    pub kind: String,
    /// Name of the role.
    pub name: String,
}

/// Registration with the add-on's own signer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateCustomSigner {
    /// Name of the signer, as `domain/path`.
    #[schemars(schema_with = "field_schema::signer_name")]
    pub signer_name: String,
    /// The subject of the certificate; replaces the default one as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SignerSubject>,
    /// The Secret with the signing certificate and key.
    #[serde(rename = "signingCA")]
    pub signing_ca: SigningCa,
}

/// The subject of a certificate, as templates spell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SignerSubject {
    /// The user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// The organizational units; the key is singular.
    #[serde(rename = "organizationUnit", skip_serializing_if = "Vec::is_empty")]
    pub organization_units: Vec<String>,
}

/// A Secret with `tls.crt` and `tls.key`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SigningCa {
    /// Name of the Secret.
    pub name: String,
    /// Namespace of the Secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}
