//! ManifestWorkReplicaSet: one work for every cluster that placements select.

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::manifest_work::ManifestWorkSpec;
use crate::condition::Condition;
use crate::ocm::cluster::rollout_strategy::RolloutStrategy;
use crate::ocm::field_schema;

/// Represents a ManifestWork to create for every cluster of its placements.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "work.open-cluster-management.io",
    version = "v1alpha1",
    kind = "ManifestWorkReplicaSet",
    plural = "manifestworkreplicasets",
    namespaced,
    shortname = "mwrs",
    status = "ManifestWorkReplicaSetStatus",
    printcolumn = r#"{"name":"Placement","type":"string","description":"Reason","jsonPath":".status.conditions[?(@.type==\"PlacementVerified\")].reason"}"#,
    printcolumn = r#"{"name":"Found","type":"string","description":"Configured","jsonPath":".status.conditions[?(@.type==\"PlacementVerified\")].status"}"#,
    printcolumn = r#"{"name":"ManifestWorks","type":"string","description":"Reason","jsonPath":".status.conditions[?(@.type==\"ManifestworkApplied\")].reason"}"#,
    printcolumn = r#"{"name":"Applied","type":"string","description":"Applied","jsonPath":".status.conditions[?(@.type==\"ManifestworkApplied\")].status"}"#
)]
#[serde(rename_all = "camelCase", default)]
pub struct ManifestWorkReplicaSetSpec {
    /// `Background` (the default) or `Foreground`: whether the set waits for its works when it is deleted.
    #[schemars(schema_with = "field_schema::cascade_policy")]
    pub cascade_deletion_policy: String,
    /// The spec of the works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_work_template: Option<ManifestWorkSpec>,
    /// The placements that select the clusters.
    #[schemars(schema_with = "placement_references")]
    pub placement_refs: Vec<LocalPlacementReference>,
}

/// A Placement in the namespace of the set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocalPlacementReference {
    /// Name of the Placement.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The order in which the clusters get a changed template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "replica_set_rollout")]
    pub rollout_strategy: Option<RolloutStrategy>,
}

/// Progress of the works of a set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ManifestWorkReplicaSetStatus {
    /// Conditions such as `PlacementVerified` and `ManifestworkApplied`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::conditions")]
    pub conditions: Vec<Condition>,
    /// Counts over all placements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<WorkSummary>,
    /// Counts of each placement.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub placement_summary: Vec<PlacementSummary>,
}

/// Progress of the works of one placement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PlacementSummary {
    /// Name of the Placement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of decision groups, and of clusters in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available_decision_groups: Option<String>,
    /// The counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<WorkSummary>,
}

/// Counts of works.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WorkSummary {
    /// Existing works.
    #[schemars(schema_with = "field_schema::plain_integer")]
    pub total: i64,
    /// Desired works.
    #[schemars(schema_with = "field_schema::plain_integer")]
    pub desired_total: i64,
    /// Works that are applied.
    #[schemars(schema_with = "field_schema::plain_integer")]
    pub applied: i64,
    /// Works whose objects are available.
    #[schemars(schema_with = "field_schema::plain_integer")]
    pub available: i64,
    /// Works whose objects are degraded.
    #[schemars(schema_with = "field_schema::plain_integer")]
    pub degraded: i64,
    /// Works whose objects are progressing.
    #[schemars(schema_with = "field_schema::plain_integer")]
    pub progressing: i64,
    /// Works that have the current template.
    #[schemars(schema_with = "field_schema::plain_integer")]
    pub updated: i64,
}

/// `rolloutStrategy` of a ManifestWorkReplicaSet, which has a more detailed default.
fn replica_set_rollout(generator: &mut SchemaGenerator) -> Schema {
    field_schema::with_default::<RolloutStrategy>(
        generator,
        serde_json::json!({ "type": "All", "all": { "progressDeadline": "None" } }),
    )
}

/// `placementRefs`.
fn placement_references(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<LocalPlacementReference>();
    json_schema!({ "type": "array", "items": items, "minItems": 1, "id": "required" })
}
