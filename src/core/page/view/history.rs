//! All rollouts, and the four figures of a period.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::release::Release;
use crate::facts::Facts;
use tidegate_journal::history::Story;
use tidegate_journal::record::{Cause, Decision, Outcome};
use tidegate_model::name::UnitName;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::time::{Rfc3339, SignedDuration, Timestamp};

/// The number of rollouts of a page.
pub const ROWS: usize = 100;

/// What is wanted of the history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// A part of the name of an add-on.
    pub addon: String,
    /// The name of a cluster.
    pub cluster: String,
    /// A part of the name of a person: an author, or someone who approved.
    pub person: String,
    /// Only what had not ended by this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
    /// Only what had started by this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub until: Option<Timestamp>,
}

/// All rollouts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryView {
    /// What was wanted.
    pub wanted: Wanted,
    /// Why the search cannot be made; no rollout is shown then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The number of rollouts that are wanted.
    pub total: usize,
    /// The page, from 1.
    pub page: usize,
    /// The number of pages, at least 1.
    pub pages: usize,
    /// The rollouts of the page, newest first.
    pub rollouts: Vec<Entry>,
    /// The figures of all rollouts that are wanted.
    pub figures: Figures,
}

/// One rollout.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The add-on.
    pub addon: UnitName,
    /// The number of the rollout.
    pub number: u32,
    /// From which version to which.
    pub release: Release,
    /// How it ended.
    pub outcome: Outcome,
    /// The phase of the add-on, while it is in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// When it was first seen.
    #[schemars(with = "Rfc3339")]
    pub started: Timestamp,
    /// How long it took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
    /// Its clusters.
    pub counts: Counts,
    /// Who wrote the revision.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// The number of the rollout that reverted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverted_by: Option<u32>,
    /// Those who approved it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approved_by: Vec<String>,
}

/// The four figures that DORA measures, for rollouts of configurations that ended in the period.
///
/// # Source
/// <https://dora.dev/guides/dora-metrics-four-keys/>
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Deployment frequency: rollouts that completed.
    pub completed: usize,
    /// Change lead time: the median of the seconds from the commit to the end of the rollout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_seconds: Option<i64>,
    /// Change fail rate: of the rollouts that ended, those that were reverted, rejected, or replaced after clusters failed.
    pub failed: usize,
    /// The number of rollouts that ended.
    pub ended: usize,
    /// Time to restore: the median of the seconds from the start of a rollout that failed to the end of the next one that completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore_seconds: Option<i64>,
}

/// Returns a page of the rollouts that are wanted.
pub(crate) fn history(facts: &Facts, wanted: Result<Wanted, impl fmt::Display>, page: usize) -> HistoryView {
    let (wanted, problem) = match wanted {
        Ok(wanted) => (wanted, None),
        Err(problem) => (Wanted::default(), Some(problem.to_string())),
    };
    let found: Vec<&Story> =
        facts.history.rollouts.iter().filter(|story| problem.is_none() && is_wanted(story, &wanted)).collect();
    let pages = found.len().div_ceil(ROWS).max(1);
    let page = page.clamp(1, pages);
    let rollouts = found.iter().rev().skip((page - 1) * ROWS).take(ROWS).map(|story| entry(story)).collect();
    let figures = figures(&found, &wanted, facts);
    HistoryView { wanted, problem, total: found.len(), page, pages, rollouts, figures }
}

fn is_wanted(story: &Story, wanted: &Wanted) -> bool {
    let Wanted { addon, cluster, person, since, until } = wanted;
    let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.trim().to_lowercase());
    contains(story.addon.as_str(), addon)
        && (cluster.trim().is_empty() || story.members().any(|member| member.cluster.as_str() == cluster.trim()))
        && (person.trim().is_empty() || people(story).iter().any(|name| contains(name, person)))
        && since.is_none_or(|since| story.rollout.ended.is_none_or(|ended| ended >= since))
        && until.is_none_or(|until| story.rollout.started <= until)
}

