//! The variable `addon`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::object::ObjectVariables;
use crate::proposal::document::StrategyPlan;

/// An add-on of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AddonVariables {
    /// Its name.
    pub name: String,
    /// `Added`, `Changed`, `Removed`, `Unchanged`, or `Blocked` if the head has errors in it.
    pub change: String,
    /// The version in the base, several separated by commas; empty if the base does not have the add-on.
    pub base_version: String,
    /// The version in the head; empty if the head does not have the add-on.
    pub head_version: String,
    /// The first digits of the digest of the add-on in the base; empty if the base does not have it.
    pub base_digest: String,
    /// The first digits of the digest of the add-on in the head; empty if the head does not have it.
    pub head_digest: String,
    /// The number of clusters that have the add-on after the change.
    pub clusters: usize,
    /// The number of clusters for which something changes.
    pub changed: usize,
    /// The number of clusters that get the add-on.
    pub installed: usize,
    /// The number of clusters that get other configurations.
    pub updated: usize,
    /// The number of clusters from which the add-on is removed.
    pub removed: usize,
    /// The largest number of clusters that the rollout changes at the same time, in all placements together.
    pub at_once: usize,
    /// Its placements after the change, in order.
    pub placements: Vec<PlacementVariables>,
    /// The clusters for which something changes, folded by what changes.
    pub classes: Vec<ClassVariables>,
    /// The clusters of each group in the order in which they start.
    pub waves: Vec<WaveVariables>,
    /// The settings that change, as `of field`: `placement default/aws rolloutStrategy.type`.
    pub settings: Vec<String>,
    /// What holds the rollout up, such as approvals, mandatory groups and soak times, as the plan shows it.
    pub gates: Vec<String>,
    /// The permissions on the hub that its agents get and did not have before.
    pub permissions: Vec<String>,
    /// When the rollout is done at the earliest, in seconds from the merge; absent if nothing starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earliest_seconds: Option<i64>,
    /// When the rollout is done if clusters take as long as before, in seconds from the merge; absent if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_seconds: Option<i64>,
}

/// A placement of an add-on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PlacementVariables {
    /// Namespace and name; empty for clusters chosen by hand.
    pub name: String,
    /// The number of its clusters.
    pub clusters: usize,
    /// Its rollout strategy.
    pub strategy: StrategyPlan,
    /// Its groups, in order.
    pub groups: Vec<GroupVariables>,
}

/// A group of a placement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GroupVariables {
    /// Its name, or `group N`.
    pub name: String,
    /// Its index.
    pub index: i32,
    /// The number of its clusters.
    pub clusters: usize,
    /// The number of its clusters that get other configurations.
    pub changed: usize,
    /// Whether it must be done before the groups that are not mandatory start.
    pub is_mandatory: bool,
}

/// Clusters for which the same changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClassVariables {
    /// `Install`, `Update`, `Remove`, `Move` or `Blocked`.
    pub action: String,
    /// The number of clusters.
    pub clusters: usize,
    /// The shortest set of labels that these clusters have and no other cluster with the add-on; empty if there is none.
    pub labels: Vec<String>,
    /// The names of their groups.
    pub groups: Vec<String>,
    /// The objects that change on each of them.
    pub objects: Vec<ObjectVariables>,
}

/// The clusters of a group that start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WaveVariables {
    /// The placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The name of the group.
    pub group: String,
    /// Waves of the same stage run at the same time, from 0.
    pub stage: usize,
    /// The number of clusters that start.
    pub clusters: usize,
    /// The largest number of clusters that are under way at the same time.
    pub at_once: usize,
    /// When its first clusters start at the earliest, in seconds from the merge.
    pub start_seconds: i64,
}
