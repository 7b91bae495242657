//! Rollouts: under way in `status.yaml`, and sealed in a file of their own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::API_VERSION;
use crate::journal::revision::Revision;
use crate::plan::report::ClusterState;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// How a rollout ended, if it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Outcome {
    /// It is under way.
    InProgress,
    /// Every cluster has what it should have.
    Completed,
    /// Another one took its place before it was done.
    Superseded,
    /// Its add-on left the repository before it was done.
    Withdrawn,
}

/// What a rollout changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Cause {
    /// The configurations of the add-on.
    #[default]
    Configuration,
    /// The clusters that have it: some get it or lose it, and all others keep what they have.
    Membership,
    /// The add-on left the repository: all clusters lose it.
    Withdrawal,
    /// The hub lost what a completed rollout had brought, and it is rolled out again.
    Repetition,
}

impl Cause {
    fn is_configuration(&self) -> bool {
        *self == Self::Configuration
    }
}

/// The rollout of configurations that a change of membership or a repetition follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Followed {
    /// Its number.
    pub number: u32,
    /// Digest of what the clusters had before it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from_target: String,
}

/// A removal beyond the limits that a commit confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// The revision at which the removal was held.
    pub held: CommitId,
    /// The revision that confirmed it.
    pub by: CommitId,
}

/// One add-on going from its old to its new configurations, or to and from clusters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rollout {
    /// Counts the rollouts of the add-on, from 1.
    pub number: u32,
    /// What it changes.
    #[serde(default, skip_serializing_if = "Cause::is_configuration")]
    pub cause: Cause,
    /// The rollout of configurations that it follows, where it brings no other ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<Followed>,
    /// The version before; empty for the first installation.
    pub from: String,
    /// The version after.
    pub to: String,
    /// Digest of all configurations that the rollout brings.
    pub target: String,
    /// Digest of what the clusters had before, where it was a rollout that brought it; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from_target: String,
    /// The revision that it started from, with who approved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// The number of the rollout that it takes back: the clusters return to what they had before that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverts: Option<u32>,
    /// The number of the rollout that took its place, if it was superseded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<u32>,
    /// The removals beyond the limits that were confirmed while it was under way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmations: Vec<Confirmation>,
    /// The clusters that lost the add-on and were selected again while it was under way, in that order. A removal that was not over
    /// by then has no `finished`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undone_removals: Vec<SealedCluster>,
    /// When it was first seen.
    #[schemars(with = "Rfc3339")]
    pub started: Timestamp,
    /// How it ended.
    pub outcome: Outcome,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub ended: Option<Timestamp>,
}

/// `addons/<add-on>/rollouts/<n>.yaml`: a rollout that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealedRollout {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Rollout`.
    #[schemars(extend("const" = "Rollout"))]
    pub kind: String,
    /// The add-on.
    pub addon: AddonName,
    /// What it was.
    #[serde(flatten)]
    pub rollout: Rollout,
    /// The clusters in the order in which they started.
    pub clusters: Vec<SealedCluster>,
}

/// One cluster of a rollout that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealedCluster {
    /// The cluster.
    pub cluster: ClusterName,
    /// Index of its group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// When it started in this rollout; absent if it never did: it waits, or it had all along what the rollout brings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
    /// When it was done in this rollout, or the add-on had left it; absent if it never was, or had it all along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub finished: Option<Timestamp>,
    /// How it stood at the end.
    pub state: ClusterState,
}
