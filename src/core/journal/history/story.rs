//! The history of one rollout: who changed what, the order in which it reached the clusters, how long it took and how it
//! ended.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::{Rollout, SealedCluster, SealedRollout};
use tidegate_model::name::UnitName;
use tidegate_model::progress::{ClusterState, Counts, Phase};
use tidegate_model::time::{Rfc3339, Timestamp};

/// The history of one rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Story {
    /// The add-on.
    pub addon: UnitName,
    /// The rollout as recorded in the journal.
    #[serde(flatten)]
    pub rollout: Rollout,
    /// The number of the earlier rollout whose configurations it restored, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<u32>,
    /// The number of the rollout that reverted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverted_by: Option<u32>,
    /// The phase of the add-on, while the rollout is in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Why it is held or stopped, or was when it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Duration in seconds; absent while it is in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
    /// The counts of its clusters: final, or current while it is in progress.
    pub counts: Counts,
    /// Its groups, in order.
    pub groups: Vec<GroupStory>,
    /// Its clusters in the order in which they started, with those that it never reached last.
    pub clusters: Vec<SealedCluster>,
}

/// How long one group took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupStory {
    /// Index of the group; absent for clusters chosen by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// Number of clusters in the group.
    pub clusters: usize,
    /// Number of them that the rollout reached.
    pub reached: usize,
    /// When the first of them started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
    /// When the last of them was done; absent if not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub finished: Option<Timestamp>,
    /// Seconds from `started` to `finished`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
}

impl Story {
    /// Reads the file of a rollout that has ended; `None` if it cannot be read.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let sealed: SealedRollout = serde_saphyr::from_str(std::str::from_utf8(bytes).ok()?).ok()?;
        Some(Self::of(sealed))
    }

    /// Creates the history of a rollout, without links to other rollouts.
    pub fn of(sealed: SealedRollout) -> Self {
        let SealedRollout { addon, rollout, problem, clusters, .. } = sealed;
        Self {
            addon,
            back_to: None,
            reverted_by: None,
            phase: None,
            problem,
            seconds: rollout.ended.map(|ended| seconds(rollout.started, ended)),
            counts: clusters.iter().fold(Counts::default(), |counts, cluster| counts.with(cluster.state)),
            groups: groups(&rollout, &clusters),
            rollout,
            clusters,
        }
    }

    /// Returns what happened to each cluster. Undone removals come first, so a cluster may occur more than once.
    pub fn members(&self) -> impl Iterator<Item = &SealedCluster> {
        self.rollout.undone_removals.iter().chain(&self.clusters)
    }
}

/// How a rollout affected a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The rollout started on the cluster.
    Reached,
    /// The cluster already had the configurations of the rollout.
    Had,
    /// The rollout never reached the cluster.
    Missed,
    /// The add-on left the cluster or will leave it.
    Left,
}

/// Returns how a rollout affected a cluster.
pub fn reach(rollout: &Rollout, cluster: &SealedCluster) -> Reach {
    match cluster.state {
        ClusterState::Leaving | ClusterState::Removing | ClusterState::Removed => Reach::Left,
        ClusterState::Waiting => Reach::Missed,
        _ if cluster.started.is_some_and(|started| started >= rollout.started) => Reach::Reached,
        ClusterState::Succeeded | ClusterState::Soaking => Reach::Had,
        ClusterState::Progressing | ClusterState::Failed | ClusterState::TimedOut => Reach::Missed,
    }
}

/// Returns `true` if a rollout reached a cluster: the cluster started in it, and is not waiting with its old
/// configuration.
pub fn is_reached(rollout: &Rollout, cluster: &SealedCluster) -> bool {
    reach(rollout, cluster) == Reach::Reached
}

fn groups(rollout: &Rollout, clusters: &[SealedCluster]) -> Vec<GroupStory> {
    let mut members: BTreeMap<Option<i32>, Vec<&SealedCluster>> = BTreeMap::new();
    for cluster in clusters {
        members.entry(cluster.group).or_default().push(cluster);
    }
    let story = |(group, members): (Option<i32>, Vec<&SealedCluster>)| {
        let reached: Vec<_> = members.iter().filter(|cluster| is_reached(rollout, cluster)).collect();
        let started = reached.iter().filter_map(|cluster| cluster.started).min();
        let is_done = !reached.is_empty() && members.iter().all(|c| c.state.is_settled());
        let finished = reached.iter().filter_map(|cluster| cluster.finished).max().filter(|_| is_done);
        GroupStory {
            group,
            clusters: members.len(),
            reached: reached.len(),
            started,
            finished,
            seconds: started.zip(finished).map(|(started, finished)| seconds(started, finished)),
        }
    };
    members.into_iter().map(story).collect()
}

/// Returns the seconds between two moments; 0 if they are in the wrong order.
pub fn seconds(from: Timestamp, to: Timestamp) -> i64 {
    to.duration_since(from).as_secs().max(0)
}
