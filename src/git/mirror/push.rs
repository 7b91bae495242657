//! Pushes a commit to a branch of the remote.

use gix::protocol::transport::Service;

use crate::history::shallow::ShallowHistory;
use crate::request::{Outcome, Update};
use crate::{Error, Mirror, PushError, id};
use tidegate_model::revision::CommitId;

impl Mirror {
    /// Moves a branch of the remote from an expected commit to a commit of the mirror. Blocks.
    ///
    /// With `None` the branch must not exist.
    ///
    /// If the branch is already at the new commit, the push succeeds, so that a push whose response was lost can be
    /// repeated.
    ///
    /// # Errors
    /// [`PushError::Stale`] if the branch is not at the expected commit, [`PushError::Rejected`] if the remote's rules
    /// forbid the push; the remote is unchanged. [`Error::NotFastForward`] if the new commit does not descend from the
    /// expected one: commits of the remote are never dropped.
    pub fn push(&self, branch: &str, expect: Option<&CommitId>, new: &CommitId) -> Result<(), PushError> {
        let repository = self.repository();
        let update = Update {
            expect: expect.map(|old| id::existing_commit(&repository, old)).transpose()?,
            new: id::existing_commit(&repository, new)?,
            name: id::branch(branch)?,
        };
        // The new commit is usually a few commits ahead, so the walk finds the old one before it reads most of the history.
        let descends = |old| ShallowHistory::of(&repository)?.descends(update.new, old);
        if let (Some(old), Some(id)) = (expect, update.expect)
            && !descends(id).map_err(Error::local("compare two histories"))?
        {
            return Err(PushError::Failed(Error::NotFastForward { old: old.clone(), new: new.clone() }));
        }
        let exchange = self.exchange(Service::ReceivePack)?;
        match exchange.send(&repository, &update)? {
            Outcome::Done => Ok(()),
            Outcome::Stale(remote) => Err(PushError::Stale { remote: remote.map(id::commit_id) }),
            Outcome::Refused { reason, messages } => {
                let (reason, messages) = (exchange.redact(&reason), exchange.redact(&messages));
                Err(PushError::Rejected { reason, messages })
            }
        }
    }
}
