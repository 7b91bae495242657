//! The history of rollouts, as read from a journal.
//!
//! Sealed rollouts are the record of what has ended. They are sufficient on their own, so the detail (the history of
//! `clusters.yaml`) may be pruned. The status and the clusters describe what is in progress, and the commits describe events
//! outside of rollouts.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{Event, What};
use super::story::Story;
use crate::file::JournalFile;
use crate::record::{API_VERSION, Outcome};
use crate::{Journal, sealed};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;

/// The history of every rollout, as `tidegate history -o json` prints it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `History`.
    #[schemars(extend("const" = "History"))]
    pub kind: String,
    /// Whether the clone lacks older commits: earlier events are then unknown, but ended rollouts are complete.
    pub shallow: bool,
    /// Files of the journal that could not be read; their content is missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// Rollouts that the journal must have recorded, but lacks: someone removed sealed files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// The requested cluster; each rollout then lists only this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterName>,
    /// The rollouts, in the order in which they started.
    pub rollouts: Vec<Story>,
    /// Events outside of rollouts, oldest first.
    pub events: Vec<Event>,
}

/// A gap of one or more consecutive missing rollouts of one add-on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// The add-on.
    pub addon: UnitName,
    /// The number of the first one.
    pub first: u32,
    /// The number of the last one, which may be the first.
    pub last: u32,
}

/// A filter for a history.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Only this add-on.
    pub addon: Option<UnitName>,
    /// Only rollouts that this cluster was part of.
    pub cluster: Option<ClusterName>,
    /// Only what had not ended by this time.
    pub since: Option<Timestamp>,
}

impl History {
    /// Builds the history from the files of a journal and the given events.
    pub fn of(journal: &Journal, files: &BTreeMap<String, Vec<u8>>, events: Vec<Event>) -> Self {
        let (mut stories, mut unreadable) = (Vec::new(), Vec::new());
        for (path, bytes) in files {
            if let Some(JournalFile::Sealed(..)) = JournalFile::of(path) {
                match Story::read(bytes) {
                    Some(story) => stories.push(story),
                    None => unreadable.push(path.clone()),
                }
            }
        }
        Self::of_stories(journal, stories, unreadable, events)
    }

    /// Builds the history from the rollouts that have ended, the files of those that could not be read, and the given events.
    pub fn of_stories(journal: &Journal, mut stories: Vec<Story>, lost: Vec<String>, events: Vec<Event>) -> Self {
        let mut numbers: BTreeSet<(UnitName, u32)> = lost.iter().filter_map(|path| sealed_at(path)).collect();
        numbers.extend(stories.iter().map(|story| (story.addon.clone(), story.rollout.number)));
        let unreadable: Vec<String> = journal.unreadable.iter().cloned().chain(lost).collect();
        for (name, status) in &journal.addons {
            numbers.extend(status.rollout.iter().map(|rollout| (name.clone(), rollout.number)));
            let open = status.rollout.as_ref().filter(|rollout| rollout.outcome == Outcome::InProgress);
            if let Some(rollout) = open {
                let problem = status.problem.as_deref();
                let story = Story::of(sealed::sealed(name, rollout, problem, &status.checks, journal.clusters(name)));
                stories.push(Story { phase: Some(status.phase), ..story });
            }
        }
        stories.sort_by(|a, b| {
            let order = |s: &Story| (s.rollout.started, s.addon.clone(), s.rollout.number);
            order(a).cmp(&order(b))
        });
        link(&mut stories);
        Self {
            api_version: API_VERSION.to_owned(),
            kind: "History".to_owned(),
            shallow: false,
            unreadable,
            missing: missing(&numbers),
            cluster: None,
            rollouts: stories,
            events,
        }
    }

    /// Keeps only what the filter selects.
    pub fn only(mut self, wanted: &Wanted) -> Self {
        let Wanted { addon, cluster, since } = wanted;
        self.rollouts.retain(|story| addon.as_ref().is_none_or(|addon| story.addon == *addon));
        self.missing.retain(|missing| addon.as_ref().is_none_or(|addon| missing.addon == *addon));
        if let Some(cluster) = cluster {
            for story in &mut self.rollouts {
                story.clusters.retain(|member| member.cluster == *cluster);
                story.rollout.undone_removals.retain(|member| member.cluster == *cluster);
            }
            self.rollouts.retain(|story| story.members().next().is_some());
        }
        if let Some(since) = since {
            self.rollouts.retain(|story| story.rollout.ended.is_none_or(|ended| ended >= *since));
            self.events.retain(|event| event.at >= *since);
        }
        // A query for one add-on or cluster omits repository-wide events, except refused revisions, rewritten histories, and decisions that
        // concern it.
        if addon.is_some() || cluster.is_some() {
            let addons: BTreeSet<UnitName> = self.rollouts.iter().map(|story| story.addon.clone()).collect();
            self.events.retain(|event| match &event.what {
                What::Refused { .. } | What::Rewritten { .. } => true,
                What::Decided { addon, .. } => addon.as_ref().is_none_or(|addon| addons.contains(addon)),
                What::Complaints { .. } | What::Failures { .. } => false,
            });
        }
        self.cluster.clone_from(cluster);
        self
    }
}

fn sealed_at(path: &str) -> Option<(UnitName, u32)> {
    match JournalFile::of(path)? {
        JournalFile::Sealed(addon, number) => Some((addon, number)),
        _ => None,
    }
}

/// Returns the gaps between the numbers of rollouts, which count up from 1.
fn missing(numbers: &BTreeSet<(UnitName, u32)>) -> Vec<Missing> {
    let mut last: Option<(&UnitName, u32)> = None;
    let mut gaps = Vec::new();
    for (addon, number) in numbers {
        let before = last.filter(|(name, _)| *name == addon).map_or(0, |(_, number)| number);
        if let (first, Some(end)) = (before.saturating_add(1), number.checked_sub(1))
            && first <= end
        {
            gaps.push(Missing { addon: addon.clone(), first, last: end });
        }
        last = Some((addon, *number));
    }
    gaps
}

/// Links each rollout to the one whose configurations it restored, and to the one that reverted it.
fn link(stories: &mut [Story]) {
    let mut brought: BTreeMap<(UnitName, String), u32> = BTreeMap::new();
    let mut taken_back: BTreeMap<(UnitName, u32), u32> = BTreeMap::new();
    for story in stories.iter_mut() {
        let key = (story.addon.clone(), story.rollout.target.clone());
        story.back_to = brought.insert(key, story.rollout.number);
        if let Some(reverted) = story.rollout.reverts {
            taken_back.insert((story.addon.clone(), reverted), story.rollout.number);
        }
    }
    for story in stories {
        story.reverted_by = taken_back.get(&(story.addon.clone(), story.rollout.number)).copied();
    }
}
