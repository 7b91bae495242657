//! How far clusters and add-ons are, in the terms of reports and of the journal.
//!
//! The names of variants and fields are part of the journal's format.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// Number of clusters by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// All clusters.
    pub total: usize,
    /// Clusters that completed the target configuration and its soak time.
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
    /// Counts clusters by state, given for each whether its add-on has stopped working.
    pub fn of(clusters: impl IntoIterator<Item = (ClusterState, bool)>) -> Self {
        clusters.into_iter().fold(Self::default(), |counts, (state, is_degraded)| {
            let counts = counts.with(state);
            Self { degraded: counts.degraded + usize::from(is_degraded), ..counts }
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
