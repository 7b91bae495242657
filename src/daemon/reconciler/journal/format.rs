//! Journals that a later version of Tidegate has written: this one continues none of them.

use super::branch::JournalBranch;
use super::error::Error;
use super::evidence::{MAX_COMMITS, is_by_daemon};
use crate::reconciler::source::is_signed;
use tidegate_git::CommitInfo;
use tidegate_journal::Journal;
use tidegate_model::revision::CommitId;
use tidegate_signature::{SigningKey, Store};

/// Returns the store with the daemon's own key, as the writer of the journal.
pub(super) fn store(key: &SigningKey, writer: &str) -> Store {
    Store::read(format!("{writer} {}\n", key.public_key()).as_bytes()).unwrap_or_default()
}

impl JournalBranch {
    /// Returns `true` if a commit counts as one of the daemon: its key signed it, or, without a key, it says so.
    pub(super) fn is_own(&self, info: &CommitInfo) -> bool {
        self.own.as_ref().map_or_else(|| is_by_daemon(info), |own| is_signed(own, info))
    }

    /// Refuses a branch whose newest commit by a daemon has a later format. What others push there is undone, and keeps no one from it.
    ///
    /// # Errors
    /// [`Error::Newer`], and [`Error::Git`] if a commit cannot be read.
    pub(super) fn check_format(&self, tip: &CommitId) -> Result<(), Error> {
        let mut commit = tip.clone();
        for _ in 0..MAX_COMMITS {
            let info = self.mirror.commit_info(&commit).map_err(Error::Git)?;
            if self.is_own(&info) {
                let journal = Journal::read(self.files(&commit).map_err(Error::Git)?);
                return self.check_documents(&journal);
            }
            match info.parents.first() {
                Some(parent) if self.mirror.obtain(parent).map_err(Error::Git)? => commit = parent.clone(),
                _ => break,
            }
        }
        Ok(())
    }

    /// Refuses documents with a later format.
    pub(super) fn check_documents(&self, journal: &Journal) -> Result<(), Error> {
        match journal.newer {
            Some(theirs) => Err(Error::Newer { branch: self.branch.clone(), theirs }),
            None => Ok(()),
        }
    }
}
