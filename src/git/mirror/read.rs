//! Reads the commits of a mirror: their files, messages and order.

use std::collections::BTreeSet;

use crate::history::{directory, log};
use crate::tree::{diff, read};
use crate::{CommitInfo, DirectoryHistory, Error, Limits, LogEntry, Mirror, id};
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

impl Mirror {
    /// Returns all files of a commit below a directory; `""` and `"."` name the root. Blocks.
    ///
    /// # Shape
    /// Symbolic links, submodules, Git LFS pointers, paths that are not UTF-8 and anything that exceeds the [`Limits`](crate::Limits) are
    /// in `skipped`. Once the limit on entries or total bytes is reached, reading stops: the first path that was left out
    /// represents all that come after it. Such a tree is incomplete, so a missing file means nothing.
    ///
    /// # Errors
    /// [`Error::NoDirectory`] if there is no such directory, so that a mistyped path is never treated as empty.
    pub fn tree(&self, commit: &CommitId, path: &str) -> Result<Tree, Error> {
        read::files(&self.repository(), self.limits(), commit, path)
    }

    /// Returns all files of a commit like [`tree`](Self::tree), within other limits than those of the mirror. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks the commit.
    pub fn tree_within(&self, commit: &CommitId, limits: Limits) -> Result<Tree, Error> {
        read::files(&self.repository(), limits, commit, "")
    }

    /// Returns the content of one file of a commit; `None` if there is no regular file at that path. Blocks.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the file exceeds the limit for one file.
    pub fn read(&self, commit: &CommitId, path: &str) -> Result<Option<Vec<u8>>, Error> {
        read::file(&self.repository(), self.limits(), commit, path)
    }

    /// Returns the paths that differ between two commits: added, removed, or changed in content or mode. Blocks.
    ///
    /// `None` represents a commit without files. Only directories that differ are read. A directory that is nested too
    /// deeply represents everything in it.
    ///
    /// # Errors
    /// [`Error::TooMany`] if more entries would have to be visited than the [`Limits`](crate::Limits) allow;
    /// [`Error::UnknownCommit`] if the mirror lacks one of the commits.
    pub fn changed_paths(&self, old: Option<&CommitId>, new: &CommitId) -> Result<BTreeSet<String>, Error> {
        diff::changed_paths(&self.repository(), self.limits(), old, new)
    }

    /// Returns the history of a commit, newest first: at most `limit` commits, as far as the mirror has them. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks the commit.
    pub fn log(&self, tip: &CommitId, limit: usize) -> Result<Vec<LogEntry>, Error> {
        log::between(&self.repository(), None, tip, limit)
    }

    /// Returns the commits in the history of `new` that are not in that of `old`, newest first, at most `limit` of
    /// them, as far as the mirror has them. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks one of the two.
    pub fn commits_between(
        &self,
        old: Option<&CommitId>,
        new: &CommitId,
        limit: usize,
    ) -> Result<Vec<LogEntry>, Error> {
        log::between(&self.repository(), old, new, limit)
    }

    /// Returns how the files below a directory changed in the history of `new` that is not in that of `old`, along all parents of every
    /// commit. At most `limit` commits are visited, as far as the mirror has them. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks one of the two.
    pub fn directory_history(
        &self,
        directory: &str,
        old: Option<&CommitId>,
        new: &CommitId,
        limit: usize,
    ) -> Result<DirectoryHistory, Error> {
        directory::history(&mut self.repository().clone(), directory, old, new, limit)
    }

    /// Returns what is known about a commit. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks the commit.
    pub fn commit_info(&self, commit: &CommitId) -> Result<CommitInfo, Error> {
        log::commit_info(&self.repository(), commit)
    }

    /// Returns the newest common ancestor of two commits, as far as the mirror has their histories; `None` if they have none. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks one of them.
    pub fn merge_base(&self, one: &CommitId, other: &CommitId) -> Result<Option<CommitId>, Error> {
        let repository = self.repository();
        let (one, other) = (id::existing_commit(&repository, one)?, id::existing_commit(&repository, other)?);
        let base = repository.merge_base(one, other).map_err(Error::local("compare two histories"))?;
        Ok(base.map(|base| id::commit_id(base.detach())))
    }

    /// Returns `true` if `ancestor` is an ancestor of `descendant`; a commit is its own ancestor.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks one of them.
    pub fn is_ancestor(&self, ancestor: &CommitId, descendant: &CommitId) -> Result<bool, Error> {
        log::is_ancestor(&self.repository(), ancestor, descendant)
    }
}
