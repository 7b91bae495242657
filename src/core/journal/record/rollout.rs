//! Rollouts: in `status.yaml` while in progress, and sealed in a file of their own once they have ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::API_VERSION;
use super::decision::Decision;
use tidegate_model::digest::Digest;
use tidegate_model::followed::Revision;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};
use tidegate_rollout::gate::checks::Evidence;

/// How a rollout ended, if it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Outcome {
    /// It is in progress.
    InProgress,
    /// Every cluster has what it should have.
    Completed,
    /// Another rollout replaced it before it was done.
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
    /// The set of clusters: some get or lose the add-on, and all others keep what they have.
    Membership,
    /// The add-on left the repository, so all clusters lose it.
    Withdrawal,
    /// Nothing new: the hub lost the result of a completed rollout, so it is rolled out again.
    Repetition,
}

impl Cause {
    fn is_configuration(&self) -> bool {
        *self == Self::Configuration
    }
}

/// The last rollout of configurations before a membership change or a repetition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Followed {
    /// Its number.
    pub number: u32,
    /// Digest of the configurations that the clusters had before it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from_target: String,
}

/// A removal beyond the limits, confirmed by a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// The revision at which the removal was held.
    pub held: CommitId,
    /// The revision that confirmed it.
    pub by: CommitId,
}

/// A rollout: one add-on moves from its old to its new configurations, or is added to or removed from clusters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rollout {
    /// The number of the rollout; those of one add-on count from 1.
    pub number: u32,
    /// What it changes.
    #[serde(default, skip_serializing_if = "Cause::is_configuration")]
    pub cause: Cause,
    /// The last rollout of configurations, if this one changes none itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<Followed>,
    /// The old version; empty for the first installation.
    pub from: String,
    /// The new version; empty for a removal.
    pub to: String,
    /// Digest of all configurations that the rollout brings.
    pub target: String,
    /// Digest of the configurations that the clusters had before, if a rollout delivered them; otherwise empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from_target: String,
    /// The revision that it started from, with its approvals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// The digest of that revision for the add-on; absent for a withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The number of the rollout that it reverts: the clusters return to what they had before that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverts: Option<u32>,
    /// The number of the rollout that superseded it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<u32>,
    /// The removals beyond the limits that were confirmed while it was in progress.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmations: Vec<Confirmation>,
    /// What people and policies decided about it, in that order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The clusters that lost the add-on and were selected again while it was in progress, in that order. `finished` is absent if
    /// the removal was not complete by then.
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
    pub addon: UnitName,
    /// The rollout itself.
    #[serde(flatten)]
    pub rollout: Rollout,
    /// Why it was stopped or held when it ended; absent if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The last measurements of its checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Evidence>,
    /// The clusters in the order in which they started.
    pub clusters: Vec<SealedCluster>,
}

/// One cluster of a rollout that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealedCluster {
    /// The cluster.
    pub cluster: ClusterName,
    /// Index of its decision group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// When it started in this rollout; absent if it never did, because it waits or already had the new configurations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
    /// When it was done in this rollout, or the add-on was removed from it; absent if neither happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub finished: Option<Timestamp>,
    /// Its state at the end.
    pub state: ClusterState,
    /// Why the rollout ended without it, if it was not done; absent if the rollout waited for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// Why it was not done at the end, if it had started; otherwise empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}
