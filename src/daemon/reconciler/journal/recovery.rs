//! Restores the journal after the mirror was lost: entries that were not pushed are rewritten from memory.

use super::branch::{JournalBranch, Pending};
use super::error::Error;
use tidegate_journal::headline;
use tidegate_model::time::Timestamp;

impl JournalBranch {
    /// Restores the journal in a mirror that was created again: fetches the branch, and commits the unpushed entries on top of it.
    ///
    /// Returns `true` if the mirror was lost. Then the entries are on top of whatever others have pushed in the meantime,
    /// and the current state must be committed again.
    ///
    /// # Errors
    /// [`Error::Git`] if the mirror cannot be created again or the remote cannot be reached; a later call retries.
    pub(super) fn recover(&mut self, now: Timestamp) -> Result<bool, Error> {
        self.mirror.ensure().map_err(Error::Git)?;
        let generation = self.mirror.generation();
        if generation == self.generation {
            return Ok(false);
        }
        let remote = self.mirror.fetch(&[&self.branch]).map_err(Error::Git)?.remove(&self.branch);
        if let Some(remote) = remote.as_ref().filter(|remote| Some(*remote) != self.remote.as_ref()) {
            let known = self.remote.clone();
            self.detect_rival(known.as_ref(), remote)?;
        }
        if let Some(remote) = &remote {
            self.check_format(remote)?;
            self.remote_instance(remote)?;
        } else if self.tip.is_some() && self.is_replaced().map_err(Error::Git)? {
            return Err(Error::Replaced { branch: self.branch.clone() });
        }
        // Without the branch on the remote, only memory is left. It also contains what an earlier process could not push.
        if (remote.is_none() && self.tip.is_some()) || self.has_inherited {
            self.pending = vec![self.remembered(now)];
        }
        self.remote = remote;
        self.tip = None;
        match self.remote {
            Some(_) => self.replay(),
            None => self.pending.clone().iter().try_for_each(|pending| self.write(pending)),
        }
        .map_err(Error::Git)?;
        if let Some(tip) = &self.tip {
            self.reread(&tip.clone()).map_err(Error::Git)?;
        }
        self.has_inherited = false;
        self.generation = generation;
        tracing::info!(branch = %self.branch, rewritten = self.pending.len(), "restored the journal in the mirror");
        Ok(true)
    }

    /// Returns one entry with the last journaled version of every document.
    fn remembered(&self, at: Timestamp) -> Pending {
        let files = self.journal.files.iter().map(|(path, bytes)| (path.clone(), Some(bytes.clone()))).collect();
        let message = match self.pending.last() {
            Some(last) => headline::gathered(&last.message),
            None => self.signed(&headline::gathered("journal: rewritten from memory\n")),
        };
        Pending { files, message, at }
    }
}
