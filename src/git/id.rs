//! Converts commit ids and branch names between our types and those of the Git library.

use gix::ObjectId;
use gix::refs::FullName;

use crate::Error;
use tidegate_model::revision::CommitId;

/// Returns the commit id for an object id.
pub(crate) fn commit_id(id: impl Into<ObjectId>) -> CommitId {
    id.into().to_hex().to_string().parse().expect("an object id prints as hexadecimal digits of a known length")
}

/// Returns the object id of a commit that is in the repository.
pub(crate) fn existing_commit(repository: &gix::Repository, commit: &CommitId) -> Result<ObjectId, Error> {
    let unknown = || Error::UnknownCommit { commit: commit.clone() };
    let id = ObjectId::from_hex(commit.as_str().as_bytes()).map_err(|_| unknown())?;
    let header = repository.try_find_header(id).map_err(Error::local("look up a commit"))?;
    let is_commit = header.is_some_and(|header| header.kind() == gix::objs::Kind::Commit);
    if is_commit { Ok(id) } else { Err(unknown()) }
}

/// Returns the full name of a branch.
pub(crate) fn branch(branch: &str) -> Result<FullName, Error> {
    full_name(&format!("refs/heads/{branch}"), branch)
}

/// Checks the full name of a branch or tag; `short` is the name for the error message.
pub(crate) fn full_name(full: &str, short: &str) -> Result<FullName, Error> {
    let name = gix::validate::reference::branch_name(full.into())
        .map_err(gix::Error::from_error)
        .map(|name| FullName::try_from(name).map_err(gix::Error::from_error));
    name.flatten().map_err(|source| Error::Branch { branch: short.to_owned(), source })
}
