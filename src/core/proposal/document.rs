//! The document: what a change does to a fleet.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::document::API_VERSION;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::plural::counted;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// What a change does to a fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Plan`.
    #[schemars(extend("const" = "Plan"))]
    pub kind: String,
    /// The revision before the change.
    pub base: Revision,
    /// The revision with the change.
    pub head: Revision,
    /// The fleet that the plan is for.
    pub fleet: FleetSource,
    /// What the change amounts to.
    pub result: Verdict,
    /// The number of clusters for which something changes.
    pub clusters: usize,
    /// The add-ons of both revisions, by name.
    pub addons: Vec<AddonPlan>,
    /// The objects that only the head declares, or that only the base declares, without those of add-ons.
    pub objects: Vec<DeclaredChange>,
    /// What is wrong with the head.
    pub complaints: Vec<Finding>,
    /// What people should know about the plan itself.
    pub notices: Vec<String>,
}

/// What a change amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Verdict {
    /// Nothing changes.
    Nothing,
    /// Something changes.
    Changes,
    /// Something is blocked or wrong.
    Blocked,
}

/// One of the two revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// The branch, tag, commit or directory.
    pub name: String,
    /// The commit; absent for a directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
}

/// The fleet that a plan is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FleetSource {
    /// Where it was read from.
    pub source: String,
    /// The number of clusters.
    pub clusters: usize,
    /// The time of its state; absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub as_of: Option<Timestamp>,
}

/// What happens to one add-on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddonPlan {
    /// The add-on.
    pub name: AddonName,
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

/// What happens to an add-on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Change {
    /// Only the head has it.
    Added,
    /// It changes.
    Changed,
    /// Only the base has it.
    Removed,
    /// It changes nothing.
    Unchanged,
    /// The head has errors in it, so it stays as it is.
    Blocked,
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

/// What happens to a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Action {
    /// It cannot get what it should have.
    Blocked,
    /// It gets the add-on.
    Install,
    /// It gets other configurations.
    Update,
    /// It loses the add-on.
    Remove,
    /// It keeps what it has, and belongs to another placement or group.
    Move,
}

/// The clusters for which the same changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Class {
    /// What happens to them.
    pub action: Action,
    /// The number of clusters.
    pub clusters: usize,
    /// The first of them by name. The differences are those of this cluster.
    pub exemplar: ClusterName,
    /// Their names, numbers folded into at most three ranges.
    pub names: String,
    /// The shortest set of labels that these clusters have and no other cluster with the add-on; empty if there is none.
    pub labels: Vec<String>,
    /// Their groups after the change, or before it if they lose the add-on.
    pub groups: Vec<GroupCount>,
    /// Why they are blocked, or between which groups they move; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The objects that change. The name of a cluster is shown as `${CLUSTER_NAME}`, and a variable with a value of its own that does
    /// not change as `${NAME}`.
    pub objects: Vec<ObjectChange>,
}

impl Class {
    /// Returns why its clusters are blocked, as in [`AddonPlan::blocked`].
    pub fn obstacle(&self) -> Option<String> {
        let reason = self.reason.as_deref().unwrap_or_default();
        (self.action == Action::Blocked).then(|| format!("{}: {reason}", counted(self.clusters, "cluster")))
    }

    /// Returns the number of lines that are added and removed.
    pub fn lines(&self) -> (usize, usize) {
        self.objects.iter().fold((0, 0), |(added, removed), object| (added + object.added, removed + object.removed))
    }
}

/// A number of clusters of one group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupCount {
    /// The group.
    pub group: String,
    /// The number of clusters.
    pub clusters: usize,
}

/// An object on a cluster that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectChange {
    /// Kind, namespace and name.
    pub object: String,
    /// What happens to it.
    pub change: Change,
    /// The number of lines that are added.
    pub added: usize,
    /// The number of lines that are removed.
    pub removed: usize,
    /// The lines that change, with some lines around them, as a unified diff of the object in YAML. Absent for a Secret: its values are
    /// not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// A group of a placement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupPlan {
    /// The placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The index of the group.
    pub index: i32,
    /// The name of the group, or `group N`.
    pub group: String,
    /// The number of its clusters.
    pub clusters: usize,
    /// The number of its clusters that get other configurations.
    pub changed: usize,
}

/// Clusters that two placements select.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overlap {
    /// The placement that selects them, and does not get them.
    pub placement: String,
    /// The placement that they belong to, because it is later in the list.
    pub winner: String,
    /// The number of clusters.
    pub clusters: usize,
}

/// The clusters of one group that start. Times are from the merge, if no cluster fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wave {
    /// The placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The group.
    pub group: String,
    /// Waves of the same stage run at the same time, and a stage begins only after the ones before, from 0.
    pub stage: usize,
    /// The number of clusters that start.
    pub clusters: usize,
    /// The largest number of clusters that are under way at the same time.
    pub at_once: usize,
    /// The number of clusters that start first, at the same time.
    pub first: usize,
    /// When its first clusters start at the earliest, from the merge.
    pub starts: String,
    /// When its last clusters are done at the earliest, without their soak time.
    pub done: String,
    /// When its first clusters start if clusters take as long as in earlier rollouts; absent if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_start: Option<String>,
    /// When its last clusters are done if clusters take as long as in earlier rollouts; absent if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_done: Option<String>,
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

/// An object that only one of the revisions declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeclaredChange {
    /// The object.
    pub object: String,
    /// `Added`, `Removed` or `Changed`.
    pub change: Change,
}

/// A complaint about the head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Where, as `file:line:column`.
    pub place: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// Whether it blocks something.
    pub is_error: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
