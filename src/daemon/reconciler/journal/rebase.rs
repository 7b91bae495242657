//! Reconciles the journal when someone else has moved its branch: nothing is forced, and no sealed rollout is lost.
//! Unpushed entries are rebased onto the new tip. If another daemon has already journaled the same hub, they are dropped
//! and the current state is journaled instead.

use super::branch::{JournalBranch, Pending};
use super::error::Error;
use tidegate_consent::approval;
use tidegate_git::Ancestry;
use tidegate_journal::writer::{self, Precedence, Writer};
use tidegate_journal::{Journal, headline};
use tidegate_model::revision::CommitId;

/// Number of incoming commits that are searched for another daemon.
const LOOK_BACK: usize = 100;

impl JournalBranch {
    /// Fetches the journal and takes over what someone else has written to it on the remote. Returns `true` if there was something.
    ///
    /// # Errors
    /// [`Error::Git`] if the remote cannot be reached, [`Error::Rival`] or [`Error::Deposed`] if another daemon continues.
    pub(super) fn fetch(&mut self) -> Result<bool, Error> {
        let remote = self.mirror.fetch(&[&self.branch]).map_err(Error::Git)?.remove(&self.branch);
        if remote == self.remote { Ok(false) } else { self.rebase() }
    }

    /// Moves to the tip of the remote and rebases the pending entries onto it. Returns `true` if our entries are now on top
    /// of commits that others made.
    pub(super) fn rebase(&mut self) -> Result<bool, Error> {
        let known = self.remote.clone();
        self.remote = self.mirror.fetch(&[&self.branch]).map_err(Error::Git)?.remove(&self.branch);
        let (Some(remote), Some(tip)) = (self.remote.clone(), self.tip.clone()) else {
            if self.is_replaced().map_err(Error::Git)? {
                // Keep expecting the old value, so that no push creates the branch.
                self.remote = known;
                return Err(Error::Replaced { branch: self.branch.clone() });
            }
            tracing::warn!(branch = %self.branch, "someone else deleted the branch of the journal; pushing it again");
            return Ok(false);
        };
        if self.mirror.is_ancestor(&remote, &tip).map_err(Error::Git)? {
            // The local tip continues the remote one.
            tracing::warn!(branch = %self.branch, at = remote.short(), "someone else moved the journal branch back; pushing the missing commits again");
            return Ok(false);
        }
        if let Err(error) = self.check_format(&remote) {
            // Keep expecting the old value, so that nothing is pushed on top of it.
            self.remote = known;
            return Err(error);
        }
        let theirs = self.remote_instance(&remote)?;
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
        let is_ours = match self.detect_rival(known.as_ref().filter(|_| is_continued), &remote) {
            Ok(is_ours) => is_ours,
            Err(error) => {
                // The local tip does not continue theirs, so that nothing may be pushed on top of it.
                self.remote = known;
                return Err(error);
            }
        };
        if !is_continued {
            tracing::warn!(branch = %self.branch, "someone else rewrote the history of the journal; committing its content again on top");
        }
        if !is_continued || !is_ours {
            self.squash_pending(&tip).map_err(Error::Git)?;
        } else if self.contains_seals_of(&tip, &remote).map_err(Error::Git)? {
            // Another daemon may have journaled a newer state of the same hub: journal the current state on top instead of
            // these entries.
            self.pending.clear();
        } else if self.has_inherited {
            self.squash_pending(&tip).map_err(Error::Git)?;
        }
        self.replay().map_err(Error::Git)?;
        if let Some(tip) = &self.tip {
            self.reread(&tip.clone()).map_err(Error::Git)?;
        }
        Ok(true)
    }

