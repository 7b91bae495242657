//! What commits say: their messages, authors, times and parents.

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
    /// The name of the author.
    pub author: String,
    /// When the author made it.
    pub time: Timestamp,
    /// Its parents, none for the first commit of a history.
    pub parents: Vec<CommitId>,
}

impl Mirror {
    /// Returns the history that ends in a commit, newest first, at most `limit` commits of it. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks the commit.
    pub fn log(&self, tip: &CommitId, limit: usize) -> Result<Vec<LogEntry>, Error> {
        let repository = self.repository();
        let tip = id::known(&repository, tip)?;
        let newest_first = gix::revision::walk::Sorting::ByCommitTime(Default::default());
        let entries = || {
            let history = repository.rev_walk([tip]).sorting(newest_first).all()?.take(limit);
            history.map(|commit| entry(&commit?.object()?)).collect::<gix::Result<_>>()
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
        let info = || {
            let commit = repository.find_commit(id)?;
            let author = commit.author()?;
            Ok(CommitInfo {
                subject: commit.message()?.summary().to_str_lossy().into_owned(),
                author: author.name.trim().to_str_lossy().into_owned(),
                time: timestamp(author.seconds()),
                parents: commit.parent_ids().map(id::commit_id).collect(),
            })
        };
        info().map_err(Error::local("read a commit"))
    }
}

fn entry(commit: &gix::Commit<'_>) -> gix::Result<LogEntry> {
    Ok(LogEntry {
        id: id::commit_id(commit.id()),
        subject: commit.message()?.summary().to_str_lossy().into_owned(),
        message: commit.message_raw()?.to_str_lossy().into_owned(),
        author_time: timestamp(commit.author()?.seconds()),
    })
}

/// Returns the instant that a commit names. Anybody can write any number there, so what no calendar holds is cut to
/// what one does.
pub(super) fn timestamp(seconds: i64) -> Timestamp {
    let bound = if seconds < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_second(seconds).unwrap_or(bound)
}
