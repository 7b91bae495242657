//! AddOnPlacementScore: the scores that an add-on assigns to a cluster, which placements use to prefer clusters.

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::condition::{Condition, Time};
use crate::ocm::field_schema;

/// Represents the scores that an add-on assigns to a cluster. It is in the namespace of the cluster and has no spec.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "cluster.open-cluster-management.io",
    version = "v1alpha1",
    kind = "AddOnPlacementScore",
    plural = "addonplacementscores",
    namespaced,
    status = "AddOnPlacementScoreStatus",
    derive = "PartialEq",
    derive = "Default"
)]
#[serde(default)]
pub struct AddOnPlacementScoreSpec {}

/// The scores, and how long they are valid.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AddOnPlacementScoreStatus {
    /// Conditions of the scores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::conditions")]
    pub conditions: Vec<Condition>,
    /// The scores, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "scores")]
    pub scores: Vec<ClusterScore>,
    /// When the scores expire; if omitted, they never expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::plain_time")]
    pub valid_until: Option<Time>,
}

/// One score.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterScore {
    /// Name of the score.
    pub name: String,
    /// The score, from -100 to 100.
    #[schemars(schema_with = "field_schema::score_value")]
    pub value: i32,
}

/// `status.scores`.
fn scores(generator: &mut SchemaGenerator) -> Schema {
    field_schema::list_map::<ClusterScore>(generator, &["name"])
}
