//! The files that a commit changes.

use std::collections::BTreeSet;
use tidegate_git::{CommitInfo, Error, Mirror};
use tidegate_model::revision::CommitId;

/// Returns `true` for an ordinary commit that changes some files, all of which have such paths.
pub(super) fn changes_only(
    mirror: &Mirror,
    commit: &CommitId,
    info: &CommitInfo,
    is_such: impl Fn(&str) -> bool,
) -> Result<bool, Error> {
    let [parent] = info.parents.as_slice() else { return Ok(false) };
    if !mirror.has(parent)? {
        return Ok(false);
    }
    let changed = changed(mirror, parent, commit)?;
    Ok(changed.is_some_and(|changed| !changed.is_empty() && changed.iter().all(|path| is_such(path))))
}

/// Returns the paths that differ between two commits; `None` if there are too many.
pub(super) fn changed(mirror: &Mirror, old: &CommitId, new: &CommitId) -> Result<Option<BTreeSet<String>>, Error> {
    match mirror.changed_paths(Some(old), new) {
        Ok(changed) => Ok(Some(changed)),
        Err(Error::TooMany { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
