//! Finds the commits that added and withdrew each approval, in the history of the files.

use std::collections::{BTreeMap, BTreeSet};

use super::document::Entry;
use super::path::DIRECTORY;
use super::read::{Malformed, read};
use crate::consent::fact::{Addition, Fact, Signature, Source};
use tidegate_model::chain::Content;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;

/// One file as a commit left it, and as it was in each parent of the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The commit.
    pub commit: CommitId,
    /// The file.
    pub path: String,
    /// The content after the commit.
    pub after: Content,
    /// The content in each parent.
    pub before: Vec<Content>,
    /// Whether a parent is not available, as in a shallow clone. Then it is not known what the commit added.
    pub is_cut: bool,
}

/// An approval with everything that the file says about it. If one of these values is changed, it is another approval.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Written {
    path: String,
    addon: AddonName,
    digest: String,
    group: Option<String>,
    entry: Entry,
}

/// The history of all approvals: which commits added each one, and which one withdrew it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trail {
    added: BTreeMap<Written, BTreeSet<CommitId>>,
    withdrawn: BTreeMap<Written, CommitId>,
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
}

impl Trail {
    /// Adds a version to the history. The order of versions matters only for which of several withdrawals is reported: the first.
    ///
    /// A commit adds an approval if it has it and none of its parents has, so a merge adds only what is in neither branch. It
    /// withdraws an approval if a parent has it and the commit does not. A withdrawal is final: otherwise a merge could bring back
    /// what was withdrawn.
    pub fn add(&mut self, version: &Version) {
        let after = entries(&version.path, &version.after);
        let before: Vec<BTreeSet<Written>> =
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

/// Returns the approvals in the files of a commit, with the withdrawn ones, and the files that count for nothing.
pub fn facts(tree: &Tree, trail: &Trail, evidence: &BTreeMap<CommitId, Evidence>) -> (Vec<Fact>, Vec<Malformed>) {
    let (mut present, mut malformed) = (BTreeSet::new(), Vec::new());
    let from = format!("{DIRECTORY}/");
    let is_document =
        |path: &str| [".yaml", ".yml", ".json"].iter().any(|ending| path.to_lowercase().ends_with(ending));
    for (path, bytes) in tree.files.iter().filter(|(path, _)| path.starts_with(&from) && is_document(path)) {
        match written(path, bytes) {
            Ok(found) => present.extend(found),
            Err(why) => malformed.push(why),
        }
    }
    for (path, why) in tree.skipped.iter().filter(|(path, _)| path.starts_with(&from) || *path == DIRECTORY) {
        malformed.push(Malformed { file: path.clone(), why: why.clone() });
    }
    let all: BTreeSet<&Written> = present.iter().chain(trail.withdrawn.keys()).collect();
    let facts = all.into_iter().map(|written| fact(written, trail, evidence)).collect();
    (facts, malformed)
}

fn fact(written: &Written, trail: &Trail, evidence: &BTreeMap<CommitId, Evidence>) -> Fact {
    let Written { path, addon, digest, group, entry } = written;
    let Entry { by, at, instance, reason, break_glass } = entry;
    let addition = |commit: &CommitId| {
        let Evidence { committed, seen, signature } = evidence.get(commit)?.clone();
        Some(Addition { commit: commit.clone(), committed, seen, signature })
    };
    Fact {
        source: Source::Entry,
        file: path.clone(),
        addon: addon.clone(),
        digest: digest.clone(),
        group: group.clone(),
        instance: Some(instance.clone()),
        by: by.clone(),
        at: *at,
        reason: reason.clone(),
        break_glass: *break_glass,
        added: trail.added.get(written).into_iter().flatten().filter_map(addition).collect(),
        withdrawn: trail.withdrawn.get(written).cloned(),
    }
}

fn entries(path: &str, content: &Content) -> BTreeSet<Written> {
    match content {
        Content::File(bytes) => written(path, bytes).unwrap_or_default(),
        Content::Gone | Content::Unread(_) => BTreeSet::new(),
    }
}

fn written(path: &str, bytes: &[u8]) -> Result<BTreeSet<Written>, Malformed> {
    let approval = read(path, bytes)?;
    let of = |entry: &Entry| Written {
        path: path.to_owned(),
        addon: approval.addon.clone(),
        digest: approval.digest.clone(),
        group: approval.group.clone(),
        entry: entry.clone(),
    };
    Ok(approval.approvals.iter().map(of).collect())
}
