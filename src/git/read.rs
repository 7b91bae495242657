//! Reads one or all files of a commit, without a work tree.

use super::walk::{Walk, is_regular};
use super::{Error, Limits, Mirror, id};
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

impl Mirror {
    /// Returns all files of a commit below a directory; `""` and `"."` name the root. Blocks.
    ///
    /// # Shape
    /// Symbolic links, submodules, Git LFS pointers, paths that are not UTF-8 and anything that exceeds the [`Limits`] are
    /// in `skipped`. Once the limit on entries or total bytes is reached, reading stops: the first path that was left out
    /// represents all that come after it. Such a tree is incomplete, so a missing file means nothing.
    ///
    /// # Errors
    /// [`Error::NoDirectory`] if there is no such directory, so that a mistyped path is never treated as empty.
    pub fn tree(&self, commit: &CommitId, path: &str) -> Result<Tree, Error> {
        files(&self.repository(), self.limits(), commit, path)
    }

    /// Returns the content of one file of a commit; `None` if there is no regular file at that path. Blocks.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the file exceeds the limit for one file.
    pub fn read(&self, commit: &CommitId, path: &str) -> Result<Option<Vec<u8>>, Error> {
        file(&self.repository(), self.limits(), commit, path)
    }
}

/// Returns all files of a commit below a directory, from any repository.
pub(super) fn files(
    repository: &gix::Repository,
    limits: Limits,
    commit: &CommitId,
    path: &str,
) -> Result<Tree, Error> {
    let parts = parts(path);
    let root = root(repository, commit)?;
    let found = if parts.is_empty() {
        Some(root.id)
    } else {
        let entry = root.lookup_entry(parts.iter().copied()).map_err(Error::local("look up a directory"))?;
        entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id())
    };
    let no_directory = || Error::NoDirectory { commit: commit.clone(), path: path.to_owned() };
    let directory = found.ok_or_else(no_directory)?;
    Walk::new(repository, limits).below(parts.join("/"), directory).map_err(Error::local("read the files of a commit"))
}

/// Returns the content of one file of a commit, from any repository.
pub(super) fn file(
    repository: &gix::Repository,
    limits: Limits,
    commit: &CommitId,
    path: &str,
) -> Result<Option<Vec<u8>>, Error> {
    let failed = Error::local("read a file of a commit");
    let entry = root(repository, commit)?.lookup_entry(parts(path)).map_err(&failed)?;
    let Some(entry) = entry.filter(|entry| is_regular(entry.mode())) else { return Ok(None) };
    let (bytes, limit) = (repository.find_header(entry.object_id()).map_err(&failed)?.size(), limits.file_bytes);
    if bytes > limit {
        return Err(Error::TooLarge { path: path.to_owned(), bytes, limit });
    }
    Ok(Some(repository.find_blob(entry.object_id()).map_err(&failed)?.take_data()))
}

pub(super) fn root<'a>(repository: &'a gix::Repository, commit: &CommitId) -> Result<gix::Tree<'a>, Error> {
    let id = id::known(repository, commit)?;
    repository.find_commit(id).and_then(|commit| commit.tree()).map_err(Error::local("read the tree of a commit"))
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}
