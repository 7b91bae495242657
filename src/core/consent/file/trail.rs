//! Finds the commits that added and withdrew each approval, in the history of the files.

use std::collections::{BTreeMap, BTreeSet};

use super::document::Entry;
use super::path::DIRECTORY;
use super::read::read;
use crate::fact::{Addition, Fact, Signature, Written};
use tidegate_model::chain::{Content, FileVersion};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;

/// An approval with everything that the file says about it. If one of these values is changed, it is another approval.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entered {
    path: String,
    addon: UnitName,
    digest: String,
    group: Option<String>,
    entry: Entry,
}

/// The history of all approvals: which commits added each one, and which one withdrew it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trail {
    added: BTreeMap<Entered, BTreeSet<CommitId>>,
    withdrawn: BTreeMap<Entered, CommitId>,
}

/// What is known about a commit that added an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The time of the committer.
    pub committed: Timestamp,
    /// When the daemon saw the commit first; `None` if that is not known.
    pub seen: Option<Timestamp>,
    /// The verdict on its signature.
    pub signature: Signature,
    /// Who wrote it.
    pub written: Written,
}

impl Trail {
    /// Adds a version to the history. The order of versions matters only for which of several withdrawals is reported: the first.
    ///
    /// A commit adds an approval if it has it and none of its parents has, so a merge adds only what is in neither branch. It
    /// withdraws an approval if a parent has it and the commit does not. A withdrawal is final: otherwise a merge could bring back
    /// what was withdrawn.
    pub fn add(&mut self, version: &FileVersion) {
        let after = entries(&version.path, &version.after);
        let before: Vec<BTreeSet<Entered>> =
            version.before.iter().map(|content| entries(&version.path, content)).collect();
        for written in before.iter().flatten().filter(|written| !after.contains(*written)) {
            self.withdrawn.entry(written.clone()).or_insert_with(|| version.commit.clone());
        }
        if version.is_cut {
            return;
        }
        for written in after.into_iter().filter(|written| !before.iter().any(|before| before.contains(written))) {
            self.added.entry(written).or_default().insert(version.commit.clone());
        }
    }

    /// Returns the commits that added approvals.
    pub fn commits(&self) -> BTreeSet<&CommitId> {
        self.added.values().flatten().collect()
    }
}

/// Returns the approvals in the files of a commit, and the withdrawn ones. A malformed file has none.
pub fn facts(tree: &Tree, trail: &Trail, evidence: &BTreeMap<CommitId, Evidence>) -> Vec<Fact> {
    let from = format!("{DIRECTORY}/");
    let files = tree.files.iter().filter(|(path, _)| path.starts_with(&from));
    let present: BTreeSet<Entered> = files.filter_map(|(path, bytes)| written(path, bytes).ok()).flatten().collect();
    let all: BTreeSet<&Entered> = present.iter().chain(trail.withdrawn.keys()).collect();
    all.into_iter().map(|written| fact(written, trail, evidence)).collect()
}

fn fact(written: &Entered, trail: &Trail, evidence: &BTreeMap<CommitId, Evidence>) -> Fact {
    let Entered { path, addon, digest, group, entry } = written;
    let Entry { by, at, instance, reason, break_glass } = entry;
    let addition = |commit: &CommitId| {
        let Evidence { committed, seen, signature, written } = evidence.get(commit)?.clone();
        Some(Addition { commit: commit.clone(), committed, seen, signature, written })
    };
    Fact {
        file: path.clone(),
        addon: addon.clone(),
        digest: digest.clone(),
        group: group.clone(),
        instance: instance.clone(),
        by: by.clone(),
        at: *at,
        reason: reason.clone(),
        break_glass: *break_glass,
        added: trail.added.get(written).into_iter().flatten().filter_map(addition).collect(),
        withdrawn: trail.withdrawn.get(written).cloned(),
    }
}

fn entries(path: &str, content: &Content) -> BTreeSet<Entered> {
    match content {
        Content::File(bytes) => written(path, bytes).unwrap_or_default(),
        Content::Gone | Content::Unread(_) => BTreeSet::new(),
    }
}

fn written(path: &str, bytes: &[u8]) -> Result<BTreeSet<Entered>, Diagnostic> {
    let approval = read(path, bytes)?;
    let of = |entry: &Entry| Entered {
        path: path.to_owned(),
        addon: approval.addon.clone(),
        digest: approval.digest.clone(),
        group: approval.group.clone(),
        entry: entry.clone(),
    };
    Ok(approval.approvals.iter().map(of).collect())
}
