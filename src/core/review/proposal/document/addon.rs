//! What happens to one add-on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::Change;
use super::class::Class;
use super::rollout::{GroupPlan, Overlap, Wave};
use super::strategy::PlacementPlan;
use tidegate_model::name::UnitName;

/// What happens to one add-on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddonPlan {
    /// The add-on.
    pub name: UnitName,
    /// What happens to it.
    pub change: Change,
    /// The add-on in the base; absent if the base does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<AddonSide>,
    /// The add-on in the head; absent if the head does not have it. A blocked add-on stays as it is in the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<AddonSide>,
    /// The settings that change: configurations, strategies and placements.
    pub settings: Vec<SettingChange>,
    /// The clusters for which something changes, folded by what changes. Blocked ones are first, then the largest class.
    pub classes: Vec<Class>,
    /// The number of clusters for which nothing changes.
    pub unchanged: usize,
    /// The placements after the change, in order.
    #[serde(default)]
    pub placements: Vec<PlacementPlan>,
    /// The groups of each placement, in order.
    pub groups: Vec<GroupPlan>,
    /// The clusters that several placements select.
    pub overlaps: Vec<Overlap>,
    /// The groups in the order in which their clusters start.
    pub waves: Vec<Wave>,
    /// What holds the rollout up: groups that must be done first, soak times, limits of failures.
    pub gates: Vec<String>,
    /// When the rollout is done if every cluster answers at once, from the merge; absent if nothing starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earliest: Option<String>,
    /// When the rollout is done if every cluster takes as long as in earlier rollouts; absent if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Why nothing, or not everything, of the change can be rolled out.
    pub blocked: Vec<String>,
    /// The number of clusters from which the add-on is removed.
    pub removed: usize,
    /// The size of its works; absent if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub works: Option<WorkSize>,
    /// The permissions on the hub that its agents get and did not have before.
    pub permissions: Vec<String>,
}

/// An add-on in one of the revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddonSide {
    /// The version that clusters get, if all placements have the same; otherwise all of them, separated by commas.
    pub version: String,
    /// The first digits of the digest of what the revision means for the add-on.
    pub digest: String,
}

/// A setting that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingChange {
    /// What it belongs to: a Placement, a strategy, or the add-on itself.
    pub of: String,
    /// The field.
    pub field: String,
    /// The value in the base; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The value in the head; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// The size of the works of an add-on on the cluster where it is largest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkSize {
    /// The number of works.
    pub works: usize,
    /// The bytes of the manifests in the largest work.
    pub largest: usize,
    /// The limit of the bytes in one work.
    pub limit: usize,
}
