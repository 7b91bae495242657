//! What is known about one cluster in one rollout.

use crate::GroupKey;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The progress of a cluster with the configuration that the rollout brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It has not been given the configuration yet.
    ToApply,
    /// It was given the configuration and is working on it.
    Progressing,
    /// It runs the configuration.
    Succeeded,
    /// It was given the configuration and reports a failure. It may still recover.
    Failed,
    /// It was under way for longer than the deadline allows.
    TimeOut,
    /// It takes no part in the rollout.
    Skip,
}

/// The status of one cluster, as observed or as decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterStatus {
    /// Name of the cluster. A plain string, because a hub can have names that no placement would select.
    pub cluster: String,
    /// The decision group of the cluster, where the caller knows it.
    pub group: GroupKey,
    /// The progress of the cluster.
    pub status: Status,
    /// Since when the cluster has been in this status: the start of the deadline and of the soak time.
    pub last_transition: Option<Timestamp>,
    /// When the cluster was given the configuration. Strict counts from it where `last_transition` is absent.
    pub started: Option<Timestamp>,
    /// How long the cluster had taken, in whole seconds, when it was found past its deadline or done only after it;
    /// absent if it was never late. In strict it counts against a mandatory group.
    pub took: Option<SignedDuration>,
    /// When the deadline or the soak time ends. Set in decisions.
    pub look_at: Option<Timestamp>,
}

impl ClusterStatus {
    /// Returns a status without group and times.
    pub fn new(cluster: impl Into<String>, status: Status) -> Self {
        Self {
            cluster: cluster.into(),
            group: GroupKey::default(),
            status,
            last_transition: None,
            started: None,
            took: None,
            look_at: None,
        }
    }

    /// Returns the status of a cluster of `group` that is to be given the configuration.
    pub(super) fn to_apply(cluster: &str, group: &GroupKey) -> Self {
        Self { group: group.clone(), ..Self::new(cluster, Status::ToApply) }
    }

    /// Returns the status of a cluster that stays in the rollout until `look_at`.
    pub(super) fn underway(&self, look_at: Option<Timestamp>) -> Self {
        Self { look_at, ..self.clone() }
    }

    /// Returns the status of a cluster whose deadline has passed.
    pub(super) fn timed_out(&self, deadline: Timestamp) -> Self {
        Self { status: Status::TimeOut, look_at: Some(deadline), ..self.clone() }
    }

    /// Returns the status with this group.
    pub(super) fn of(self, group: &GroupKey) -> Self {
        Self { group: group.clone(), ..self }
    }
}
