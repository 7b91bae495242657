//! Where the journal is in the config repository, and its files.

use std::collections::BTreeMap;

use super::error::Error;
use super::trust::{Policy, is_signed as is_trusted};
use tidegate_git::{Mirror, Reference};
use tidegate_model::revision::CommitId;
use tidegate_repository::SETTINGS_FILE;

/// Directory of the journal if it is on the followed branch.
pub const STATUS_DIRECTORY: &str = "status/";

/// Returns the journal branch that the settings of the followed revision name. Blocks.
///
/// # Errors
/// [`Error`] if the remote cannot be reached or has nothing to follow.
pub fn journal_branch(mirror: &Mirror, reference: &Reference) -> Result<String, Error> {
    let tip = mirror
        .follow(reference)
        .map_err(Error::Git)?
        .ok_or_else(|| Error::Nothing { reference: reference.described() })?;
    Ok(tidegate_repository::settings_of(mirror.read(&tip.commit, SETTINGS_FILE).map_err(Error::Git)?).journal_branch)
}

/// What decides on which branch the journal is, if the operator does not name one.
pub(crate) struct Choice<'a> {
    /// The reference that is followed.
    pub(crate) reference: &'a Reference,
    /// Which revisions are trusted.
    pub(crate) policy: &'a Policy,
    /// The branch that this machine used last.
    pub(crate) recorded: Option<&'a str>,
    /// Whether the commits of the journal are signed.
    pub(crate) is_signed: bool,
}

/// Returns the branch of the journal: the one that this machine used last, or else the one that a trusted revision names. Blocks.
///
/// The revision that is followed next must not choose it: a copy of the journal on another branch could contain anything.
///
/// # Errors
/// [`Error`] if the remote cannot be reached or has nothing to follow, or if the revision names another branch than the default for a journal
/// that is signed.
pub(crate) fn trusted_branch(mirror: &Mirror, choice: &Choice<'_>) -> Result<String, Error> {
    let Choice { reference, policy, recorded, is_signed } = *choice;
    if let Some(recorded) = recorded {
        return Ok(recorded.to_owned());
    }
    let default = tidegate_repository::Settings::default().journal_branch;
    let tip = mirror.follow(reference).map_err(Error::Git)?;
    let tip = tip.ok_or_else(|| Error::Nothing { reference: reference.described() })?;
    if policy.commits.is_some() {
        let store = policy.store().unwrap_or_default();
        if !is_trusted(&store, &mirror.commit_info(&tip.commit).map_err(Error::Git)?) {
            return Ok(default);
        }
    }
    let named = journal_branch(mirror, reference)?;
    if is_signed && named != default {
        return Err(Error::JournalBranch { named });
    }
    Ok(named)
}

/// Returns `true` if a reference is the branch with this name. A journal on it must be in its own directory.
pub fn is_branch(reference: &Reference, branch: &str) -> bool {
    reference.branch() == Some(branch)
}

/// Returns the files of a journal below a prefix, by path relative to it; empty if nothing was journaled there yet.
///
/// # Errors
/// [`tidegate_git::Error`] if the commit cannot be read.
pub fn files_below(
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
