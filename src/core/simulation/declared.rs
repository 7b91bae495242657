//! The config repository: what each of its commits declares.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_consent::Approvals;
use tidegate_model::digest::Digest;
use tidegate_model::followed::Revision as Followed;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::Report;
use tidegate_repository::{Archive, Repository, hold, load, roll_back};

use super::consent::{self, Approval};
use super::revision::Revision;

/// What people decide about the rollout of a digest.
#[derive(Debug, Clone, Copy)]
pub enum Decision {
    /// Clusters that failed start again.
    Retry,
    /// Nothing more is started.
    Abort,
    /// Nothing is started for now.
    Pause,
}

/// Returns the content of a control file.
pub fn control(decision: Option<Decision>, digest: &Digest, now: Timestamp) -> Value {
    let (api_version, kind) = ("tidegate.io/v1alpha1", "Control");
    match decision {
        None => json!({ "apiVersion": api_version, "kind": kind }),
        Some(Decision::Retry) => json!({
            "apiVersion": api_version, "kind": kind, "retry": { "digest": digest, "at": now, "reason": "fixed" },
        }),
        Some(Decision::Abort) => json!({
            "apiVersion": api_version, "kind": kind, "abort": { "digest": digest, "reason": "broken" },
        }),
        Some(Decision::Pause) => {
            json!({ "apiVersion": api_version, "kind": kind, "pause": { "reason": "incident" } })
        }
    }
}

/// One commit.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    pub(crate) commit: CommitId,
    /// When it was made.
    at: Timestamp,
    pub(crate) repository: Arc<Repository>,
    /// The configurations of this and all earlier commits.
    pub(crate) archive: Arc<Archive>,
    /// The approvals until then.
    pub(crate) approvals: Arc<Approvals>,
}

/// All commits; the newest one is last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Commits {
    pub(crate) all: Vec<Declared>,
    newest: Option<Revision>,
    good: BTreeMap<UnitName, Arc<Repository>>,
}

impl Commits {
    pub(crate) fn add(&mut self, revision: Revision, at: Timestamp) {
        let last = self.all.last();
        let loaded = load(&revision.tree(), "");
        let repository = Arc::new(hold(loaded, &self.good, last.map(|last| &*last.repository)));
        let mut archive = last.map(|last| Archive::clone(&last.archive)).unwrap_or_default();
        archive.add(&repository);
        for name in repository.addons.keys().filter(|name| !repository.held.contains_key(*name)) {
            self.good.insert(name.clone(), Arc::clone(&repository));
        }
        if let Some(commit) = commit_id(self.all.len()) {
            let mut approvals = last.map(|last| Approvals::clone(&last.approvals)).unwrap_or_default();
            consent::record_change(&mut approvals, last.map(|last| &*last.repository), &repository, &commit);
            let (archive, approvals) = (Arc::new(archive), Arc::new(approvals));
            self.all.push(Declared { commit, at, repository, archive, approvals });
        }
        self.newest = Some(revision);
    }

    /// Commits an approval of the digest of the newest revision.
    pub(crate) fn approve(&mut self, approval: Approval, at: Timestamp) {
        let (Some(last), Some(commit)) = (self.all.last(), commit_id(self.all.len())) else { return };
        let Some((unit, digest)) = consent::unit(&last.repository) else { return };
        let mut approvals = Approvals::clone(&last.approvals);
        consent::approve(&mut approvals, (unit, digest), approval, &commit, at);
        self.all.push(Declared { commit, at, approvals: Arc::new(approvals), ..last.clone() });
    }

    /// Commits the newest revision again, with a decision about its digest; `None` takes all decisions back.
    pub(crate) fn decide(&mut self, decision: Option<Decision>, now: Timestamp) {
        let Some(mut revision) = self.newest.clone() else { return };
        let Some(digest) = self.all.last().and_then(|last| consent::digest(&last.repository)).cloned() else { return };
        revision.files.insert(revision.form.control(), control(decision, &digest, now));
        self.add(revision, now);
    }

    /// Returns what is in force after one of the commits: add-ons whose rollout failed are put back.
    pub(crate) fn in_force(&self, at: usize, report: &Report) -> Arc<Repository> {
        let Some(declared) = self.all.get(at) else { return Arc::default() };
        let reports = report.addons.iter();
        let rejections: Vec<_> = reports.filter_map(|(name, addon)| Some((name, addon.rejected.as_ref()?))).collect();
        if rejections.is_empty() {
            return Arc::clone(&declared.repository);
        }
        let mut repository = Repository::clone(&declared.repository);
        for (name, rejection) in rejections {
            let commit = rejection.good.as_ref().map(|good| &good.commit);
            let good = self.all[..=at].iter().find(|known| Some(&known.commit) == commit);
            roll_back(&mut repository, name, rejection, good.map(|good| &*good.repository));
        }
        Arc::new(repository)
    }

    /// Returns what the journal records of one of the commits.
    pub(crate) fn followed(&self, at: usize) -> Option<Followed> {
        let declared = self.all.get(at)?;
        Some(followed(&declared.commit, declared.at))
    }
}

/// Returns what the journal records of a commit that was made at this time.
pub fn followed(commit: &CommitId, time: Timestamp) -> Followed {
    Followed {
        commit: commit.clone(),
        subject: "a change".to_owned(),
        author: "Ada".to_owned(),
        committer: String::new(),
        time,
        tag: None,
        merge: None,
        approved_by: Vec::new(),
        signature: None,
        reverts: Vec::new(),
    }
}

/// Commits are numbered.
fn commit_id(number: usize) -> Option<CommitId> {
    format!("{:040x}", number + 1).parse().ok()
}
