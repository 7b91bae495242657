//! The clusters for which the same changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::Change;
use tidegate_model::name::ClusterName;
use tidegate_model::plural::counted;

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
    /// Returns why its clusters are blocked, as in [`blocked`](super::AddonPlan::blocked).
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
    /// How it is applied and kept, if a policy of its application says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manner: Option<String>,
    /// The lines that change, with some lines around them, as a unified diff of the object in YAML. Absent for a Secret: its values are
    /// not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}
