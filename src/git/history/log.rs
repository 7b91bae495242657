//! Reads commits: their messages, authors, times, parents and signatures.

use gix::actor::SignatureRef;
use gix::bstr::ByteSlice;

use crate::{Error, id};
use tidegate_model::chain::{Person, Signed};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// One commit in a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// The commit.
    pub id: CommitId,
    /// The first paragraph of the message, on one line.
    pub subject: String,
    /// The whole message, with invalid UTF-8 replaced.
    pub message: String,
    /// The author date.
    pub author_time: Timestamp,
}

/// What is known about one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    /// The first paragraph of the message, on one line.
    pub subject: String,
    /// The whole message, with invalid UTF-8 replaced.
    pub message: String,
    /// Who wrote it, and when.
    pub author: Person,
    /// Who committed it, and when; this is the forge after a merge in its web interface.
    pub committer: Person,
    /// Its parents; empty for a root commit. The mirror may lack them.
    pub parents: Vec<CommitId>,
    /// The signature, if it has one. It is not verified.
    pub signature: Option<Signed>,
}

/// Returns the commits in the history of `new` that are not in that of `old`, newest first, at most `limit` of them.
pub(crate) fn between(
    repository: &gix::Repository,
    old: Option<&CommitId>,
    new: &CommitId,
    limit: usize,
) -> Result<Vec<LogEntry>, Error> {
    let new = id::existing_commit(repository, new)?;
    let old = old.map(|old| id::existing_commit(repository, old)).transpose()?;
    let newest_first = gix::revision::walk::Sorting::ByCommitTime(Default::default());
    let walk = repository.rev_walk([new]).sorting(newest_first).with_hidden(old);
    let entries = || walk.all()?.take(limit).map(|commit| entry(&commit?.object()?)).collect::<gix::Result<_>>();
    entries().map_err(Error::local("read a history"))
}

/// Returns `true` if `ancestor` is an ancestor of `descendant`; a commit is its own ancestor.
pub(crate) fn is_ancestor(
    repository: &gix::Repository,
    ancestor: &CommitId,
    descendant: &CommitId,
) -> Result<bool, Error> {
    let (ancestor, descendant) =
        (id::existing_commit(repository, ancestor)?, id::existing_commit(repository, descendant)?);
    let base = repository.merge_base(ancestor, descendant).map_err(Error::local("compare two histories"))?;
    Ok(base.is_some_and(|base| base == ancestor))
}

/// Returns what is known about a commit.
pub(crate) fn commit_info(repository: &gix::Repository, commit: &CommitId) -> Result<CommitInfo, Error> {
    let id = id::existing_commit(repository, commit)?;
    repository.find_commit(id).and_then(|commit| info(&commit)).map_err(Error::local("read a commit"))
}

fn info(commit: &gix::Commit<'_>) -> gix::Result<CommitInfo> {
    Ok(CommitInfo {
        subject: commit.message()?.summary().to_str_lossy().into_owned(),
        message: commit.message_raw()?.to_str_lossy().into_owned(),
        author: person(commit.author()?),
        committer: person(commit.committer()?),
        parents: commit.parent_ids().map(id::commit_id).collect(),
        signature: signed(commit)?,
    })
}

/// Returns the signature of a commit, if it has one.
pub(crate) fn signed(commit: &gix::Commit<'_>) -> gix::Result<Option<Signed>> {
    let signature = commit.signature()?;
    Ok(signature.map(|(signature, payload)| Signed {
        payload: payload.to_bstring().into(),
        signature: signature.to_str_lossy().into_owned(),
    }))
}

fn entry(commit: &gix::Commit<'_>) -> gix::Result<LogEntry> {
    Ok(LogEntry {
        id: id::commit_id(commit.id()),
        subject: commit.message()?.summary().to_str_lossy().into_owned(),
        message: commit.message_raw()?.to_str_lossy().into_owned(),
        author_time: timestamp(commit.author()?.seconds()),
    })
}

/// Converts an author, committer or tagger line.
pub(super) fn person(signature: SignatureRef<'_>) -> Person {
    Person {
        name: signature.name.trim().to_str_lossy().into_owned(),
        email: signature.email.trim().to_str_lossy().into_owned(),
        time: timestamp(signature.seconds()),
    }
}

/// Converts a time of a commit. Anyone can write any number there, so out-of-range times are clamped.
fn timestamp(seconds: i64) -> Timestamp {
    let bound = if seconds < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_second(seconds).unwrap_or(bound)
}
