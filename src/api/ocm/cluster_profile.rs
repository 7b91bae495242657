//! ClusterProfile: a cluster as the Kubernetes multi-cluster group describes it, for tools that know nothing of OCM.
//!
//! # Source
//! `sigs.k8s.io/cluster-inventory-api`.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::condition::{Condition, Time};
use crate::schema::hint;

/// Represents a cluster and how it is reached.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "multicluster.x-k8s.io",
    version = "v1alpha1",
    kind = "ClusterProfile",
    plural = "clusterprofiles",
    namespaced,
    status = "ClusterProfileStatus"
)]
#[serde(rename_all = "camelCase")]
pub struct ClusterProfileSpec {
    /// Name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Who looks after the cluster; it never changes.
    pub cluster_manager: ClusterManager,
}

/// Who looks after a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-kubernetes-validations" = [{"rule": "self == oldSelf", "message": "ClusterManager is immutable"}]))]
pub struct ClusterManager {
    /// Name of the manager.
    pub name: String,
}

/// What is known of a cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterProfileStatus {
    /// Conditions such as `ControlPlaneHealthy`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "hint::plain_conditions")]
    pub conditions: Vec<Condition>,
    /// Versions of the cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<ProfileVersion>,
    /// Facts of the cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    /// How the cluster is reached; the older name of `accessProviders`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub credential_providers: Vec<AccessProvider>,
    /// How the cluster is reached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub access_providers: Vec<AccessProvider>,
}

/// Versions of a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ProfileVersion {
    /// Version of Kubernetes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kubernetes: Option<String>,
}

/// A fact of a cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Property {
    /// Name of the fact.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Value of the fact.
    #[schemars(length(min = 1, max = 1024))]
    pub value: String,
    /// When it was last seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "hint::plain_time")]
    pub last_observed_time: Option<Time>,
}

/// One way to reach a cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AccessProvider {
    /// Name of the provider.
    pub name: String,
    /// Where the cluster is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterAccess>,
}

/// Where a cluster is, as a kubeconfig says it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ClusterAccess {
    /// Address of the API server.
    pub server: String,
    /// Name that the server's certificate is checked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls_server_name: Option<String>,
    /// Whether the server's certificate is not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insecure_skip_tls_verify: Option<bool>,
    /// File with the certificates that sign the server's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate_authority: Option<String>,
    /// The certificates themselves, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "hint::ca_bundle")]
    pub certificate_authority_data: Option<String>,
    /// Proxy on the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_url: Option<String>,
    /// Whether answers are not compressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disable_compression: Option<bool>,
    /// What tools keep here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<NamedExtension>,
}

/// What one tool keeps in a kubeconfig.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamedExtension {
    /// Name of the extension.
    pub name: String,
    /// The extension.
    #[schemars(schema_with = "hint::open_object")]
    pub extension: serde_json::Value,
}
