//! The story of one rollout: who changed what, in which order it reached the clusters, how long it took and how it ended.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_core::journal::record::{Rollout, SealedCluster, SealedRollout};
use tidegate_core::plan::report::{ClusterState, Counts, Phase};
use tidegate_model::name::AddonName;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The story of one rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Story {
    /// The add-on.
    pub addon: AddonName,
    /// What it was, as the journal has it.
    #[serde(flatten)]
    pub rollout: Rollout,
    /// The number of the rollout whose configurations it brought back, if it brought any back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<u32>,
    /// The number of the rollout that took it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverted_by: Option<u32>,
    /// How it stands, while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Why it is held or stopped, while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// How many seconds it took; absent while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
    /// Its numbers, at its end or as they stand.
    pub counts: Counts,
    /// Its groups, in order.
    pub groups: Vec<GroupStory>,
    /// Its clusters in the order in which they started; those that it never reached come last.
    pub clusters: Vec<SealedCluster>,
}

/// How long one group took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupStory {
    /// Index of the group; absent for clusters chosen by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// How many clusters it has.
    pub clusters: usize,
    /// How many of them the rollout reached.
    pub reached: usize,
    /// When the first of them started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
    /// When the last of them was done; absent if not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub finished: Option<Timestamp>,
    /// How many seconds lie between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
}

impl Story {
    /// Tells the story of a rollout by itself.
    pub fn of(sealed: SealedRollout) -> Self {
        let SealedRollout { addon, rollout, clusters, .. } = sealed;
        Self {
            addon,
            back_to: None,
            reverted_by: None,
            phase: None,
            problem: None,
            seconds: rollout.ended.map(|ended| seconds(rollout.started, ended)),
            counts: clusters.iter().fold(Counts::default(), |counts, cluster| counts.with(cluster.state)),
            groups: groups(&rollout, &clusters),
            rollout,
            clusters,
        }
    }

    /// Returns what happened to each cluster: removals that were undone come first, so a cluster may occur more than once.
    pub fn members(&self) -> impl Iterator<Item = &SealedCluster> {
        self.rollout.undone_removals.iter().chain(&self.clusters)
    }
}

/// How a rollout stands to a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It started there.
    Reached,
    /// The cluster has had all along what it brings.
    Had,
    /// It never came there.
    Missed,
    /// The add-on left it, or is to leave it.
    Left,
}

/// Returns how a rollout stands to a cluster.
pub fn reach(rollout: &Rollout, cluster: &SealedCluster) -> Reach {
    match cluster.state {
        ClusterState::Leaving | ClusterState::Removing | ClusterState::Removed => Reach::Left,
        ClusterState::Waiting => Reach::Missed,
        _ if cluster.started.is_some_and(|started| started >= rollout.started) => Reach::Reached,
        ClusterState::Succeeded | ClusterState::Soaking => Reach::Had,
        ClusterState::Progressing | ClusterState::Failed | ClusterState::TimedOut => Reach::Missed,
    }
}

/// Returns `true` if a rollout reached a cluster: it started in it, and does not wait with what it had.
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

/// Returns the seconds between two moments; none if they are the wrong way round.
pub fn seconds(from: Timestamp, to: Timestamp) -> i64 {
    to.duration_since(from).as_secs().max(0)
}
