//! The placements of an add-on, with their rollout strategies in one form for all types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A placement of an add-on after the change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacementPlan {
    /// The placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The number of its clusters.
    pub clusters: usize,
    /// Its rollout strategy; absent if its type is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<StrategyPlan>,
}

/// A rollout strategy in one form for all types, with defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StrategyPlan {
    /// `All`, `Progressive` or `ProgressivePerGroup`.
    #[serde(rename = "type")]
    pub type_: String,
    /// How many clusters may be under way at the same time: all of them for `All`, the largest group for `ProgressivePerGroup`.
    pub max_concurrency: Limit,
    /// How many clusters may fail.
    pub max_failures: Limit,
    /// The soak time (`minSuccessTime`), in seconds.
    pub min_success_seconds: i64,
    /// The time after which a cluster that is not done counts as failed, in seconds; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress_deadline_seconds: Option<i64>,
    /// The names of the groups that must be done before the others start.
    pub mandatory_groups: Vec<String>,
}

/// A number of clusters, and the percentage that it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Limit {
    /// The number of clusters, at most all of the placement.
    pub clusters: usize,
    /// The percentage of the clusters of the placement, rounded up.
    pub percentage: usize,
}
