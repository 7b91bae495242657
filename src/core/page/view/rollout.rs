//! One rollout in depth.

use schemars::JsonSchema;
use serde::Serialize;

use super::release::Release;
use super::waiting::{Waiting, waiting};
use super::waves::{Wave, waves};
use crate::facts::Facts;
use crate::forecast::Durations;
use tidegate_journal::history::Story;
use tidegate_journal::record::{ApprovalRecord, Confirmation, Decision, Outcome, SealedCluster};
use tidegate_model::followed::Revision;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::{ClusterState, Counts, Phase};
use tidegate_model::time::{Rfc3339, Timestamp};

/// The number of failed clusters that are listed.
const FAILURES: usize = 50;

/// One rollout.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RolloutView {
    /// The add-on.
    pub addon: UnitName,
    /// The number of the rollout; 0 if the add-on has none yet.
    pub number: u32,
    /// The rollouts of the add-on before and after it, if there are any.
    pub neighbors: [Option<u32>; 2],
    /// From which version to which.
    pub release: Release,
    /// How it ended.
    pub outcome: Outcome,
    /// The phase of the add-on, while it is in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Why it is stopped or held, or was when it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// When it was first seen.
    #[schemars(with = "Rfc3339")]
    pub started: Timestamp,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub ended: Option<Timestamp>,
    /// Its clusters, by state.
    pub counts: Counts,
    /// Its groups, in order.
    pub waves: Vec<Wave>,
    /// The number of earlier rollouts that the forecast is made from.
    pub forecast_from: usize,
    /// Why clusters are not done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
    /// The first fifty clusters that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    /// The revision that it started from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// The digest of that revision for the add-on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The approvals that it needs, while it is in progress.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalRecord>,
    /// What people and policies decided about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The removals beyond the limits that were confirmed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confirmations: Vec<Confirmation>,
    /// The number of the rollout that reverted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverted_by: Option<u32>,
    /// The number of the rollout that replaced it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<u32>,
}

/// A cluster that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The cluster.
    pub cluster: ClusterName,
    /// Its state.
    pub state: ClusterState,
    /// Why it failed.
    pub reason: String,
    /// When it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
}

/// Returns a rollout of an add-on: the one with a number, or the last one.
pub(crate) fn rollout(addon: &UnitName, number: Option<u32>, facts: &Facts, now: Timestamp) -> Option<RolloutView> {
    let of_addon = || facts.history.rollouts.iter().filter(|story| story.addon == *addon);
    let story = match number {
        Some(number) => of_addon().find(|story| story.rollout.number == number)?,
        None => match of_addon().max_by_key(|story| story.rollout.number) {
            Some(story) => story,
            None => return before_the_first(addon, facts),
        },
    };
    let number = story.rollout.number;
    let numbers = || of_addon().map(|story| story.rollout.number);
    let neighbors = [numbers().filter(|other| *other < number).max(), numbers().filter(|other| *other > number).min()];
    let is_open = story.rollout.outcome == Outcome::InProgress;
    let status = facts.journal.addons.get(addon).filter(|_| is_open);
    Some(RolloutView {
        addon: addon.clone(),
        number,
        neighbors,
        release: Release::of(&story.rollout),
        outcome: story.rollout.outcome,
        phase: story.phase,
        problem: story.problem.clone(),
        started: story.rollout.started,
        ended: story.rollout.ended,
        counts: story.counts,
        waves: waves(story, facts, now),
        forecast_from: if is_open { Durations::before(&facts.history, story).rollouts } else { 0 },
        waiting: if is_open { waiting(addon, facts, None) } else { Vec::new() },
        failures: failures(story),
        revision: story.rollout.revision.clone(),
        digest: story.rollout.digest.as_ref().map(|digest| digest.as_str().to_owned()),
        approvals: status.map(|status| status.approvals.clone()).unwrap_or_default(),
        decisions: story.rollout.decisions.clone(),
        confirmations: story.rollout.confirmations.clone(),
        reverted_by: story.reverted_by,
        superseded_by: story.rollout.superseded_by,
    })
}

/// Returns an add-on without rollouts: it has no clusters yet, or is refused.
fn before_the_first(addon: &UnitName, facts: &Facts) -> Option<RolloutView> {
    let status = facts.journal.addons.get(addon)?;
    Some(RolloutView {
        addon: addon.clone(),
        number: 0,
        neighbors: [None, None],
        release: Release { from: String::new(), to: status.version.clone(), cause: None, reverts: None },
        outcome: Outcome::InProgress,
        phase: Some(status.phase),
        problem: status.problem.clone(),
        started: status.since,
        ended: None,
        counts: status.clusters,
        waves: Vec::new(),
        forecast_from: 0,
        waiting: waiting(addon, facts, None),
        failures: Vec::new(),
        revision: None,
        digest: status.digest.as_ref().map(|digest| digest.as_str().to_owned()),
        approvals: status.approvals.clone(),
        decisions: Vec::new(),
        confirmations: Vec::new(),
        reverted_by: None,
        superseded_by: None,
    })
}

fn failures(story: &Story) -> Vec<Failure> {
    let failed = story.clusters.iter().filter(|cluster| super::waiting::is_failed(cluster.state));
    let failure = |SealedCluster { cluster, state, reason, started, .. }: &SealedCluster| Failure {
        cluster: cluster.clone(),
        state: *state,
        reason: reason.clone(),
        started: *started,
    };
    failed.take(FAILURES).map(failure).collect()
}
