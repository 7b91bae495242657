//! The rollout strategy of a placement: the order of clusters, how many at once, and when to stop.
//!
//! # Source
//! `open-cluster-management.io/api` cluster/v1alpha1 RolloutStrategy.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ocm::field_schema;

/// The order in which the clusters of a placement get a new configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RolloutStrategy {
    /// `All` (the default), `Progressive` or `ProgressivePerGroup`.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::rollout_type")]
    pub type_: String,
    /// Settings of type `All`: every cluster at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<RolloutAll>,
    /// Settings of type `Progressive`: up to `maxConcurrency` clusters at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progressive: Option<RolloutProgressive>,
    /// Settings of type `ProgressivePerGroup`: one decision group after the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progressive_per_group: Option<RolloutProgressivePerGroup>,
}

/// Settings of rollout type `All`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RolloutAll {
    /// How long a cluster must stay healthy before it counts as succeeded, as a Go duration such as `5m`. Default `0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::min_success_time")]
    pub min_success_time: Option<String>,
    /// How long a cluster may take, such as `30s`, `10m` or `1h`; `None` (the default) waits forever.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::progress_deadline")]
    pub progress_deadline: Option<String>,
    /// How many clusters may fail before the rollout stops, as a number or a percentage. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::max_failures")]
    pub max_failures: Option<IntOrString>,
}

/// Settings of rollout type `Progressive`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RolloutProgressive {
    /// How long a cluster must stay healthy before it counts as succeeded, as a Go duration such as `5m`. Default `0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::min_success_time")]
    pub min_success_time: Option<String>,
    /// How long a cluster may take, such as `30s`, `10m` or `1h`; `None` (the default) waits forever.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::progress_deadline")]
    pub progress_deadline: Option<String>,
    /// How many clusters may fail before the rollout stops, as a number or a percentage. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::max_failures")]
    pub max_failures: Option<IntOrString>,
    /// Groups that must have succeeded before any other cluster starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mandatory_decision_groups: Vec<MandatoryDecisionGroup>,
    /// Maximum number of clusters in progress, as a number or a percentage. Default: `clustersPerDecisionGroup` of the Placement.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::threshold")]
    pub max_concurrency: Option<IntOrString>,
}

/// Settings of rollout type `ProgressivePerGroup`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RolloutProgressivePerGroup {
    /// How long a cluster must stay healthy before it counts as succeeded, as a Go duration such as `5m`. Default `0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::min_success_time")]
    pub min_success_time: Option<String>,
    /// How long a cluster may take, such as `30s`, `10m` or `1h`; `None` (the default) waits forever.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::progress_deadline")]
    pub progress_deadline: Option<String>,
    /// How many clusters of one group may fail before the rollout stops, as a number or a percentage. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::max_failures")]
    pub max_failures: Option<IntOrString>,
    /// Groups that must have succeeded before any other cluster starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mandatory_decision_groups: Vec<MandatoryDecisionGroup>,
}

/// A decision group that must succeed before all others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MandatoryDecisionGroup {
    /// Name of the group; if set, the index is ignored.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub group_name: String,
    /// Index of the group, from 0.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(schema_with = "field_schema::plain_int32")]
    pub group_index: i32,
}

fn is_zero(index: &i32) -> bool {
    *index == 0
}
