//! The state of every add-on and cluster, and why: the only source for the journal, the command line and every page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::brake::Hold;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// What a plan found and decided, for people and programs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// One entry for each add-on of the repository, and for each one that is refused.
    pub addons: BTreeMap<AddonName, AddonReport>,
    /// What people should know beyond single add-ons, such as objects whose removal is held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// Declared objects that another instance owns, each with its location and what to do about it. They are not
    /// written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collisions: Vec<String>,
    /// Add-ons that were reported before, no longer belong to this instance, and are still on clusters.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub given_up: BTreeSet<AddonName>,
    /// Fields that others have added to declared objects and that are removed in this tick, each with its field
    /// manager.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// The removal of objects that left the repository, if it is beyond the limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<Hold>,
}

/// The overall state of an add-on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Phase {
    /// Every cluster has what it should have.
    Completed,
    /// Clusters are under way or wait for their turn.
    #[default]
    Progressing,
    /// Too many clusters failed: no further cluster starts.
    Stopped,
    /// Tidegate does not drive the add-on, for the reason given.
    Refused,
    /// The add-on left the repository and is being removed from its clusters.
    Removing,
    /// Nothing starts or is removed: too much would be removed at once, or the decisions of a placement are in doubt.
    Held,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Completed => "Completed",
            Self::Progressing => "Progressing",
            Self::Stopped => "Stopped",
            Self::Refused => "Refused",
            Self::Removing => "Removing",
            Self::Held => "Held",
        })
    }
}

/// The state of one add-on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddonReport {
    /// The version that the clusters should have, taken from the name of its template.
    pub version: String,
    /// Its overall state.
    pub phase: Phase,
    /// Why the add-on is held at an older revision, refused or stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Which failure budget is exceeded, with its numbers, if the rollout is stopped and clusters wait because of that.
    #[serde(skip)]
    pub stopped_by: Option<String>,
    /// One entry for each placement, in the order of the declaration; one without a name for clusters chosen by hand.
    pub placements: Vec<PlacementReport>,
    /// The removal of the add-on from clusters, if it is beyond the limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removal: Option<Hold>,
    /// Whether it left the repository.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// Every cluster that has the add-on or is to get it.
    pub clusters: BTreeMap<ClusterName, ClusterReport>,
    /// The next moment at which time alone may change something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wake_at: Option<Timestamp>,
}

impl AddonReport {
    /// Returns the cluster counts of all placements together.
    pub fn counts(&self) -> Counts {
        Counts::of(self.clusters.values())
    }
}

/// The state of one placement of an add-on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacementReport {
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The type of the rollout strategy.
    pub strategy: String,
    /// The version that the clusters of this placement should have.
    pub version: String,
    /// The configurations and how far they have been rolled out.
    pub configs: Vec<ConfigReport>,
    /// The decision groups, in order.
    pub groups: Vec<GroupReport>,
    /// A message for people, in upstream's words.
    pub message: String,
    /// Why clusters wait, each reason with the number of clusters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub waiting: BTreeMap<String, usize>,
}

/// One configuration of a placement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigReport {
    /// Plural resource and group, such as `addontemplates.addon.open-cluster-management.io`.
    pub resource: String,
    /// What the clusters should have.
    pub desired: ConfigVersion,
    /// The last version that all clusters had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_applied: Option<ConfigVersion>,
    /// The last version that all clusters had without a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_known_good: Option<ConfigVersion>,
}

/// One version of a configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigVersion {
    /// Name of the object, with its namespace if it has one.
    pub name: String,
    /// SHA-256 of its spec.
    pub hash: String,
    /// The revision that introduced it; the journal fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
}

/// The state of one decision group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupReport {
    /// Index of the group, from 0.
    pub index: i32,
    /// Name of the group; empty if it has none.
    pub name: String,
    /// Its cluster counts.
    #[serde(flatten)]
    pub counts: Counts,
}

