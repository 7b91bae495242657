//! Reads and updates refs. A branch moves only from an expected value.

use gix::ObjectId;
use gix::refs::FullName;
use gix::refs::transaction::{Change, PreviousValue, RefEdit, RefLog};

use crate::{Error, id};
use tidegate_model::revision::CommitId;

/// Moves a branch from an expected value to another.
pub(crate) fn move_branch(
    repository: &gix::Repository,
    branch: &str,
    expect: Option<&CommitId>,
    to: ObjectId,
) -> Result<(), Error> {
    let name = id::branch(branch)?;
    let moved = |found: Option<ObjectId>| Error::Moved { branch: branch.to_owned(), found: found.map(id::commit_id) };
    let found = peeled(repository, &name)?;
    if found.map(id::commit_id).as_ref() != expect {
        return Err(moved(found));
    }
    let expected = found.map_or(PreviousValue::MustNotExist, |id| PreviousValue::MustExistAndMatch(id.into()));
    let edit = RefEdit::update(name.clone(), to, expected, "");
    repository.edit_reference(edit).map(drop).map_err(|source| match peeled(repository, &name) {
        // Another thread may have moved it between the read and the edit, so the edit was refused.
        Ok(now) if now != found => moved(now),
        _ => Error::Repository { operation: "move a branch", source },
    })
}

/// Deletes refs that may or may not exist.
pub(crate) fn remove(repository: &gix::Repository, names: impl Iterator<Item = FullName>) -> gix::Result<()> {
    let change = Change::Delete { expected: PreviousValue::Any, log: RefLog::AndReference };
    let edits = names.map(|name| RefEdit::new(name, change.clone()));
    repository.edit_references(edits).map(drop)
}

/// Sets refs, whatever their values are.
pub(crate) fn set<'a>(
    repository: &gix::Repository,
    targets: impl Iterator<Item = (&'a FullName, ObjectId)>,
) -> gix::Result<()> {
    let mut edits = Vec::new();
    for (name, id) in targets {
        let found = repository.try_find_reference(name)?;
        if found.is_none_or(|found| found.target().try_id() != Some(id.as_ref())) {
            edits.push(RefEdit::update(name.clone(), id, PreviousValue::Any, ""));
        }
    }
    repository.edit_references(edits).map(drop)
}

/// Returns the commit that a ref peels to.
pub(crate) fn peeled(repository: &gix::Repository, name: &FullName) -> Result<Option<ObjectId>, Error> {
    let read = Error::local("read a branch");
    let Some(mut reference) = repository.try_find_reference(name).map_err(&read)? else { return Ok(None) };
    reference.peel_to_id().map(|id| Some(id.detach())).map_err(read)
}

/// Returns the object that a ref points at directly, which may be a tag object.
pub(crate) fn target(repository: &gix::Repository, name: &FullName) -> Result<Option<ObjectId>, Error> {
    let found = repository.try_find_reference(name).map_err(Error::local("read a reference"))?;
    Ok(found.and_then(|reference| reference.target().try_id().map(ToOwned::to_owned)))
}
