//! Journals that a later version of Tidegate has written: this one continues none of them.

use super::branch::JournalBranch;
use super::error::Error;
use super::own::MAX_COMMITS;
use tidegate_journal::file;
use tidegate_journal::format::newer;
use tidegate_model::revision::CommitId;

impl JournalBranch {
    /// Refuses a branch whose newest commit by a daemon has a later format. What others push there does not count.
    ///
    /// # Errors
    /// [`Error::Newer`], and [`Error::Git`] if a commit cannot be read.
    pub(super) fn check_format(&self, tip: &CommitId) -> Result<(), Error> {
        let mut commit = tip.clone();
        for _ in 0..MAX_COMMITS {
            let info = self.mirror.commit_info(&commit).map_err(Error::Git)?;
            if self.own.made(&info) {
                let path = format!("{}{}", self.prefix, file::SYNC);
                let sync = self.mirror.read(&commit, &path).map_err(Error::Git)?;
                return self.check_newer(sync.and_then(|sync| newer(&sync)));
            }
            match info.parents.first() {
                Some(parent) if self.mirror.obtain(parent).map_err(Error::Git)? => commit = parent.clone(),
                _ => break,
            }
        }
        Ok(())
    }

    /// Refuses a later format.
    pub(super) fn check_newer(&self, newer: Option<u32>) -> Result<(), Error> {
        match newer {
            Some(theirs) => Err(Error::Newer { branch: self.branch.clone(), theirs }),
            None => Ok(()),
        }
    }
}
