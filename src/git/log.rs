//! What commits say: their messages, authors, times, parents and signatures.

use gix::ObjectId;
use gix::actor::SignatureRef;
use gix::bstr::ByteSlice;

use super::{Error, Mirror, id};
use crate::model::revision::CommitId;
use crate::model::time::Timestamp;

/// One commit in a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// The commit.
    pub id: CommitId,
    /// The first paragraph of the message, on one line.
    pub subject: String,
    /// The whole message; what is not UTF-8 in it is replaced.
    pub message: String,
    /// When the author made it.
    pub author_time: Timestamp,
}

/// What is known about one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    /// The first paragraph of the message, on one line.
    pub subject: String,
    /// The whole message; what is not UTF-8 in it is replaced.
    pub message: String,
    /// The name of the author.
    pub author: String,
    /// The e-mail address of the author.
    pub author_email: String,
    /// When the author made it.
    pub time: Timestamp,
    /// Who put it into the history, and when: a forge, after a merge on its page.
    pub committer: Person,
    /// Its parents, none for the first commit of a history. The mirror may lack them.
    pub parents: Vec<CommitId>,
    /// The signature, if it has one. Nobody has checked it.
    pub signature: Option<Signed>,
}

/// Who did something, and when. Nothing of it is checked by Git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
    /// The time.
    pub time: Timestamp,
}

/// A signature and what was signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The bytes that were signed.
    pub payload: Vec<u8>,
    /// The armoured signature, of OpenPGP, SSH or X.509.
    pub signature: String,
}

/// Which parents of a merge are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parents {
    All,
    First,
}

impl Mirror {
    /// Returns the history that ends in a commit, newest first, at most `limit` commits of it, as far as the mirror has
    /// it. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks the commit.
    pub fn log(&self, tip: &CommitId, limit: usize) -> Result<Vec<LogEntry>, Error> {
        self.history(None, tip, Parents::All, limit)
    }

    /// Returns the commits in the history of `new` that are not in that of `old`, newest first, at most `limit` of
    /// them, as far as the mirror has them. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks one of the two.
    pub fn commits_between(
        &self,
        old: Option<&CommitId>,
        new: &CommitId,
        limit: usize,
    ) -> Result<Vec<LogEntry>, Error> {
        self.history(old, new, Parents::All, limit)
    }

    /// As [`commits_between`](Mirror::commits_between), but along first parents only, so that a merge stands for all
    /// that it brought. Blocks.
    ///
    /// # Errors
    /// As for [`commits_between`](Mirror::commits_between).
    pub fn first_parents_between(
        &self,
        old: Option<&CommitId>,
        new: &CommitId,
        limit: usize,
    ) -> Result<Vec<LogEntry>, Error> {
        self.history(old, new, Parents::First, limit)
    }

    fn history(
        &self,
        old: Option<&CommitId>,
        new: &CommitId,
        parents: Parents,
        limit: usize,
    ) -> Result<Vec<LogEntry>, Error> {
        let repository = self.repository();
        let new = id::known(&repository, new)?;
        let old = old.map(|old| id::known(&repository, old)).transpose()?;
        let newest_first = gix::revision::walk::Sorting::ByCommitTime(Default::default());
        let entries = || {
            let hidden = hidden(&repository, old, parents)?;
            let walk = repository.rev_walk([new]).sorting(newest_first).with_hidden(hidden);
            let walk = if parents == Parents::First { walk.first_parent_only() } else { walk };
            walk.all()?.take(limit).map(|commit| entry(&commit?.object()?)).collect::<gix::Result<_>>()
        };
        entries().map_err(Error::local("read a history"))
    }

    /// Returns what is known about a commit. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks the commit.
    pub fn commit_info(&self, commit: &CommitId) -> Result<CommitInfo, Error> {
        let repository = self.repository();
        let id = id::known(&repository, commit)?;
        repository.find_commit(id).and_then(|commit| info(&commit)).map_err(Error::local("read a commit"))
    }
}

/// Returns what a commit says.
pub(super) fn info(commit: &gix::Commit<'_>) -> gix::Result<CommitInfo> {
    let author = person(commit.author()?);
    let signature = commit.signature()?.map(|(signature, payload)| Signed {
        payload: payload.to_bstring().into(),
        signature: signature.to_str_lossy().into_owned(),
    });
    Ok(CommitInfo {
        subject: commit.message()?.summary().to_str_lossy().into_owned(),
        message: commit.message_raw()?.to_str_lossy().into_owned(),
        author: author.name,
        author_email: author.email,
        time: author.time,
        committer: person(commit.committer()?),
        parents: commit.parent_ids().map(id::commit_id).collect(),
        signature,
    })
}

/// Returns what a walk must not show: the old commit, and what it brought by merges if they are not followed.
fn hidden(repository: &gix::Repository, old: Option<ObjectId>, parents: Parents) -> gix::Result<Vec<ObjectId>> {
    let Some(old) = old else { return Ok(Vec::new()) };
    if parents == Parents::All {
        return Ok(vec![old]);
    }
    // A walk along first parents hides along first parents only, too.
    repository.rev_walk([old]).all()?.map(|commit| commit.map(|commit| commit.id)).collect()
}

fn entry(commit: &gix::Commit<'_>) -> gix::Result<LogEntry> {
    Ok(LogEntry {
        id: id::commit_id(commit.id()),
        subject: commit.message()?.summary().to_str_lossy().into_owned(),
        message: commit.message_raw()?.to_str_lossy().into_owned(),
        author_time: timestamp(commit.author()?.seconds()),
    })
}

pub(super) fn person(signature: SignatureRef<'_>) -> Person {
    Person {
        name: signature.name.trim().to_str_lossy().into_owned(),
        email: signature.email.trim().to_str_lossy().into_owned(),
        time: timestamp(signature.seconds()),
    }
}

/// Returns the instant that a commit names. Anybody can write any number there, so what no calendar holds is cut to
/// what one does.
pub(super) fn timestamp(seconds: i64) -> Timestamp {
    let bound = if seconds < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_second(seconds).unwrap_or(bound)
}
