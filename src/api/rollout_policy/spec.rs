//! RolloutPolicy: what must hold before clusters may start, and what happens when they fail.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::CheckSpec;
use super::gate::{Approval, Dependency, Freeze, Limit, Window};
use super::schema;
use crate::kubernetes;

/// Says what must hold before clusters may start, and what happens when they fail. All policies that select a cluster apply, and the
/// strictest one wins.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "tidegate.io",
    version = "v1alpha1",
    kind = "RolloutPolicy",
    plural = "rolloutpolicies",
    derive = "PartialEq",
    derive = "Default"
)]
#[serde(rename_all = "camelCase", default)]
pub struct RolloutPolicySpec {
    /// What the policy applies to. If absent, it applies to all rollouts.
    pub selector: PolicySelector,
    /// Who has to approve a rollout, and before which group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<Approval>,
    /// Who may override the windows and freezes of this policy, with a signed break-glass approval. If absent, no one may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_glass: Option<Approval>,
    /// Clusters start only inside one of these windows. Without windows they start at any time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<Window>,
    /// No cluster starts during a freeze.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub freezes: Vec<Freeze>,
    /// How many clusters may be under way at once, across all add-ons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Limit>,
    /// The add-ons that must be healthy before clusters start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Dependency>,
    /// Names of locks. Of all add-ons with the same lock, one has clusters under way at a time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::names")]
    pub locks: Vec<String>,
    /// What happens to clusters that cannot be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreachable: Option<Unreachable>,
    /// What happens to clusters that join a rollout in the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub membership: Option<Membership>,
    /// What happens when more clusters fail than the strategy allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<OnFailure>,
    /// What must hold after a group, before the next one starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckSpec>,
}

/// What a policy applies to. Each field that is present narrows the selection.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PolicySelector {
    /// Names of add-ons, and of applications as `application/NAMESPACE/NAME`; `*` represents any characters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::globs")]
    pub add_ons: Vec<String>,
    /// Placements as `namespace/name`; `*` represents any characters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::globs")]
    pub placements: Vec<String>,
    /// Decision groups, by name, or by index if they have no name; `*` represents any characters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::globs")]
    pub groups: Vec<String>,
    /// The labels of the clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<kubernetes::LabelSelector>")]
    pub clusters: Option<LabelSelector>,
}

/// What happens to clusters that cannot be reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Unreachable {
    /// `Count` (the default, as upstream): they take a slot and count as failed once their deadline passes. `Park`: they take no slot
    /// and spend no failure budget; when they return, they get what is in force then.
    #[schemars(schema_with = "schema::unreachable_action")]
    pub action: UnreachableAction,
    /// How many clusters of a placement may be parked, as a number or a percentage. If more are unreachable, no cluster starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::threshold")]
    pub max_share: Option<IntOrString>,
    /// How long a parked cluster must be reachable before it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::duration")]
    pub soak: Option<String>,
}

impl Default for Unreachable {
    fn default() -> Self {
        Self { action: UnreachableAction::Count, max_share: None, soak: None }
    }
}

/// How a cluster that cannot be reached counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum UnreachableAction {
    /// Like any other.
    #[default]
    Count,
    /// Not at all, until it returns.
    Park,
}

/// What happens to clusters whose membership changes during a rollout.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Membership {
    /// What happens to a cluster that joins, or changes its group, in the middle of a rollout. `JoinGroup` (the default): it starts with
    /// its group. `Tail`: it starts after all others are done. `Hold`: it starts once the rollout is complete.
    #[schemars(schema_with = "schema::joining")]
    pub joining: Joining,
}

/// What happens to a cluster that joins in the middle of a rollout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Joining {
    /// It starts with its group.
    #[default]
    JoinGroup,
    /// It starts after all others are done.
    Tail,
    /// It starts once the rollout is complete, with the next one.
    Hold,
}

/// What happens when more clusters fail than the strategy allows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OnFailure {
    /// `Halt` (the default): no further cluster starts. `Continue`: the rollout goes through all clusters. `Rollback`: the clusters
    /// return to the last digest that all of them completed.
    #[schemars(schema_with = "schema::failure_action")]
    pub action: FailureAction,
    /// How many clusters roll back at once, as a number or a percentage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::threshold")]
    pub max_concurrency: Option<IntOrString>,
    /// What a rollback does with clusters that are under way: `Rollback` (the default) at once, or `Finish` first.
    #[schemars(schema_with = "schema::underway")]
    pub underway: Underway,
}

/// What follows from too many failures. Ordered by strictness.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FailureAction {
    /// The rollout goes through all clusters.
    Continue,
    /// The clusters return to the last known good digest.
    Rollback,
    /// No further cluster starts.
    #[default]
    Halt,
}

/// What a rollback does with clusters that are under way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Underway {
    /// They roll back at once.
    #[default]
    Rollback,
    /// They roll back once they are done, failed or too late.
    Finish,
}