    /// Commits the content of a commit as the first one of a new history if the remote has no branch and the mirror does not have the
    /// whole history of that commit: such a commit cannot be pushed.
    pub(super) fn begin_again_if_shallow(&mut self, tip: &CommitId) -> Result<(), tidegate_git::Error> {
        if self.remote.is_some() || self.mirror.has_whole_history(tip)? {
            return Ok(());
        }
        tracing::warn!(
            branch = %self.branch,
            "this machine does not have the whole history of the journal; its content begins a new one. To restore the old one, push {} from \
             a clone that has it",
            tip.short()
        );
        self.squash_pending(tip)?;
        // The branch moves in one step: a journal without a branch would be a new one.
        let aside = format!("{}.new", self.branch);
        let mut parent = None;
        for pending in &self.pending {
            parent = Some(self.mirror.commit(&self.commit_of(pending, &aside, parent))?);
        }
        if let Some(root) = &parent {
            let at = self.mirror.local(&self.branch)?;
            self.mirror.reset_local(&self.branch, at.as_ref(), root)?;
        }
        self.tip = parent;
        self.mirror.remove_local(&aside)
    }

    /// Looks for another daemon among the incoming commits: those after the last known one up to the tip. Returns `true` if daemons
    /// made all of them.
    pub(super) fn detect_rival(&mut self, known: Option<&CommitId>, remote: &CommitId) -> Result<bool, Error> {
        let mut is_ours = true;
        for entry in self.mirror.log(remote, LOOK_BACK).map_err(Error::Git)? {
            if Some(&entry.id) == known {
                break;
            }
            let trailers = approval::trailers(&entry.message);
            let named = trailers.iter().find(|trailer| trailer.is(writer::TRAILER));
            let Some(theirs) = named.and_then(|name| name.value.parse::<Writer>().ok()) else {
                tracing::warn!(branch = %self.branch, commit = entry.id.short(), subject = %entry.subject, "someone else committed to the journal");
                is_ours = false;
                continue;
            };
            if theirs.name == self.writer.name {
                continue;
            }
            // Of two replicas that begin the same term, the one whose commit is on the remote leads.
            let has_same_term = theirs.term > 0 && theirs.term == self.writer.term;
            match if has_same_term { Precedence::Theirs } else { self.writer.against(&theirs) } {
                Precedence::Theirs => {
                    let (branch, ours, is_replica) =
                        (self.branch.clone(), Box::new(self.writer.clone()), theirs.term > 0);
                    let theirs = Box::new(theirs);
                    return Err(match is_replica {
                        true => Error::Deposed { branch, ours, theirs },
                        false => Error::Rival { branch, ours, theirs },
                    });
                }
                Precedence::Ours => {
                    self.is_overtaken = true;
                    self.rival = Some(theirs.clone());
                    tracing::warn!(%theirs, branch = %self.branch, "another daemon wrote to the same journal and will stop");
                }
            }
        }
        Ok(is_ours)
    }

    /// Returns `true` if every rollout that is sealed in our commit of the journal is also sealed in theirs.
    pub(super) fn contains_seals_of(&self, ours: &CommitId, theirs: &CommitId) -> Result<bool, tidegate_git::Error> {
        let (ours, theirs) = (Journal::read(self.files(ours)?).sealed, Journal::read(self.files(theirs)?).sealed);
        Ok(ours.iter().all(|(addon, number)| theirs.get(addon).is_some_and(|last| last >= number)))
    }

    /// Replaces the pending entries by one with every file of the journal in a commit, for a branch that does not contain
    /// that commit.
    pub(super) fn squash_pending(&mut self, tip: &CommitId) -> Result<(), tidegate_git::Error> {
        let files = self.files(tip)?.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect();
        let last = self.mirror.log(tip, 1)?.into_iter().next();
        let message = last.as_ref().map(|last| headline::gathered(&last.message)).unwrap_or_default();
        let message = self.signed(&message);
        let at = last.map(|last| last.author_time).unwrap_or_default();
        self.pending = vec![Pending { files, message, at }];
        Ok(())
    }

    /// Rebases every pending entry onto the tip of the remote.
    pub(super) fn replay(&mut self) -> Result<(), tidegate_git::Error> {
        // If the remote has no branch, the local commits are pushed as they are.
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
