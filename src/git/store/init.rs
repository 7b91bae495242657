//! Creates repositories, for the local demo and for tests.

use std::path::Path;

use gix::ThreadSafeRepository;

use super::{commit, state};
use crate::{Error, NewCommit, Signer};
use tidegate_model::revision::CommitId;

/// Creates an empty bare repository in a directory that is empty or does not exist. Blocks.
///
/// # Errors
/// [`Error::Open`] if the directory cannot be used or the name of the default branch is invalid.
pub fn init_bare(path: impl AsRef<Path>, default_branch: &str) -> Result<(), Error> {
    let path = path.as_ref();
    let options = gix::open::Options::isolated().config_overrides([format!("init.defaultBranch={default_branch}")]);
    ThreadSafeRepository::init_opts(path, gix::create::Kind::Bare, gix::create::Options::default(), options)
        .map(drop)
        .map_err(|source| Error::Open { dir: path.to_owned(), source })
}

/// Writes a commit into a local repository, as a [`Mirror`](crate::Mirror) does into its own. Blocks.
///
/// # Errors
/// [`Error::Open`] if there is no repository; otherwise as for a mirror.
pub fn seed(path: impl AsRef<Path>, new: &NewCommit) -> Result<CommitId, Error> {
    write(path.as_ref(), new, None)
}

/// Writes a signed commit into a local repository. Blocks.
///
/// # Errors
/// [`Error::Signing`] if the signer fails; otherwise as for [`seed`].
pub fn seed_signed(path: impl AsRef<Path>, new: &NewCommit, signer: &Signer) -> Result<CommitId, Error> {
    write(path.as_ref(), new, Some(signer))
}

fn write(path: &Path, new: &NewCommit, signer: Option<&Signer>) -> Result<CommitId, Error> {
    let repository = state::options().open(path).map_err(|source| Error::Open { dir: path.to_owned(), source })?;
    commit::write(&repository.to_thread_local(), new, signer)
}
