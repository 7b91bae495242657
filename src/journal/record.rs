//! The documents of the journal, as they are written and read back.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hub::HubRecord;
use super::revision::{RefusedRevision, Revision, Rewrite};
use crate::model::instance::{Instance, InstanceId};
use crate::model::name::{AddonName, ClusterName};
use crate::model::revision::CommitId;
use crate::model::time::{Rfc3339, Timestamp};
use crate::plan::brake::Hold;
use crate::plan::report::{ClusterState, Counts, Phase, PlacementReport};

/// The version of the journal's documents.
pub const API_VERSION: &str = "tidegate.io/v1alpha1";

/// `sync.yaml`: how the hub stands to the repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sync {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Sync`.
    #[schemars(extend("const" = "Sync"))]
    pub kind: String,
    /// The instance that keeps this journal. It is created once and never changes; absent in journals of versions up to 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<Identity>,
    /// The other instances whose objects are taken over, as the repository says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adopts: Vec<InstanceId>,
    /// The revision that was last seen.
    pub seen: Option<Revision>,
    /// The last revision without complaints, of which the hub took every object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<CommitId>,
    /// The last revision whose signatures were found good, where they are asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<CommitId>,
    /// The newest revision, where it is not trusted; the one last seen stays in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedRevision>,
    /// The last time that the history of the followed branch was rewritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Rewrite>,
    /// The revision that each add-on follows: an older one than the last seen where that has complaints.
    #[serde(default)]
    pub addons: BTreeMap<AddonName, CommitId>,
    /// The first hundred complaints of the revision last seen, as `file:line:column: message`.
    #[serde(default)]
    pub complaints: Vec<String>,
    /// How many complaints there are beyond those.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted_complaints: usize,
    /// Objects that the hub refused, each with its place in the repository where it has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// What else a person should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// The removal of objects that left the repository, if the brake has caught it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<Hold>,
    /// What is known of the hub itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hub: Option<HubRecord>,
}

impl Sync {
    /// Returns the document of a journal in which nothing is known yet.
    pub fn empty() -> Self {
        Self {
            api_version: API_VERSION.to_owned(),
            kind: "Sync".to_owned(),
            instance: None,
            adopts: Vec::new(),
            seen: None,
            applied: None,
            verified: None,
            refused: None,
            rewritten: None,
            addons: BTreeMap::new(),
            complaints: Vec::new(),
            unlisted_complaints: 0,
            failures: Vec::new(),
            notices: Vec::new(),
            hold: None,
            hub: None,
        }
    }

    /// Returns the complaints, one per line, with a last line for those that are not listed.
    pub fn complaint_lines(&self) -> impl Iterator<Item = String> {
        let more = (self.unlisted_complaints > 0).then(|| format!("and {} more complaints", self.unlisted_complaints));
        self.complaints.iter().cloned().chain(more)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The identity of the instance that keeps a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The identity, which every object bears that the instance owns.
    pub id: InstanceId,
    /// The name that the operator gave it; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// When the identity was created.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// Whether there was a journal before the identity, of a version up to 0.1.0: then it proves what that version installed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub had_journal: bool,
}

impl Identity {
    /// Returns the instance.
    pub fn instance(&self) -> Instance {
        Instance { id: self.id.clone(), name: self.name.clone() }
    }
}

/// `addons/<add-on>/status.yaml`: how an add-on stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddonStatus {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `AddonStatus`.
    #[schemars(extend("const" = "AddonStatus"))]
    pub kind: String,
    /// The add-on.
    pub addon: AddonName,
    /// The version that its clusters should have.
    pub version: String,
    /// How it stands as a whole.
    pub phase: Phase,
    /// Since when it stands so.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// Why it is held, refused or stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The rollout that is under way, or the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollout: Option<Rollout>,
    /// The removal of the add-on from clusters, if the brake has caught it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removal: Option<Hold>,
    /// Its numbers, over all placements.
    pub clusters: Counts,
    /// Its placements, in the order of the declaration.
    #[serde(default)]
    pub placements: Vec<PlacementReport>,
}

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
