//! What becomes of the journal when somebody else has moved its branch: nothing is forced, and no sealed rollout is lost. What lies
//! between is laid anew, or, where another daemon has gone on with the same hub, told as it is at present.

use super::journaling::{Error, Journaling, Pending};
use tidegate_core::approval;
use tidegate_core::journal::writer::{self, Precedence, Writer};
use tidegate_core::journal::{Journal, headline};
use tidegate_git::Ancestry;
use tidegate_model::revision::CommitId;

/// So many commits that came in are looked at for another daemon.
const LOOK_BACK: usize = 100;

impl Journaling {
    /// Looks whether somebody else has written to the journal on the remote, and takes up what was written. Returns whether that is so.
    ///
    /// # Errors
    /// [`Error::Git`] if the remote cannot be reached, [`Error::Rival`] if another daemon was there first.
    pub(super) fn look(&mut self) -> Result<bool, Error> {
        let remote = self.mirror.fetch(&[&self.branch]).map_err(Error::Git)?.remove(&self.branch);
        if remote == self.remote { Ok(false) } else { self.yield_to_remote() }
    }

    /// Takes up where the remote has gone, and lays what is pending on top. Returns whether others' files are below ours then.
    pub(super) fn yield_to_remote(&mut self) -> Result<bool, Error> {
        let known = self.remote.clone();
        self.remote = self.mirror.fetch(&[&self.branch]).map_err(Error::Git)?.remove(&self.branch);
        let (Some(remote), Some(tip)) = (self.remote.clone(), self.tip.clone()) else {
            if self.is_replaced().map_err(Error::Git)? {
                // The old value is expected on, so that no push creates the branch.
                self.remote = known;
                return Err(Error::Replaced { branch: self.branch.clone() });
            }
            tracing::warn!(branch = %self.branch, "the journal's branch was deleted by somebody else; it is pushed again");
            return Ok(false);
        };
        if self.mirror.is_ancestor(&remote, &tip).map_err(Error::Git)? {
            // What is here continues it.
            tracing::warn!(branch = %self.branch, at = remote.short(), "the journal was taken back by somebody else; it is made whole again");
            return Ok(false);
        }
        let theirs = self.theirs(&remote)?;
        let is_continued = match &known {
            Some(known) => {
                let ancestry = self.mirror.ancestry(known, &remote).map_err(Error::Git)?;
                matches!(ancestry, Ancestry::Same | Ancestry::Ahead)
            }
            None => true,
        };
        if !is_continued && theirs.is_none() && self.is_replaced().map_err(Error::Git)? {
            self.remote = known;
            return Err(Error::Replaced { branch: self.branch.clone() });
        }
        let is_ours = self.meet(known.as_ref().filter(|_| is_continued), &remote)?;
        if !is_continued {
            tracing::warn!(branch = %self.branch, "the history of the journal was rewritten by somebody else; everything is laid anew on top");
        }
        if !is_continued || !is_ours {
            self.keep_everything(&tip).map_err(Error::Git)?;
        } else if self.is_told(&tip, &remote).map_err(Error::Git)? {
            // What another daemon told of the same hub since may be ahead of these entries: the present is told anew on top of it.
            self.pending.clear();
        } else if self.has_inherited {
            self.keep_everything(&tip).map_err(Error::Git)?;
        }
        self.relay().map_err(Error::Git)?;
        if let Some(tip) = &self.tip {
            self.journal = Journal::read(self.files(tip).map_err(Error::Git)?);
        }
        Ok(true)
    }

    /// Looks for another daemon among the commits that came in, which came between the last one known and the tip. Returns whether
    /// daemons made all of them.
    pub(super) fn meet(&mut self, known: Option<&CommitId>, remote: &CommitId) -> Result<bool, Error> {
        let mut is_ours = true;
        for entry in self.mirror.log(remote, LOOK_BACK).map_err(Error::Git)? {
            if Some(&entry.id) == known {
                break;
            }
            let trailers = approval::trailers(&entry.message);
            let named = trailers.iter().find(|trailer| trailer.is(writer::TRAILER));
            let Some(theirs) = named.and_then(|name| name.value.parse::<Writer>().ok()) else {
                tracing::warn!(branch = %self.branch, commit = entry.id.short(), subject = %entry.subject, "somebody else has committed to the journal");
                is_ours = false;
                continue;
            };
            if theirs.name == self.writer.name {
                continue;
            }
            match self.writer.against(&theirs) {
                Precedence::Theirs => {
                    return Err(Error::Rival { branch: self.branch.clone(), ours: self.writer.clone(), theirs });
                }
                Precedence::Ours => {
                    self.is_overtaken = true;
                    self.rival = Some(theirs.clone());
                    tracing::warn!(%theirs, branch = %self.branch, "another daemon started later on the same journal and will stop");
                }
            }
        }
        Ok(is_ours)
    }

    /// Returns `true` if every rollout that one commit of the journal has sealed is sealed in another one, too.
    pub(super) fn is_told(&self, ours: &CommitId, theirs: &CommitId) -> Result<bool, tidegate_git::Error> {
        let (ours, theirs) = (Journal::read(self.files(ours)?).sealed, Journal::read(self.files(theirs)?).sealed);
        Ok(ours.iter().all(|(addon, number)| theirs.get(addon).is_some_and(|last| last >= number)))
    }

    /// Makes one entry of everything that the journal holds in a commit, for a branch that went on without it.
    pub(super) fn keep_everything(&mut self, tip: &CommitId) -> Result<(), tidegate_git::Error> {
        let files = self.files(tip)?.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect();
        let last = self.mirror.log(tip, 1)?.into_iter().next();
        let message = last.as_ref().map(|last| headline::gathered(&last.message)).unwrap_or_default();
        let at = last.map(|last| last.author_time).unwrap_or_default();
        self.pending = vec![Pending { files, message, at }];
        Ok(())
    }

    /// Lays every pending entry anew on top of what the remote has.
    pub(super) fn relay(&mut self) -> Result<(), tidegate_git::Error> {
        // Without a branch over there, all that is here is to be pushed as it is.
        let Some(remote) = &self.remote else { return Ok(()) };
        let at = self.mirror.local(&self.branch)?;
        self.mirror.reset_local(&self.branch, at.as_ref(), remote)?;
        self.tip.clone_from(&self.remote);
        for pending in self.pending.clone() {
            self.write(&pending)?;
        }
        Ok(())
    }
}
