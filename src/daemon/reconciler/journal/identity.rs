//! The identity of the instance: read from the journal, or created and pushed before anything is written to the hub.
//!
//! An object with an identity that is in no journal would have no owner, so an instance does not start before its identity
//! is on the remote.

use super::branch::JournalBranch;
use super::error::Error;
use tidegate_git::{Ancestry, Reference};
use tidegate_journal::{Journal, file, record::Identity};
use tidegate_model::instance::Instance;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Number of attempts to push the identity. More lost races in a row mean that another daemon is at work.
const RACES: usize = 3;

impl JournalBranch {
    /// Sets the reference that is followed in the same repository. It serves to recognize a repository that was replaced.
    pub fn with_followed(self, reference: Reference) -> Self {
        Self { follows: Some(reference), ..self }
    }

    /// Returns the instance that the journal in a commit names, if any.
    ///
    /// # Errors
    /// [`Error::Foreign`] if it is not this instance.
    pub(super) fn remote_instance(&self, commit: &CommitId) -> Result<Option<Instance>, Error> {
        let theirs = Journal::read(self.files(commit).map_err(Error::Git)?).instance();
        match (&self.identity, theirs) {
            (Some(ours), Some(theirs)) if ours.id != theirs.id => {
                Err(Error::Foreign { branch: self.branch.clone(), ours: ours.instance(), theirs })
            }
            (_, theirs) => Ok(theirs),
        }
    }

    /// Returns `true` if the followed reference on the remote does not continue the revision that the journal recorded
    /// last. If the journal is also missing, this is another repository.
    pub(super) fn is_replaced(&self) -> Result<bool, tidegate_git::Error> {
        let seen = self.journal.sync.as_ref().and_then(|sync| sync.seen.as_ref());
        let (Some(reference), Some(seen)) = (&self.follows, seen) else { return Ok(false) };
        let Some(tip) = self.mirror.follow(reference)? else { return Ok(true) };
        let ancestry = self.mirror.ancestry(&seen.commit, &tip.commit)?;
        Ok(matches!(ancestry, Ancestry::Diverged | Ancestry::Unknown))
    }

    /// Returns the identity of the instance that keeps this journal. If the journal has none yet, `candidate` is written to it.
    ///
    /// # Errors
    /// [`Error::Newer`] if this build must not continue the journal, [`Error::Unidentified`] if `sync.yaml` of the journal cannot be read or
    /// names no instance, [`Error::Push`] if a new identity cannot be pushed, and any error that keeps the journal from being written.
    pub fn identify(&mut self, candidate: &Instance, now: Timestamp) -> Result<Identity, Error> {
        self.check_newer(self.journal.newer)?;
        let names_none = self.journal.sync.is_some() && self.journal.instance().is_none();
        if names_none || self.journal.unreadable.iter().any(|path| path == file::SYNC) {
            return Err(Error::Unidentified { branch: self.branch.clone() });
        }
        let is_new = self.journal.instance().is_none();
        for _ in 0..RACES {
            let Some(entry) =
                tidegate_journal::identified(&self.journal, candidate, now, self.looked_at()).map_err(Error::Entry)?
            else {
                break;
            };
            self.add(entry, now)?;
            match self.push() {
                Ok(_) => {}
                Err(error) if is_new || error.is_final() => return Err(error),
                // Only the name is new: it is pushed with the next entry.
                Err(_) => break,
            }
        }
        let identity = self.journal.sync.as_ref().and_then(|sync| sync.instance.clone());
        self.identity.clone_from(&identity);
        identity.ok_or_else(|| Error::Unidentified { branch: self.branch.clone() })
    }
}
