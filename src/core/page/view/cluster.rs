//! One cluster: what it is, what it has, and what happened to it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::clusters::{Row, row, set};
use super::release::Release;
use crate::facts::Facts;
use tidegate_journal::history::{Story, seconds};
use tidegate_journal::record::{Outcome, SealedCluster};
use tidegate_journal::snapshot::{Availability, Cluster};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::{Rfc3339, Timestamp};

/// One cluster.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterView {
    /// Its name.
    pub name: ClusterName,
    /// Whether the hub has a record of it; its labels and claims are not known otherwise.
    pub known: bool,
    /// Whether it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub availability: Option<Availability>,
    /// Its set; empty if it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub set: String,
    /// Its version of Kubernetes; empty if it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kubernetes: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its claims.
    pub claims: BTreeMap<String, String>,
    /// Its add-ons.
    pub addons: Vec<Installed>,
    /// What happened to it, newest first.
    pub life: Vec<Event>,
}

/// An add-on of the cluster.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Installed {
    /// The state of the add-on.
    #[serde(flatten)]
    pub row: Row,
    /// What would let it proceed; empty if nothing is left to do.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opens: String,
    /// The rollout that brought what it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollout: Option<u32>,
    /// How it differs from most clusters of its group: their version, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<String>,
}

/// What a rollout did to the cluster.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The add-on.
    pub addon: UnitName,
    /// The number of the rollout.
    pub number: u32,
    /// From which version to which.
    pub release: Release,
    /// How the rollout ended.
    pub outcome: Outcome,
    /// The state of the cluster, now or when the rollout ended.
    pub state: ClusterState,
    /// When the cluster started.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
    /// How long it took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
    /// Why it was not done.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Who wrote the revision.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub author: String,
}

/// Returns a cluster; `None` if the journal does not know it.
pub(crate) fn cluster(name: &ClusterName, facts: &Facts) -> Option<ClusterView> {
    let record = facts.fleet.as_ref().and_then(|fleet| fleet.clusters.get(name));
    let found = facts.journal.lists.iter().filter_map(|(addon, list)| Some((addon, list.get(name)?)));
    let found = found.filter(|(_, report)| report.state != ClusterState::Removed);
    let addons: Vec<Installed> = found
        .map(|(addon, report)| Installed {
            row: row(facts, name, addon, report),
            opens: report.opens.clone(),
            rollout: brought(facts, name, addon),
            others: others(facts, addon, report),
        })
        .collect();
    let life: Vec<Event> = facts.history.rollouts.iter().rev().flat_map(|story| events(story, name)).collect();
    if record.is_none() && addons.is_empty() && life.is_empty() {
        return None;
    }
    let of = |part: fn(&Cluster) -> BTreeMap<String, String>| record.map(part).unwrap_or_default();
    Some(ClusterView {
        name: name.clone(),
        known: record.is_some_and(|record| !record.missing),
        availability: record.map(|record| record.availability),
        set: record.map(set).unwrap_or_default(),
        kubernetes: record.map(|record| record.kubernetes.clone()).unwrap_or_default(),
        labels: of(|record| record.labels.clone()),
        claims: of(|record| record.claims.clone()),
        addons,
        life,
    })
}

/// Returns the last rollout that reached a cluster.
fn brought(facts: &Facts, name: &ClusterName, addon: &UnitName) -> Option<u32> {
    let mut stories = facts.history.rollouts.iter().rev().filter(|story| story.addon == *addon);
    let reached = |story: &&Story| {
        let mut members = story.clusters.iter().filter(|member| member.cluster == *name);
        members.any(|member| tidegate_journal::history::is_reached(&story.rollout, member))
    };
    stories.find(reached).map(|story| story.rollout.number)
}

/// Returns the version that more than half of the clusters of the same group have, if it is another one.
fn others(facts: &Facts, addon: &UnitName, report: &tidegate_journal::record::ClusterReport) -> Option<String> {
    let same = facts.journal.lists.get(addon)?.values().filter(|other| {
        (&other.placement, other.group) == (&report.placement, report.group) && !other.state.is_unselected()
    });
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut total = 0;
    for other in same {
        *counts.entry(&other.version).or_default() += 1;
        total += 1;
    }
    let (most, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (most != report.version && count * 2 > total).then(|| most.to_owned())
}

fn events(story: &Story, name: &ClusterName) -> Vec<Event> {
    let event = |member: &SealedCluster| Event {
        addon: story.addon.clone(),
        number: story.rollout.number,
        release: Release::of(&story.rollout),
        outcome: story.rollout.outcome,
        state: member.state,
        started: member.started,
        seconds: member.started.zip(member.finished).map(|(from, to)| seconds(from, to)),
        reason: member.left_out.clone().unwrap_or_else(|| member.reason.clone()),
        author: story.rollout.revision.as_ref().map(|revision| revision.author.clone()).unwrap_or_default(),
    };
    story.members().filter(|member| member.cluster == *name).map(event).collect()
}
