//! AppliedManifestWork: what the agent of a cluster has applied for one ManifestWork. It lives on the cluster; a hub serves it for
//! the cluster that it is itself.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::condition::Time;
use crate::schema::hint;

/// Represents what is applied for one ManifestWork of one hub.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "work.open-cluster-management.io",
    version = "v1",
    kind = "AppliedManifestWork",
    plural = "appliedmanifestworks",
    status = "AppliedManifestWorkStatus"
)]
#[serde(rename_all = "camelCase")]
pub struct AppliedManifestWorkSpec {
    /// Hash of the hub's address.
    pub hub_hash: String,
    /// The agent that applies the work.
    #[serde(default, rename = "agentID", skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Name of the ManifestWork.
    pub manifest_work_name: String,
}

/// What is applied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AppliedManifestWorkStatus {
    /// The objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub applied_resources: Vec<AppliedResource>,
    /// When the objects began to be evicted, after their work was gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "hint::plain_time")]
    pub eviction_start_time: Option<Time>,
}

/// One object that is applied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedResource {
    /// API group; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "hint::plain_string", transform = hint::without_default)]
    pub group: String,
    /// Version.
    pub version: String,
    /// Plural resource name.
    pub resource: String,
    /// Name.
    pub name: String,
    /// Namespace; empty for a cluster-scoped object.
    #[serde(default)]
    #[schemars(schema_with = "hint::plain_string", transform = hint::without_default)]
    pub namespace: String,
    /// The uid that it had when it was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
}
