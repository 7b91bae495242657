//! ClusterClaim: a fact that a cluster claims about itself. It exists on managed clusters; a hub serves it because it can be one.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ocm::field_schema;

/// Represents a fact about a cluster. Its name is the name of the claim.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "cluster.open-cluster-management.io",
    version = "v1alpha1",
    kind = "ClusterClaim",
    plural = "clusterclaims"
)]
#[serde(default)]
pub struct ClusterClaimSpec {
    /// Value of the claim.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::claim_value")]
    pub value: String,
}
