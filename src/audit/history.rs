//! The history that a journal tells.
//!
//! Sealed rollouts are the record of what has ended; they are enough, so that the detail, which is the history of `clusters.yaml`,
//! may be pruned. The status and the clusters tell of what is under way, and the commits of what happened beside.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{Event, What};
use super::story::Story;
use crate::journal::entry::sealed_path;
use crate::journal::record::{API_VERSION, Outcome, SealedRollout};
use crate::journal::{Journal, seal};
use crate::model::name::{AddonName, ClusterName};
use crate::model::time::Timestamp;

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
    /// The cluster that was asked for; each rollout names no other one then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterName>,
    /// The rollouts, in the order in which they started.
    pub rollouts: Vec<Story>,
    /// What happened beside them, the oldest first.
    pub events: Vec<Event>,
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
        for (path, bytes) in files.iter().filter(|(path, _)| sealed_path(path).is_some()) {
            let text = std::str::from_utf8(bytes).ok();
            match text.and_then(|text| serde_saphyr::from_str::<SealedRollout>(text).ok()) {
                Some(sealed) => stories.push(Story::of(sealed)),
                None => unreadable.push(path.clone()),
            }
        }
        for (name, status) in &journal.addons {
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
            cluster: None,
            rollouts: stories,
            events,
        }
    }

    /// Keeps what is wanted.
    pub fn only(mut self, wanted: &Wanted) -> Self {
        let Wanted { addon, cluster, since } = wanted;
        self.rollouts.retain(|story| addon.as_ref().is_none_or(|addon| story.addon == *addon));
        if let Some(cluster) = cluster {
            for story in &mut self.rollouts {
                story.clusters.retain(|member| member.cluster == *cluster);
            }
            self.rollouts.retain(|story| !story.clusters.is_empty());
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
