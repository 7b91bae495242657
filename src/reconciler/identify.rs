//! The identity of the instance: read from the journal, or created and pushed before anything is written to the hub.
//!
//! An object that bears an identity which no journal knows would belong to nobody, so an instance does not start before its identity is
//! on the remote.

use super::journaling::{Error, Journaling};
use tidegate_core::journal::{self, Journal, record::Identity};
use tidegate_git::{Ancestry, Reference};
use tidegate_model::instance::Instance;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// More lost races in a row than this are another daemon's doing.
const RACES: usize = 3;

impl Journaling {
    /// Returns what is followed in the same repository, by which a repository that was replaced is recognized.
    pub fn with_followed(self, reference: Reference) -> Self {
        Self { follows: Some(reference), ..self }
    }

    /// Returns the instance of the journal in a commit; `None` if it names none.
    ///
    /// # Errors
    /// [`Error::Foreign`] if it is another instance than this one.
    pub(super) fn theirs(&self, commit: &CommitId) -> Result<Option<Instance>, Error> {
        let theirs = Journal::read(self.files(commit).map_err(Error::Git)?).instance();
        match (&self.identity, theirs) {
            (Some(ours), Some(theirs)) if ours.id != theirs.id => {
                Err(Error::Foreign { branch: self.branch.clone(), ours: ours.instance(), theirs })
            }
            (_, theirs) => Ok(theirs),
        }
    }

    /// Returns `true` if what is followed at the remote does not continue what the journal says was followed last: together with a
    /// missing journal, this is another repository.
    pub(super) fn is_replaced(&self) -> Result<bool, tidegate_git::Error> {
        let seen = self.journal.sync.as_ref().and_then(|sync| sync.seen.as_ref());
        let (Some(reference), Some(seen)) = (&self.follows, seen) else { return Ok(false) };
        let Some(tip) = self.mirror.follow(reference)? else { return Ok(true) };
        let ancestry = self.mirror.ancestry(&seen.commit, &tip.commit)?;
        Ok(matches!(ancestry, Ancestry::Diverged | Ancestry::Unknown))
    }

    /// Returns the identity of the instance that keeps this journal; `candidate` becomes it where there is none yet.
    ///
    /// A journal of a version up to 0.1.0 has none, and gets one.
    ///
    /// # Errors
    /// [`Error::Unidentified`] if there is a journal whose `sync.yaml` cannot be read, [`Error::Push`] if a new identity does not reach
    /// the remote, and what keeps the journal from being written.
    pub fn identify(&mut self, candidate: &Instance, now: Timestamp) -> Result<Identity, Error> {
        if self.journal.unreadable.iter().any(|path| path == "sync.yaml") {
            return Err(Error::Unidentified { branch: self.branch.clone() });
        }
        let is_new = self.journal.instance().is_none();
        for _ in 0..RACES {
            let Some(entry) = journal::identified(&self.journal, candidate, now).map_err(Error::Entry)? else { break };
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
