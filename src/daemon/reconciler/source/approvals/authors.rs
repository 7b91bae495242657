//! Finds out who made a change: everyone who had a part in its commits, and who vouches for that.

use super::changed::{changed, changes_only};

use super::evidence::signature;
use crate::reconciler::source::journal_location::STATUS_DIRECTORY;
use crate::reconciler::source::trust::Policy;
use tidegate_consent::approval::trailers;
use tidegate_consent::{Author, Authors, Signature, Voucher};
use tidegate_git::{CommitInfo, Error, Mirror};
use tidegate_model::revision::CommitId;
use tidegate_repository::decides;
use tidegate_signature::Store;

/// Maximum number of commits of one change.
const MAX_COMMITS: usize = 2_000;

/// Who vouches for the authors of commits.
pub(super) struct Vouchers<'a> {
    /// The trusted keys.
    pub(super) store: &'a Store,
    /// Whether the operator lets claims count.
    pub(super) claimed_authors: bool,
}

/// Returns everyone who had a part in the commits since another one, with the keys of a policy.
///
/// # Errors
/// [`Error`] if the history cannot be read.
pub(in crate::reconciler) fn authors(
    mirror: &Mirror,
    policy: &Policy,
    commit: &CommitId,
    base: Option<&CommitId>,
) -> Result<Authors, Error> {
    let vouchers = Vouchers { store: &policy.approvers(), claimed_authors: policy.claimed_authors };
    of_change(mirror, &vouchers, commit, base)
}

/// Returns everyone who had a part in a change: the authors, committers, co-authors and signers of all commits since the revision from which
/// it is counted. Commits that only approve or control something are not a part of it, so an approval on the branch of the change does not
/// make its giver an author.
///
/// # Errors
/// [`Error`] if the history cannot be read.
pub(super) fn of_change(
    mirror: &Mirror,
    vouchers: &Vouchers<'_>,
    commit: &CommitId,
    base: Option<&CommitId>,
) -> Result<Authors, Error> {
    let Some(base) = base else {
        // The first revision that is followed at all: its whole history is not a change.
        return Ok(Authors::Known(vec![author(mirror, vouchers, commit, &mirror.commit_info(commit)?)?]));
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
    // What the branch no longer contains is a part of the change, too, and no commit names who moved the branch.
    for entry in mirror.commits_between(Some(commit), base, MAX_COMMITS + 1)? {
        if !changes_only(mirror, &entry.id, &mirror.commit_info(&entry.id)?, is_decision)? {
            let why = format!(
                "{} is not in the history of {}, and no commit says who moved the branch",
                entry.id.short(),
                commit.short()
            );
            return Ok(Authors::Unknown(why));
        }
    }
    let mut found = Vec::new();
    for entry in between {
        let info = mirror.commit_info(&entry.id)?;
        if !changes_only(mirror, &entry.id, &info, is_decision)? {
            found.push(author(mirror, vouchers, &entry.id, &info)?);
        }
    }
    Ok(Authors::known(found))
}

/// Returns `true` if a path is one of approvals, control files or the journal, whose commits are no part of a change.
pub fn is_decision(path: &str) -> bool {
    decides(path) || path.starts_with(STATUS_DIRECTORY)
}

/// Returns everyone who had a part in a commit.
fn author(mirror: &Mirror, vouchers: &Vouchers<'_>, commit: &CommitId, info: &CommitInfo) -> Result<Author, Error> {
    let author = claimed(vouchers.store, commit, info);
    let voucher = if author.voucher == Voucher::Signature {
        Voucher::Signature
    } else if only_joins(mirror, commit, info)? {
        Voucher::Unneeded
    } else if vouchers.claimed_authors {
        Voucher::Operator
    } else {
        Voucher::Nobody
    };
    Ok(Author { voucher, ..author })
}

/// Returns everyone who had a part in a commit, according to the commit alone.
pub fn claimed(store: &Store, commit: &CommitId, info: &CommitInfo) -> Author {
    let mut emails = vec![info.author.email.clone(), info.committer.email.clone()];
    let co_authors = trailers(&info.message).into_iter().filter(|trailer| trailer.is("Co-authored-by"));
    emails.extend(co_authors.filter_map(|trailer| address(&trailer.value)));
    emails.sort();
    emails.dedup();
    let signer = match signature(store, info) {
        Signature::Good(signer) => Some(signer),
        _ => None,
    };
    let is_signed = signer.as_ref().is_some_and(|signer| !is_forge(&signer.principal));
    let voucher = if is_signed { Voucher::Signature } else { Voucher::Nobody };
    Author { emails, signer, account: None, commit: Some(commit.clone()), voucher }
}

/// Returns `true` if a signer is a forge, such as `noreply@github.com`. It signs what people do on its pages, such as squashing commits that
/// others made.
fn is_forge(principal: &str) -> bool {
    let address = address(principal).unwrap_or_else(|| principal.to_owned());
    address.split('@').next().is_some_and(|local| matches!(&*local.to_ascii_lowercase(), "noreply" | "no-reply"))
}

/// Returns `true` for a merge that takes each file from the parent that changed it since the histories of the two parted, so that its
/// author added nothing.
fn only_joins(mirror: &Mirror, commit: &CommitId, info: &CommitInfo) -> Result<bool, Error> {
    let [ours, theirs] = info.parents.as_slice() else { return Ok(false) };
    if !mirror.has(ours)? || !mirror.has(theirs)? {
        return Ok(false);
    }
    let base = match mirror.merge_base(ours, theirs)? {
        Some(base) if mirror.has(&base)? => base,
        _ => return Ok(false),
    };
    let between = |old: &CommitId, new: &CommitId| changed(mirror, old, new);
    let (Some(by_us), Some(by_them)) = (between(&base, ours)?, between(&base, theirs)?) else { return Ok(false) };
    let (Some(from_ours), Some(from_theirs)) = (between(ours, commit)?, between(theirs, commit)?) else {
        return Ok(false);
    };
    Ok(from_ours.iter().eq(by_them.difference(&by_us)) && from_theirs.iter().eq(by_us.difference(&by_them)))
}

/// Returns the address in `Ada <ada@example.com>`.
fn address(person: &str) -> Option<String> {
    let (_, address) = person.trim().strip_suffix('>')?.rsplit_once('<')?;
    Some(address.trim().to_owned())
}
