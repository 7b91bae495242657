//! Facts of the journal that need evidence from the repository.

use std::sync::Arc;

use crate::audit::finding::{Finding, Problem};
use tidegate_consent::Pulls;
use tidegate_journal::record::{AddonStatus, Rollout, Sync};
use tidegate_model::chain::Link;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// What a commit of the journal records.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The commit.
    pub entry: Entry,
    /// `sync.yaml` before the commit; `None` if there was none.
    pub before: Option<Arc<Sync>>,
    /// `sync.yaml` after the commit.
    pub sync: Arc<Sync>,
    /// The pull requests before the commit.
    pub pulls_before: Arc<Pulls>,
    /// The pull requests after the commit.
    pub pulls: Arc<Pulls>,
    /// What it records.
    pub what: What,
}

/// A commit of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The commit.
    pub commit: CommitId,
    /// The author that it names.
    pub author: String,
    /// When it was written.
    pub at: Timestamp,
}

impl Entry {
    /// Returns a commit of the journal.
    pub(in crate::audit) fn of(link: &Link) -> Self {
        let author = format!("{} <{}>", link.author.name, link.author.email);
        Self { commit: link.id.clone(), author, at: link.author.time }
    }

    /// Returns a problem as a finding of this commit.
    pub(in crate::audit) fn finding(&self, path: Option<String>, problem: Problem) -> Finding {
        let Problem { rule, line, problem, expected } = problem;
        let (commit, author) = (self.commit.clone(), self.author.clone());
        Finding { commit, author, rule, path, line, problem, expected }
    }
}

/// What is recorded.
#[derive(Debug, Clone)]
pub enum What {
    /// The rules in force, or the changes that they judge.
    Rules,
    /// Clusters started.
    Started(Box<Start>),
}

/// Clusters of an add-on that started.
#[derive(Debug, Clone)]
pub struct Start {
    /// The add-on.
    pub addon: UnitName,
    /// Its status before the commit; `None` if there was none.
    pub before: Option<Arc<AddonStatus>>,
    /// Its status after the commit.
    pub after: Arc<AddonStatus>,
    /// The rollouts that ended in between.
    pub ended: Vec<Rollout>,
    /// The last digest that all clusters completed before, as far as the journal shows that they did.
    pub good: Option<Digest>,
    /// Whether an earlier rollout completed what the last one brings.
    pub was_completed: bool,
    /// The clusters.
    pub clusters: Vec<Started>,
    /// Whether the commit is the first one of the journal and combines earlier entries, which are lost.
    pub begins_again: bool,
    /// The record of the fleet, `fleet.yaml`; `None` if there is none.
    pub fleet: Option<Arc<Vec<u8>>>,
}

/// A cluster that started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// Its name.
    pub name: ClusterName,
    /// Its line in `clusters.yaml`.
    pub line: usize,
    /// Namespace and name of its placement; empty if it was chosen by hand.
    pub placement: String,
    /// Index of its decision group; `None` if it was chosen by hand.
    pub index: Option<i32>,
    /// Its decision group as policies name it: by its name, or by its index.
    pub group: String,
    /// When it started; the time of the commit if that is not recorded.
    pub at: Timestamp,
    /// Whether it started before the commit with which the unit came back to the journal, so that nothing shows what was approved then.
    pub is_older: bool,
}

impl Start {
    /// Returns the digests that a cluster may have started on: that of the status, and those of rollouts that ended since the last commit
    /// if the cluster started before the last rollout.
    pub(in crate::audit) fn digests(&self, cluster: &Started) -> Vec<&Digest> {
        let rollout = self.after.rollout.as_ref();
        let number = |status: &AddonStatus| status.rollout.as_ref().map(|rollout| rollout.number);
        let before = self.before.as_deref();
        let is_same = before.is_some_and(|before| number(before) == number(&self.after));
        let is_earlier = is_same || rollout.is_some_and(|rollout| cluster.at < rollout.started);
        let earlier = before.and_then(|before| before.digest.as_ref());
        let ended = self.ended.iter().filter_map(|rollout| rollout.digest.as_ref());
        let others = earlier.into_iter().chain(ended).filter(|_| is_earlier);
        let mut found: Vec<&Digest> = self.after.digest.iter().chain(others).collect();
        found.dedup();
        found
    }
}
