//! Reads one or all files of a commit, without a work tree.

use super::entries::lookup;
use super::walk::{Walk, is_regular};
use crate::{Error, Limits, id};
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

/// Returns all files of a commit below a directory, from any repository.
pub(crate) fn files(
    repository: &gix::Repository,
    limits: Limits,
    commit: &CommitId,
    path: &str,
) -> Result<Tree, Error> {
    let components = components(path);
    let root = root_tree(repository, commit)?;
    let found = if components.is_empty() {
        Some(root.id)
    } else {
        let entry = lookup(repository, root.id, components.iter().copied());
        let entry = entry.map_err(Error::local("look up a directory"))?;
        entry.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id)
    };
    let no_directory = || Error::NoDirectory { commit: commit.clone(), path: path.to_owned() };
    let directory = found.ok_or_else(no_directory)?;
    Walk::new(repository, limits)
        .read_below(components.join("/"), directory)
        .map_err(Error::local("read the files of a commit"))
}

/// Returns the content of one file of a commit, from any repository.
pub(crate) fn file(
    repository: &gix::Repository,
    limits: Limits,
    commit: &CommitId,
    path: &str,
) -> Result<Option<Vec<u8>>, Error> {
    let failed = Error::local("read a file of a commit");
    let entry = lookup(repository, root_tree(repository, commit)?.id, components(path)).map_err(&failed)?;
    let Some((_, id)) = entry.filter(|(mode, _)| is_regular(*mode)) else { return Ok(None) };
    let (bytes, limit) = (repository.find_header(id).map_err(&failed)?.size(), limits.file_bytes);
    if bytes > limit {
        return Err(Error::TooLarge { path: path.to_owned(), bytes, limit });
    }
    Ok(Some(repository.find_blob(id).map_err(&failed)?.take_data()))
}

pub(super) fn root_tree<'a>(repository: &'a gix::Repository, commit: &CommitId) -> Result<gix::Tree<'a>, Error> {
    let id = id::existing_commit(repository, commit)?;
    repository.find_commit(id).and_then(|commit| commit.tree()).map_err(Error::local("read the tree of a commit"))
}

fn components(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}
