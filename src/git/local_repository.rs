//! A local repository that is only read, no matter who created it: a clone with a work tree, a bare repository, or a mirror.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gix::ThreadSafeRepository;

use crate::history::shallow::ShallowHistory;
use crate::history::{blame, chain, directory, log};
use crate::store::state;
use crate::tree::{diff, read};
use crate::{Blame, Chain, CommitInfo, DirectoryHistory, Error, Limits, LogEntry, Mirror, id};
use tidegate_model::chain::Link;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

/// A local repository that is only read. Its methods block.
#[derive(Debug)]
pub struct LocalRepository {
    repository: ThreadSafeRepository,
}

impl LocalRepository {
    /// Opens the repository that contains a directory, as Git discovers it from there.
    ///
    /// # Errors
    /// [`Error::Open`] if the directory is not in a repository.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, Error> {
        let directory = directory.as_ref();
        let failed = |source| Error::Open { dir: directory.to_owned(), source };
        let full = directory.canonicalize().map_err(|error| failed(gix::Error::from_error(error)))?;
        // A bare repository has its HEAD in the directory itself.
        if full.ancestors().all(|place| !place.join(".git").exists() && !place.join("HEAD").exists()) {
            return Err(Error::NoRepository { dir: full });
        }
        let mut first = None;
        for place in full.ancestors() {
            match state::options().open(place) {
                Ok(repository) => return Ok(Self { repository }),
                Err(error) => first = first.or(Some(error)),
            }
        }
        let nothing = || gix::Error::from_error(std::io::Error::from(std::io::ErrorKind::NotFound));
        Err(failed(first.unwrap_or_else(nothing)))
    }

    /// Returns the tip of a branch: the local branch, or the remote-tracking branch of `origin`. If both exist, the one
    /// that is ahead.
    ///
    /// # Errors
    /// [`Error::Branch`] for an invalid branch name, [`Error::Repository`] if the branch cannot be read.
    pub fn tip(&self, branch: &str) -> Result<Option<CommitId>, Error> {
        let repository = self.repository();
        let name = id::branch(branch)?;
        let read = Error::local("read a branch");
        let find = |name: &str| -> Result<Option<gix::ObjectId>, Error> {
            let Some(mut found) = repository.try_find_reference(name).map_err(&read)? else { return Ok(None) };
            found.peel_to_id().map(|id| Some(id.detach())).map_err(&read)
        };
        let here = find(&name.as_bstr().to_string())?;
        let there = find(&format!("refs/remotes/origin/{branch}"))?;
        let tip = match (here, there) {
            (Some(here), Some(there)) => {
                // In a shallow clone the two may have no history in common.
                let base = repository.merge_base(here, there).ok().flatten().map(gix::Id::detach);
                Some(if base == Some(here) { there } else { here })
            }
            (here, there) => here.or(there),
        };
        Ok(tip.map(id::commit_id))
    }

    /// Returns the commit that a revision names: a branch, also one of `origin`, a tag, a commit, or an expression such as `HEAD~1`.
    /// Returns `None` if it names none.
    ///
    /// # Errors
    /// [`Error::Repository`] if the object cannot be read.
    ///
    /// # Source
    /// gitrevisions(7).
    pub fn resolve(&self, revision: &str) -> Result<Option<CommitId>, Error> {
        let repository = self.repository();
        let there = format!("refs/remotes/origin/{revision}");
        let found = [revision, &there].into_iter().find_map(|name| repository.rev_parse_single(name).ok());
        let Some(found) = found else { return Ok(None) };
        let object = found.object().map_err(Error::local("read a revision"))?;
        Ok(object.peel_to_commit().ok().map(|commit| id::commit_id(commit.id)))
    }

    /// Returns the branch that HEAD points at; `None` if HEAD is detached or not a branch.
    ///
    /// # Errors
    /// [`Error::Repository`] if it cannot be read.
    pub fn head(&self) -> Result<Option<String>, Error> {
        let name = self.repository().head_name().map_err(Error::local("read HEAD"))?;
        Ok(name.and_then(|name| Some(name.as_bstr().to_string().strip_prefix("refs/heads/")?.to_owned())))
    }

    /// Returns `true` if a part of the history of a commit is missing, as in a shallow clone.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the repository lacks the commit.
    pub fn is_cut(&self, tip: &CommitId) -> Result<bool, Error> {
        let repository = self.repository();
        let tip = id::existing_commit(&repository, tip)?;
        let is_whole = ShallowHistory::of(&repository).and_then(|history| history.is_whole(tip));
        Ok(!is_whole.map_err(Error::local("read the history of a commit"))?)
    }

    /// Returns all files of a commit below a directory, as [`Mirror::tree`] does.
    ///
    /// # Errors
    /// [`Error::NoDirectory`] if there is no such directory.
    pub fn tree(&self, commit: &CommitId, path: &str) -> Result<Tree, Error> {
        read::files(&self.repository(), Limits::default(), commit, path)
    }

    /// Returns the content of one file of a commit, as [`Mirror::read`] does.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the file exceeds the limit for one file.
    pub fn read(&self, commit: &CommitId, path: &str) -> Result<Option<Vec<u8>>, Error> {
        read::file(&self.repository(), Limits::default(), commit, path)
    }

    /// Returns which commits wrote the lines of a file whose current content is `present`. Returns `None` if that is unknown: the
    /// file is outside the work tree, or the commits that wrote it are missing. Blocks.
    pub fn blame(&self, file: &Path, present: &[u8]) -> Option<Blame> {
        blame::blame(&self.repository(), file, present)
    }

    /// Returns what is known about a commit. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the repository lacks it.
    pub fn commit_info(&self, commit: &CommitId) -> Result<CommitInfo, Error> {
        log::commit_info(&self.repository(), commit)
    }

    /// Returns `true` if `ancestor` is an ancestor of `descendant`; a commit is its own ancestor. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the repository lacks one of them.
    pub fn is_ancestor(&self, ancestor: &CommitId, descendant: &CommitId) -> Result<bool, Error> {
        log::is_ancestor(&self.repository(), ancestor, descendant)
    }

    /// Returns the commits in the history of `new` that are not in that of `old`, as [`Mirror::commits_between`] does. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the repository lacks one of the two.
    pub fn commits_between(&self, old: &CommitId, new: &CommitId, limit: usize) -> Result<Vec<LogEntry>, Error> {
        log::between(&self.repository(), Some(old), new, limit)
    }

    /// Returns the paths that differ between two commits, as [`Mirror::changed_paths`] does. Blocks.
    ///
    /// # Errors
    /// [`Error::TooMany`] if more entries would have to be visited than the [`Limits`] allow.
    pub fn changed_paths(&self, old: &CommitId, new: &CommitId) -> Result<BTreeSet<String>, Error> {
        diff::changed_paths(&self.repository(), Limits::default(), Some(old), new)
    }

    /// Returns how the files below a directory changed in the history of a commit, as [`Mirror::directory_history`] does. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the repository lacks the commit.
    pub fn directory_history(&self, directory: &str, tip: &CommitId, limit: usize) -> Result<DirectoryHistory, Error> {
        directory::history(&mut self.repository(), directory, None, tip, limit)
    }

    /// Walks a chain, oldest commit first, until `visit` breaks. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the repository lacks the tip, [`Error::Repository`] if the history cannot be read.
    pub fn walk(&self, chain: &Chain<'_>, visit: &mut dyn FnMut(Link) -> ControlFlow<()>) -> Result<(), Error> {
        chain::walk(&mut self.repository(), chain, visit)
    }

    /// Returns a handle for one operation.
    fn repository(&self) -> gix::Repository {
        self.repository.to_thread_local()
    }
}

impl Mirror {
    /// Returns the path of the repository of a mirror. Another part of the process that has the mirror may read it there.
    pub fn repository_path(directory: &Path) -> PathBuf {
        state::path(directory)
    }

    /// Returns the mirror as a read-only local repository.
    pub fn local_repository(&self) -> LocalRepository {
        LocalRepository { repository: self.repository().clone().into_sync() }
    }
}
