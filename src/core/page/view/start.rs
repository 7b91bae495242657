//! The start: what needs people, what is under way, and what is quiet.

use schemars::JsonSchema;
use serde::Serialize;

use super::need::{Need, needs};
use super::release::Release;
use super::waves::{self, Wave};
use crate::facts::Facts;
use crate::forecast::Band;
use tidegate_consent::Standing;
use tidegate_journal::history::Story;
use tidegate_journal::record::{AddonStatus, Outcome};
use tidegate_model::name::UnitName;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::time::{Rfc3339, Timestamp};

/// The start.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// What waits for a person, the most urgent first.
    pub needs: Vec<Need>,
    /// The rollouts under way.
    pub active: Vec<Active>,
    /// The add-ons that are at rest.
    pub quiet: Vec<Quiet>,
    /// The number of pull requests that are open. Their reviews are asked for on the forge.
    pub open_pulls: usize,
}

/// A rollout under way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Active {
    /// The add-on.
    pub addon: UnitName,
    /// From which version to which.
    pub release: Release,
    /// The phase of the add-on.
    pub phase: Phase,
    /// The group that is under way, such as `canary`.
    pub wave: String,
    /// Its number, from 1, and the number of groups.
    pub position: [usize; 2],
    /// The clusters.
    pub counts: Counts,
    /// Why most of its clusters are not done; empty if that is not known.
    pub reason: String,
    /// When the rollout started.
    #[schemars(with = "Rfc3339")]
    pub started: Timestamp,
    /// When its end is expected; absent if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Band>,
}

/// An add-on at rest.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quiet {
    /// The add-on.
    pub addon: UnitName,
    /// The version of its clusters.
    pub version: String,
    /// The clusters.
    pub counts: Counts,
    /// Since when.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
}

/// Returns the start.
pub(crate) fn start(facts: &Facts, now: Timestamp) -> Start {
    let open = facts.history.rollouts.iter().filter(|story| story.rollout.outcome == Outcome::InProgress);
    let active: Vec<Active> = open.map(|story| active(story, facts, now)).collect();
    let is_quiet = |status: &&AddonStatus| active.iter().all(|active| active.addon != status.addon);
    let quiet = facts.journal.addons.values().filter(is_quiet).map(|status| Quiet {
        addon: status.addon.clone(),
        version: status.version.clone(),
        counts: status.clusters,
        since: status.since,
    });
    let quiet = quiet.collect();
    let open_pulls = facts.journal.pulls.values().filter(|pull| pull.state == Standing::Open).count();
    Start { needs: needs(facts), active, quiet, open_pulls }
}

fn active(story: &Story, facts: &Facts, now: Timestamp) -> Active {
    let waves = waves::waves(story, facts, now);
    let current = waves.iter().position(Wave::is_open).unwrap_or(waves.len().saturating_sub(1));
    let end = waves.iter().filter_map(|wave| wave.expected).max_by_key(|band| band.p90);
    let is_known = waves.iter().all(|wave| !wave.is_open() || wave.expected.is_some() && !wave.is_stuck());
    let group = waves.get(current).and_then(|wave| wave.group);
    let waiting = super::waiting::waiting(&story.addon, facts, Some(group));
    Active {
        addon: story.addon.clone(),
        release: Release::of(&story.rollout),
        phase: story.phase.unwrap_or_default(),
        wave: waves.get(current).map(|wave| wave.name.clone()).unwrap_or_default(),
        position: [current + 1, waves.len()],
        counts: story.counts,
        reason: waiting.into_iter().max_by_key(|waiting| waiting.clusters).map(|w| w.reason).unwrap_or_default(),
        started: story.rollout.started,
        end: end.filter(|_| is_known),
    }
}