/// Number of clusters by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// All clusters.
    pub total: usize,
    /// Those that have what they should have and have soaked.
    pub succeeded: usize,
    /// Those under way or soaking.
    pub progressing: usize,
    /// Those that failed or took too long.
    pub failed: usize,
    /// Those that wait for their turn.
    pub waiting: usize,
    /// Those that have the add-on but should not; they are not part of `total`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub leaving: usize,
    /// Those that succeeded but whose add-on has stopped working since; they are also part of `succeeded`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub degraded: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Counts {
    /// Counts clusters by state.
    pub fn of<'a>(clusters: impl IntoIterator<Item = &'a ClusterReport>) -> Self {
        clusters.into_iter().fold(Self::default(), |counts, cluster| {
            let counts = counts.with(cluster.state);
            Self { degraded: counts.degraded + usize::from(cluster.degraded.is_some()), ..counts }
        })
    }

    /// Returns the counts with one more cluster. A cluster that the add-on has left is not counted.
    pub fn with(mut self, state: ClusterState) -> Self {
        self.total += usize::from(!state.is_unselected());
        match state {
            ClusterState::Succeeded => self.succeeded += 1,
            ClusterState::Progressing | ClusterState::Soaking => self.progressing += 1,
            ClusterState::Failed | ClusterState::TimedOut => self.failed += 1,
            ClusterState::Waiting => self.waiting += 1,
            ClusterState::Leaving | ClusterState::Removing => self.leaving += 1,
            ClusterState::Removed => {}
        }
        self
    }
}

/// The state of one cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum ClusterState {
    /// Has what it should have, and has had it long enough.
    Succeeded,
    /// Has started and is not done yet.
    Progressing,
    /// Has what it should have, but not for long enough.
    Soaking,
    /// Waits for its turn.
    Waiting,
    /// Has failed and may still recover.
    Failed,
    /// Took too long.
    TimedOut,
    /// No placement selects it any longer; it keeps the add-on until its turn.
    Leaving,
    /// No placement selects it any longer; its add-on is being deleted.
    Removing,
    /// The add-on has left it.
    Removed,
}

impl ClusterState {
    /// Returns `true` if no placement selects the cluster.
    pub fn is_unselected(self) -> bool {
        matches!(self, Self::Leaving | Self::Removing | Self::Removed)
    }

    /// Returns `true` if nothing more is to happen: the cluster has what it should have, or the add-on has left it.
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Succeeded | Self::Removed)
    }
}

impl fmt::Display for ClusterState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Succeeded => "Succeeded",
            Self::Progressing => "Progressing",
            Self::Soaking => "Soaking",
            Self::Waiting => "Waiting",
            Self::Failed => "Failed",
            Self::TimedOut => "TimedOut",
            Self::Leaving => "Leaving",
            Self::Removing => "Removing",
            Self::Removed => "Removed",
        })
    }
}

/// The state of one cluster, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterReport {
    /// The state.
    pub state: ClusterState,
    /// The version that the cluster has or is getting; empty before its first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Digest of all configurations that the cluster has or is getting, twelve hex digits; empty before its first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// Index of its decision group; absent for clusters chosen by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// The placement that the cluster belongs to, as `namespace/name`, if the add-on has several; otherwise empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub placement: String,
    /// When it started on this version; absent if it waits, or if it was to get another version but kept this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
    /// Since when it has been in this state, as far as the hub shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
    /// Why it is in this state; empty if the state is self-explanatory.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Why the add-on currently does not work although the cluster has succeeded, without numbers that change from moment to
    /// moment; absent if it works. The rollout stays completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// What would let it proceed; empty if nothing is left to do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opens: String,
    /// When time alone changes its state: its deadline, or the end of a soak time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub look_at: Option<Timestamp>,
}

impl ClusterReport {
    /// Returns `true` if the cluster cannot be reached, so that the current health of its add-on is unknown.
    pub fn is_unreachable(&self) -> bool {
        self.reason == UNREACHABLE
    }
}

/// The reason given for a cluster that is done but cannot be reached.
pub const UNREACHABLE: &str = "the cluster is unreachable";

/// Returns the part of a template's name that is its version: `0.4.1` for `hello-template-0.4.1` of `hello-template`.
pub fn version_of(addon: &AddonName, template: &str) -> String {
    let rest = template.strip_prefix(addon.as_str()).unwrap_or(template).trim_start_matches(['-', '.', '_']);
    if rest.is_empty() { template.to_owned() } else { rest.to_owned() }
}
