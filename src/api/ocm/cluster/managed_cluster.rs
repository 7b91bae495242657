//! ManagedCluster: a cluster of the fleet, as the hub knows it.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::condition::{Condition, Time};
use crate::kubernetes;
use crate::ocm::field_schema;

/// Represents a cluster of the fleet. Its namespace on the hub has the same name.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "cluster.open-cluster-management.io",
    version = "v1",
    kind = "ManagedCluster",
    plural = "managedclusters",
    shortname = "mcl",
    shortname = "mcls",
    status = "ManagedClusterStatus",
    derive = "PartialEq",
    derive = "Default",
    printcolumn = r#"{"name":"Hub Accepted","type":"boolean","jsonPath":".spec.hubAcceptsClient"}"#,
    printcolumn = r#"{"name":"Managed Cluster URLs","type":"string","jsonPath":".spec.managedClusterClientConfigs[*].url"}"#,
    printcolumn = r#"{"name":"Joined","type":"string","jsonPath":".status.conditions[?(@.type==\"ManagedClusterJoined\")].status"}"#,
    printcolumn = r#"{"name":"Available","type":"string","jsonPath":".status.conditions[?(@.type==\"ManagedClusterConditionAvailable\")].status"}"#,
    printcolumn = r#"{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}"#
)]
#[serde(rename_all = "camelCase", default)]
pub struct ManagedClusterSpec {
    /// How the hub reaches the cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub managed_cluster_client_configs: Vec<ClientConfig>,
    /// Whether the hub has accepted the cluster.
    #[schemars(schema_with = "field_schema::plain_bool")]
    pub hub_accepts_client: bool,
    /// How often the cluster renews its lease. Default 60.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::lease_duration")]
    pub lease_duration_seconds: Option<i32>,
    /// Taints that repel placements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taints: Vec<Taint>,
}

/// How the hub reaches a cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientConfig {
    /// URL of the cluster's API server.
    pub url: String,
    /// Certificates of the cluster's API server, as PEM in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::ca_bundle")]
    pub ca_bundle: Option<String>,
}

/// A mark that repels placements that do not tolerate it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Taint {
    /// Key of the taint.
    #[schemars(schema_with = "field_schema::label_key")]
    pub key: String,
    /// Value of the taint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub value: Option<String>,
    /// `NoSelect`, `PreferNoSelect` or `NoSelectIfNew`.
    #[schemars(schema_with = "field_schema::taint_effect")]
    pub effect: String,
    /// When the taint was added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::nullable_time")]
    pub time_added: Option<Time>,
}

/// Status reported by the cluster and the hub.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ManagedClusterStatus {
    /// Conditions such as `ManagedClusterConditionAvailable`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::conditions")]
    pub conditions: Vec<Condition>,
    /// Total resources of the cluster.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, kubernetes::Quantity>")]
    pub capacity: BTreeMap<String, Quantity>,
    /// Allocatable resources of the cluster.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, kubernetes::Quantity>")]
    pub allocatable: BTreeMap<String, Quantity>,
    /// Versions of the cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<ClusterVersion>,
    /// Facts that the cluster claims.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cluster_claims: Vec<ClusterClaim>,
    /// Namespaces that cluster sets request on the cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["clusterSet", "name"]))]
    pub managed_namespaces: Vec<ClusterSetManagedNamespace>,
}

/// Versions of a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterVersion {
    /// Version of Kubernetes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kubernetes: Option<String>,
}

/// A fact that a cluster claims.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterClaim {
    /// Name of the claim.
    #[schemars(schema_with = "field_schema::claim_name")]
    pub name: String,
    /// Value of the claim.
    #[schemars(schema_with = "field_schema::claim_value")]
    pub value: String,
}

/// A namespace that a cluster set requests on the cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterSetManagedNamespace {
    /// The cluster set.
    pub cluster_set: String,
    /// The namespace.
    #[schemars(schema_with = "field_schema::dns_label")]
    pub name: String,
    /// Condition `NamespaceAvailable`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::conditions")]
    pub conditions: Vec<Condition>,
}
