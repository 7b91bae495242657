//! The term of a replica: begun in the journal before the replica writes anything to the hub.
//!
//! The push of the commit that begins a term is a compare-and-swap. After it, the remote refuses every push of an earlier leader, which then
//! reads the later term and ends.

use super::branch::JournalBranch;
use super::error::Error;
use tidegate_journal::Journal;
use tidegate_model::time::Timestamp;

/// Number of attempts to push the term. The last entries of an earlier leader may come in between.
const ATTEMPTS: usize = 3;
/// No replica begins a later term than this one, in a thousand years with one each second.
const LAST: u64 = 1 << 35;

impl JournalBranch {
    /// Begins the next term, and pushes it. The caller has to be the leader.
    ///
    /// Returns `true` if others wrote to the journal since it was read: then it has to be read again, and this machine no longer knows that
    /// it wrote all of it.
    ///
    /// # Errors
    /// [`Error::Deposed`] if another replica began the same term first, [`Error::Newer`] if this build must not continue the journal,
    /// [`Error::Term`] if the last term is not one that a replica began, and
    /// any error that keeps the journal from being pushed.
    pub fn begin_term(&mut self, now: Timestamp) -> Result<bool, Error> {
        // If someone edited it, an earlier leader may have a later term. That does not help it without its Lease.
        let term = self.last_term()?;
        if term >= LAST {
            return Err(Error::Term { branch: self.branch.clone(), term });
        }
        self.writer.term = term + 1;
        let mut is_another = false;
        for _ in 0..ATTEMPTS {
            let entry =
                tidegate_journal::term_begun(&self.journal, &self.writer, self.looked_at()).map_err(Error::Entry)?;
            self.add(entry, now)?;
            is_another |= self.push()?;
            // The entry is dropped if an earlier leader pushed in between.
            if self.journal.term() == self.writer.term && !self.is_behind() {
                // The earlier leader can push nothing more.
                (self.is_overtaken, self.rival) = (false, None);
                if is_another {
                    self.forget_record();
                }
                return Ok(is_another);
            }
        }
        Err(Error::Contended { branch: self.branch.clone() })
    }

    /// Returns the last term that a replica began; 0 if there was none. Entries that an earlier process could not push have an earlier one.
    fn last_term(&self) -> Result<u64, Error> {
        let Some(remote) = &self.remote else { return Ok(self.journal.term()) };
        self.check_format(remote)?;
        let theirs = Journal::read(self.files(remote).map_err(Error::Git)?);
        Ok(theirs.term().max(self.journal.term()))
    }
}
