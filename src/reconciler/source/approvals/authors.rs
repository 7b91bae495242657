//! Finds out who made a change: everyone who had a part in its commits.

use std::collections::BTreeSet;

use super::evidence::signature;
use crate::reconciler::source::journal_location::STATUS_DIRECTORY;
use crate::reconciler::source::trust::Policy;
use tidegate_core::approval::trailers;
use tidegate_core::consent::{Author, Authors, Signature};
use tidegate_core::repository::decides;
use tidegate_git::{CommitInfo, Mirror};
use tidegate_model::revision::CommitId;
use tidegate_signature::Store;

/// Maximum number of commits of one change.
const MAX_COMMITS: usize = 2_000;

/// Returns everyone who had a part in the commits since another one, with the keys of a policy.
///
/// # Errors
/// [`tidegate_git::Error`] if the history cannot be read.
pub(in crate::reconciler) fn authors(
    mirror: &Mirror,
    policy: &Policy,
    commit: &CommitId,
    base: Option<&CommitId>,
) -> Result<Authors, tidegate_git::Error> {
    of_change(mirror, &policy.approvers(), commit, base)
}

/// Returns everyone who had a part in a change: the authors, committers, co-authors and signers of all commits since the revision that
/// was followed before. Commits that only approve or control something are not a part of it, so an approval on the branch of the change
/// does not make its giver an author.
///
/// # Errors
/// [`tidegate_git::Error`] if the history cannot be read.
pub(super) fn of_change(
    mirror: &Mirror,
    store: &Store,
    commit: &CommitId,
    base: Option<&CommitId>,
) -> Result<Authors, tidegate_git::Error> {
    let Some(base) = base else {
        // The first revision that is followed at all: its whole history is not a change.
        return Ok(Authors::Known(vec![author(store, &mirror.commit_info(commit)?)]));
    };
    if !mirror.obtain(base)? || !mirror.obtain(commit)? {
        let why = format!("the history between {} and {} is not available", base.short(), commit.short());
        return Ok(Authors::Unknown(why));
    }
    // This fetches until the two histories are connected, so that no commit between them is missing.
    mirror.ancestry(base, commit)?;
    let between = mirror.commits_between(Some(base), commit, MAX_COMMITS + 1)?;
    if between.len() > MAX_COMMITS {
        return Ok(Authors::Unknown(format!("the change has more than {MAX_COMMITS} commits")));
    }
    let mut found = Vec::new();
    for entry in between {
        let info = mirror.commit_info(&entry.id)?;
        if !only_decides(mirror, &entry.id, &info)? {
            found.push(author(store, &info));
        }
    }
    Ok(Authors::known(found))
}

/// Returns `true` for an ordinary commit that changes only approvals, control files and the journal.
fn only_decides(mirror: &Mirror, commit: &CommitId, info: &CommitInfo) -> Result<bool, tidegate_git::Error> {
    let [parent] = info.parents.as_slice() else { return Ok(false) };
    if !mirror.has(parent)? {
        return Ok(false);
    }
    match mirror.changed_paths(Some(parent), commit) {
        Ok(changed) => Ok(is_decision(&changed)),
        Err(tidegate_git::Error::TooMany { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns `true` if paths are only those of approvals, control files and the journal.
pub(crate) fn is_decision(changed: &BTreeSet<String>) -> bool {
    !changed.is_empty() && changed.iter().all(|path| decides(path) || path.starts_with(STATUS_DIRECTORY))
}

/// Returns everyone who had a part in a commit.
pub(crate) fn author(store: &Store, info: &CommitInfo) -> Author {
    let mut emails = vec![info.author.email.clone(), info.committer.email.clone()];
    let co_authors = trailers(&info.message).into_iter().filter(|trailer| trailer.is("Co-authored-by"));
    emails.extend(co_authors.filter_map(|trailer| address(&trailer.value)));
    emails.sort();
    emails.dedup();
    let signer = match signature(store, info) {
        Signature::Good(signer) => Some(signer),
        _ => None,
    };
    Author { emails, signer, account: None }
}

/// Returns the address in `Ada <ada@example.com>`.
fn address(person: &str) -> Option<String> {
    let (_, address) = person.trim().strip_suffix('>')?.rsplit_once('<')?;
    Some(address.trim().to_owned())
}
