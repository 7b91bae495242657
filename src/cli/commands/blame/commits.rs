//! The commits that wrote the lines in the history of a value.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use tidegate_consent::approval;
use tidegate_git::{Blame, CommitInfo, LocalRepository};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;

/// Who wrote a line.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Wrote {
    /// Unknown: the directory is not in a clone, or the value is in no file.
    Unknown,
    /// The line is not committed in its current form.
    Uncommitted,
    /// A commit.
    Commit(Written),
}

impl Wrote {
    /// Returns `true` if there is no commit.
    pub(super) fn is_uncommitted(&self) -> bool {
        !matches!(self, Self::Commit(_))
    }
}

/// The commit that wrote a line.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Written {
    id: CommitId,
    author: String,
    time: Timestamp,
    subject: String,
    /// The people in its `Approved-by` and `Reviewed-by` trailers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    approved_by: Vec<String>,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, author, subject, approved_by, time: _ } = self;
        write!(f, "{} {author}: {subject}", id.short())?;
        if approved_by.is_empty() { Ok(()) } else { write!(f, ", approved by {}", approved_by.join(", ")) }
    }
}

/// The commits of the clone that contains the files, if there is one.
pub(super) struct Commits<'a> {
    tree: &'a Tree,
    root: PathBuf,
    repository: Option<LocalRepository>,
    files: BTreeMap<String, Option<Blame>>,
    commits: BTreeMap<CommitId, Wrote>,
}

impl<'a> Commits<'a> {
    /// Creates the lookup for the files of a directory on this machine.
    pub(super) fn of(root: &Path, tree: &'a Tree) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let repository = LocalRepository::open(&root).ok();
        Self { tree, repository, root, files: BTreeMap::new(), commits: BTreeMap::new() }
    }

    /// Returns who wrote a line.
    pub(super) fn find(&mut self, file: &str, line: u32) -> Wrote {
        let (Some(repository), Some(present)) = (&self.repository, self.tree.files.get(file)) else {
            return Wrote::Unknown;
        };
        let blame = match self.files.get(file) {
            Some(known) => known,
            None => self.files.entry(file.to_owned()).or_insert(repository.blame(&self.root.join(file), present)),
        };
        let Some(blame) = blame else { return Wrote::Unknown };
        let Some(id) = blame.of_line(line) else { return Wrote::Uncommitted };
        let wrote = self.commits.entry(id.clone()).or_insert_with(|| match repository.commit_info(id) {
            Ok(CommitInfo { author, subject, message, .. }) => {
                let approvals = approval::read(&message);
                let approved_by = approvals.approved_by.into_iter().chain(approvals.reviewed_by).collect();
                Wrote::Commit(Written { id: id.clone(), author: author.name, time: author.time, subject, approved_by })
            }
            Err(_) => Wrote::Unknown,
        });
        wrote.clone()
    }
}