/// Returns those who wrote or approved a rollout.
fn people(story: &Story) -> Vec<String> {
    let revision = story.rollout.revision.iter();
    let wrote =
        revision.flat_map(|revision| [&revision.author, &revision.committer].into_iter().chain(&revision.approved_by));
    wrote.cloned().chain(approved_by(story)).filter(|name| !name.is_empty()).collect()
}

/// Returns those whose approvals counted.
fn approved_by(story: &Story) -> Vec<String> {
    let seats = story.rollout.decisions.iter().flat_map(|decision| match decision {
        Decision::Approved(approval) | Decision::Overrode(approval) => approval.by.as_slice(),
        Decision::Rejected(_) | Decision::TookBack(_) => &[],
    });
    let mut people: Vec<String> = seats.map(|seat| seat.person.clone()).collect();
    people.sort_unstable();
    people.dedup();
    people
}

fn entry(story: &Story) -> Entry {
    Entry {
        addon: story.addon.clone(),
        number: story.rollout.number,
        release: Release::of(&story.rollout),
        outcome: story.rollout.outcome,
        phase: story.phase,
        started: story.rollout.started,
        seconds: story.seconds,
        counts: story.counts,
        author: story.rollout.revision.as_ref().map(|revision| revision.author.clone()).unwrap_or_default(),
        reverted_by: story.reverted_by,
        approved_by: approved_by(story),
    }
}

fn figures(found: &[&Story], wanted: &Wanted, facts: &Facts) -> Figures {
    let is_in = |story: &&&Story| {
        let ended = story.rollout.ended;
        story.rollout.cause == Cause::Configuration
            && ended.is_some_and(|ended| wanted.until.is_none_or(|until| ended <= until))
    };
    let ended: Vec<&&Story> = found.iter().filter(is_in).collect();
    let completed = || ended.iter().filter(|story| story.rollout.outcome == Outcome::Completed);
    let lead = completed().filter_map(|story| {
        Some(span(story.rollout.revision.as_ref()?.time, story.rollout.ended?)).filter(|seconds| *seconds >= 0)
    });
    let failed: Vec<&&&Story> = ended.iter().filter(|story| is_failed(story, facts)).collect();
    let restore = failed.iter().filter_map(|story| {
        let later = facts.history.rollouts.iter().filter(|other| other.addon == story.addon);
        let completed = later.filter(|other| is_restored(other) && other.rollout.number > story.rollout.number);
        Some(span(story.rollout.started, completed.min_by_key(|other| other.rollout.number)?.rollout.ended?))
    });
    Figures {
        completed: completed().count(),
        lead_seconds: median(lead.collect()),
        failed: failed.len(),
        ended: ended.len(),
        restore_seconds: median(restore.collect()),
    }
}

/// Returns `true` if a rollout brought configurations to all of its clusters.
fn is_restored(story: &Story) -> bool {
    story.rollout.outcome == Outcome::Completed && story.rollout.cause == Cause::Configuration
}

fn is_failed(story: &Story, facts: &Facts) -> bool {
    let is_rejected = story.rollout.decisions.iter().any(|decision| matches!(decision, Decision::Rejected(_)));
    let is_replaced = story.rollout.outcome == Outcome::Superseded && story.counts.failed > 0;
    let mut others = facts.history.rollouts.iter().filter(|other| other.addon == story.addon);
    let is_reverted =
        story.reverted_by.is_some_and(|by| others.any(|other| other.rollout.number == by && is_restored(other)));
    is_reverted || is_rejected || is_replaced
}

fn span(from: Timestamp, to: Timestamp) -> i64 {
    let span: SignedDuration = from.duration_until(to);
    span.as_secs()
}

fn median(mut seconds: Vec<i64>) -> Option<i64> {
    seconds.sort_unstable();
    let upper = seconds.get(seconds.len() / 2).copied()?;
    let lower = seconds.get((seconds.len() - 1) / 2).copied()?;
    Some(lower + (upper - lower) / 2)
}
