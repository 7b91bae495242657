//! The state of one cluster, as it is planned, reported and journaled.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::progress::ClusterState;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The state of one cluster, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ClusterRecord")]
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
    /// When it joined, if that was in the middle of the current rollout and it has not started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub joined: Option<Timestamp>,
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
    /// When the cluster last reported a change of its ManifestWorks, if they show the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub reported: Option<Timestamp>,
    /// Why the add-on currently does not work although the cluster has succeeded, without numbers that change from moment to
    /// moment; absent if it works. The rollout stays completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// Why the rollout may end without the cluster, if it is not done: it is in quarantine, parked, or joined in the middle of the rollout;
    /// absent if the rollout waits for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// What would let it proceed; empty if nothing is left to do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opens: String,
    /// When time alone changes its state: its deadline, or the end of a soak time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub look_at: Option<Timestamp>,
}

impl ClusterReport {
    /// Returns the state, and whether the add-on has stopped working, for [`Counts::of`].
    ///
    /// [`Counts::of`]: tidegate_model::progress::Counts::of
    pub fn counted(&self) -> (ClusterState, bool) {
        (self.state, self.degraded.is_some())
    }

    /// Returns `true` if the cluster cannot be reached, so that the current health of its add-on is unknown.
    pub fn is_unreachable(&self) -> bool {
        self.reason == UNREACHABLE
    }
}

/// The reason given for a cluster that is done but cannot be reached.
pub const UNREACHABLE: &str = "the cluster is unreachable";
