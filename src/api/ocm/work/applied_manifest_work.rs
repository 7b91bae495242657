//! AppliedManifestWork: the objects that the agent of a cluster has applied for one ManifestWork. It exists on managed clusters; a
//! hub serves it because it can be one of them.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::condition::Time;
use crate::ocm::field_schema;

/// Represents the objects applied for one ManifestWork of one hub.
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

/// The applied objects.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AppliedManifestWorkStatus {
    /// The objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub applied_resources: Vec<AppliedResource>,
    /// When eviction of the objects started, after their work was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::plain_time")]
    pub eviction_start_time: Option<Time>,
}

/// One applied object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedResource {
    /// API group; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string", transform = field_schema::without_default)]
    pub group: String,
    /// Version.
    pub version: String,
    /// Plural resource name.
    pub resource: String,
    /// Name.
    pub name: String,
    /// Namespace; empty for a cluster-scoped object.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string", transform = field_schema::without_default)]
    pub namespace: String,
    /// Its uid when it was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
}
