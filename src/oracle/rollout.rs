//! Area `rollout`: one decision of the compat engine, with the effective strategy.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{GoDuration, Timestamp};
use tidegate_rollout::{ClusterStatus, Decision, GroupKey, Input, Status};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    now: Timestamp,
    decision_groups: Vec<Group>,
    rollout_strategy: RolloutStrategy,
    existing_cluster_status: Option<Vec<Entry>>,
}

/// A decision group of a case.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Group {
    #[serde(default)]
    group_name: String,
    #[serde(default)]
    group_index: i32,
    clusters: Vec<ClusterName>,
}

impl From<Group> for DecisionGroup {
    fn from(group: Group) -> Self {
        Self { index: group.group_index, name: group.group_name, clusters: group.clusters }
    }
}

/// One cluster, as given or as answered.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    cluster_name: String,
    status: Standing,
    #[serde(default)]
    group_name: String,
    #[serde(default)]
    group_index: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_transition_time: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recheck_time: Option<Timestamp>,
}

/// [`Status`], serialized by name.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Status")]
enum StatusName {
    ToApply,
    Progressing,
    Succeeded,
    Failed,
    TimeOut,
    Skip,
}

/// A status, as given or as answered.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Standing(#[serde(with = "StatusName")] pub(super) Status);

impl From<Entry> for ClusterStatus {
    fn from(entry: Entry) -> Self {
        Self {
            group: GroupKey { index: entry.group_index, name: entry.group_name },
            last_transition: entry.last_transition_time,
            look_at: entry.recheck_time,
            ..Self::new(entry.cluster_name, entry.status.0)
        }
    }
}

impl From<ClusterStatus> for Entry {
    fn from(status: ClusterStatus) -> Self {
        Self {
            cluster_name: status.cluster,
            status: Standing(status.status),
            group_name: status.group.name,
            group_index: status.group.index,
            last_transition_time: status.last_transition,
            recheck_time: status.look_at,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    clusters_to_rollout: Vec<Entry>,
    clusters_time_out: Vec<Entry>,
    clusters_removed: Vec<Entry>,
    max_failure_breach: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    recheck_after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective_strategy: Option<RolloutStrategy>,
}

/// Answers one case.
pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    let case = Case::deserialize(input)?;
    let groups = distinct(case.decision_groups)?;
    let existing: Vec<ClusterStatus> =
        case.existing_cluster_status.into_iter().flatten().map(ClusterStatus::from).collect();
    let strategy = &case.rollout_strategy;
    let decided = tidegate_rollout::decide(
        &Input { strategy, groups: &groups, existing: &existing, tolerates_failures: false, now: case.now },
        Semantics::Compat,
    );
    let error = decided.as_ref().err().map(|error| ErrorChain(error).to_string());
    let decision = decided.unwrap_or_default();
    serde_json::to_value(Answer {
        error,
        recheck_after: recheck_after(&decision),
        clusters_to_rollout: decision.rollout.into_iter().map(Entry::from).collect(),
        clusters_time_out: decision.timed_out.into_iter().map(Entry::from).collect(),
        clusters_removed: decision.removed.into_iter().map(Entry::from).collect(),
        max_failure_breach: decision.breach,
        effective_strategy: tidegate_rollout::effective(strategy),
    })
}

/// Returns the groups of a case.
///
/// # Errors
/// Two groups with the same index: which of them upstream uses is random.
pub(super) fn distinct(groups: Vec<Group>) -> Result<Vec<DecisionGroup>, serde_json::Error> {
    let mut groups: Vec<_> = groups.into_iter().map(DecisionGroup::from).collect();
    groups.sort_by_key(|group| group.index);
    match groups.windows(2).find_map(|pair| match pair {
        [one, other] if one.index == other.index => Some(one.index),
        _ => None,
    }) {
        Some(index) => Err(serde_json::Error::custom(format!("there are two decision groups with index {index}"))),
        None => Ok(groups),
    }
}

/// Returns the time until the next look, formatted as in Go.
pub(super) fn recheck_after(decision: &Decision) -> Option<String> {
    decision.wake_after.map(|span| GoDuration(span).to_string())
}
