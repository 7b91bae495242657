//! Why clusters wait or fail, each reason once.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Facts;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The number of clusters that are named for each reason.
const NAMED: usize = 8;

/// A reason, and the clusters that have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// The state of the clusters.
    pub state: ClusterState,
    /// Why they are in it.
    pub reason: String,
    /// What would let them proceed; empty if that is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opens: String,
    /// How many clusters.
    pub clusters: usize,
    /// The first of them.
    pub first: Vec<ClusterName>,
    /// Since when the first of them is in it, as far as that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
    /// When time alone changes the state of one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub look_at: Option<Timestamp>,
}

/// Returns what happens to a cluster in a state at a time that the journal names.
pub fn change_at(state: ClusterState, at: &str) -> String {
    match state {
        ClusterState::Progressing => format!("counts as failed at {at}, unless it is done before"),
        ClusterState::Failed => format!("times out at {at}, unless it recovers before"),
        ClusterState::Soaking => format!("is done at {at}, if it stays healthy until then"),
        ClusterState::Waiting => format!("may start at {at}"),
        _ => format!("is checked again at {at}"),
    }
}

/// Returns `true` if a cluster failed or took too long.
pub(crate) fn is_failed(state: ClusterState) -> bool {
    matches!(state, ClusterState::Failed | ClusterState::TimedOut)
}

/// Returns why the clusters of an add-on, or of one of its groups, are not done, those that failed first, and then by number of clusters.
pub(crate) fn waiting(addon: &UnitName, facts: &Facts, group: Option<Option<i32>>) -> Vec<Waiting> {
    let mut found: BTreeMap<(ClusterState, &str, &str), Waiting> = BTreeMap::new();
    for (name, cluster) in facts.journal.lists.get(addon).into_iter().flatten() {
        if cluster.state.is_settled() || group.is_some_and(|group| cluster.group != group) {
            continue;
        }
        let key = (cluster.state, cluster.reason.as_str(), cluster.opens.as_str());
        let entry = found.entry(key).or_insert_with(|| Waiting {
            state: cluster.state,
            reason: cluster.reason.clone(),
            opens: cluster.opens.clone(),
            clusters: 0,
            first: Vec::new(),
            since: None,
            look_at: None,
        });
        entry.clusters += 1;
        if entry.first.len() < NAMED {
            entry.first.push(name.clone());
        }
        entry.since = tidegate_model::time::sooner(entry.since, cluster.since);
        entry.look_at = tidegate_model::time::sooner(entry.look_at, cluster.look_at);
    }
    let mut found: Vec<Waiting> = found.into_values().collect();
    found.sort_by_key(|waiting| (!is_failed(waiting.state), std::cmp::Reverse(waiting.clusters)));
    found
}
