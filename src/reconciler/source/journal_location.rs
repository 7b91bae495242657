//! Where the journal is in the config repository, and its files.

use std::collections::BTreeMap;

use super::error::Error;
use tidegate_core::repository::{self, SETTINGS_FILE};
use tidegate_git::{Mirror, Reference};
use tidegate_model::revision::CommitId;

/// Directory of the journal if it is on the followed branch.
pub(crate) const STATUS_DIRECTORY: &str = "status/";

/// Returns the journal branch that the settings of the followed revision name. Blocks.
///
/// # Errors
/// [`Error`] if the remote cannot be reached or has nothing to follow.
pub(crate) fn journal_branch(mirror: &Mirror, reference: &Reference) -> Result<String, Error> {
    let tip = mirror
        .follow(reference)
        .map_err(Error::Git)?
        .ok_or_else(|| Error::Nothing { reference: reference.described() })?;
    Ok(repository::settings_of(mirror.read(&tip.commit, SETTINGS_FILE).map_err(Error::Git)?).journal_branch)
}

/// Returns `true` if a reference is the branch with this name. A journal on it must be in its own directory.
pub(crate) fn is_branch(reference: &Reference, branch: &str) -> bool {
    reference.branch() == Some(branch)
}

/// Returns the files of a journal below a prefix, by path relative to it; empty if nothing was journaled there yet.
///
/// # Errors
/// [`tidegate_git::Error`] if the commit cannot be read.
pub(crate) fn files_below(
    mirror: &Mirror,
    commit: &CommitId,
    prefix: &str,
) -> Result<BTreeMap<String, Vec<u8>>, tidegate_git::Error> {
    let tree = match mirror.tree(commit, prefix.trim_end_matches('/')) {
        Err(tidegate_git::Error::NoDirectory { .. }) => return Ok(BTreeMap::new()),
        tree => tree?,
    };
    let inside = |path: String| path.strip_prefix(prefix).map(str::to_owned);
    Ok(tree.files.into_iter().filter_map(|(path, bytes)| Some((inside(path)?, bytes))).collect())
}
