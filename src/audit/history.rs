//! The history that a journal tells.
//!
//! Sealed rollouts are the record of what has ended; they are enough, so that the detail, which is the history of `clusters.yaml`,
//! may be pruned. The status and the clusters tell of what is under way, and the commits of what happened beside.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{Event, What};
use super::story::Story;
use tidegate_core::journal::documents::sealed_path;
use tidegate_core::journal::record::{API_VERSION, Outcome, SealedRollout};
use tidegate_core::journal::{Journal, seal};
use tidegate_model::name::{AddonName, ClusterName};
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
    /// Whether the clone lacks older commits: then events of before are not known. Rollouts that have ended are.
    pub shallow: bool,
    /// Files of the journal that could not be read; what they tell is missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// Rollouts that the journal must have told of, and does not: somebody has removed what was sealed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// The cluster that was asked for; each rollout names no other one then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterName>,
    /// The rollouts, in the order in which they started.
    pub rollouts: Vec<Story>,
    /// What happened beside them, the oldest first.
    pub events: Vec<Event>,
}

/// Rollouts of one add-on that are missing, one or several in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// The add-on.
    pub addon: AddonName,
    /// The number of the first one.
    pub first: u32,
    /// The number of the last one, which may be the first.
    pub last: u32,
}

/// What of a history is wanted.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Only this add-on.
    pub addon: Option<AddonName>,
    /// Only what this cluster was part of.
    pub cluster: Option<ClusterName>,
    /// Only what had not ended then.
    pub since: Option<Timestamp>,
}

impl History {
    /// Tells the history from the files of a journal, its events aside.
    pub fn of(journal: &Journal, files: &BTreeMap<String, Vec<u8>>, events: Vec<Event>) -> Self {
        let mut unreadable = journal.unreadable.clone();
        let mut stories = Vec::new();
        let mut numbers: BTreeSet<(AddonName, u32)> = BTreeSet::new();
        for (path, bytes) in files {
            let Some(sealed) = sealed_path(path) else { continue };
            numbers.insert(sealed);
            let text = std::str::from_utf8(bytes).ok();
            match text.and_then(|text| serde_saphyr::from_str::<SealedRollout>(text).ok()) {
                Some(sealed) => stories.push(Story::of(sealed)),
                None => unreadable.push(path.clone()),
            }
        }
        for (name, status) in &journal.addons {
            numbers.extend(status.rollout.iter().map(|rollout| (name.clone(), rollout.number)));
            let open = status.rollout.as_ref().filter(|rollout| rollout.outcome == Outcome::InProgress);
            if let Some(rollout) = open {
                let story = Story::of(seal::sealed(name, rollout, journal.clusters(name)));
                stories.push(Story { phase: Some(status.phase), problem: status.problem.clone(), ..story });
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

    /// Keeps what is wanted.
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
        // What is asked of one add-on or one cluster is not about the repository, rewritten histories apart.
        if addon.is_some() || cluster.is_some() {
            self.events.retain(|event| matches!(event.what, What::Refused { .. } | What::Rewritten { .. }));
        }
        self.cluster.clone_from(cluster);
        self
    }
}

/// Returns the gaps between the numbers of rollouts, which count up from 1.
fn missing(numbers: &BTreeSet<(AddonName, u32)>) -> Vec<Missing> {
    let mut last: Option<(&AddonName, u32)> = None;
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

/// Notes what each rollout went back to, and which one took it back.
fn link(stories: &mut [Story]) {
    let mut brought: BTreeMap<(AddonName, String), u32> = BTreeMap::new();
    let mut taken_back: BTreeMap<(AddonName, u32), u32> = BTreeMap::new();
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
