//! ClusterProfile: a cluster as the Kubernetes multicluster group describes it, for tools that do not know OCM.
//!
//! # Source
//! `sigs.k8s.io/cluster-inventory-api`.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::condition::{Condition, Time};
use crate::ocm::field_schema;

/// Represents a cluster and how to reach it.
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
    /// The display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The manager of the cluster; it never changes.
    pub cluster_manager: ClusterManager,
}

/// The manager of a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-kubernetes-validations" = [{"rule": "self == oldSelf", "message": "ClusterManager is immutable"}]))]
pub struct ClusterManager {
    /// Name of the manager.
    pub name: String,
}

/// Observed state of a cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterProfileStatus {
    /// Conditions such as `ControlPlaneHealthy`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::plain_conditions")]
    pub conditions: Vec<Condition>,
    /// Versions of the cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<ProfileVersion>,
    /// Facts about the cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    /// How to reach the cluster; the older name of `accessProviders`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub credential_providers: Vec<AccessProvider>,
    /// How to reach the cluster.
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

/// A fact about a cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Property {
    /// Name of the fact.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Value of the fact.
    #[schemars(length(min = 1, max = 1024))]
    pub value: String,
    /// When it was last observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::plain_time")]
    pub last_observed_time: Option<Time>,
}

/// One way to reach a cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AccessProvider {
    /// Name of the provider.
    pub name: String,
    /// Connection settings of the cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterAccess>,
}

/// Connection settings of a cluster, as in a kubeconfig.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ClusterAccess {
    /// Address of the API server.
    pub server: String,
    /// Name to verify in the server's certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls_server_name: Option<String>,
    /// Whether to skip verification of the server's certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insecure_skip_tls_verify: Option<bool>,
    /// File with the CA certificates of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate_authority: Option<String>,
    /// The CA certificates, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::ca_bundle")]
    pub certificate_authority_data: Option<String>,
    /// URL of the proxy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_url: Option<String>,
    /// Whether to disable compression of responses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disable_compression: Option<bool>,
    /// Data of tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<NamedExtension>,
}

/// Data of one tool in a kubeconfig.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamedExtension {
    /// Name of the extension.
    pub name: String,
    /// The extension.
    #[schemars(schema_with = "field_schema::open_object")]
    pub extension: serde_json::Value,
}
