//! How far a journal is trusted at a start. Anyone who may push to its branch can write anything there, so what lets clusters start, go back
//! or be approved comes from commits that the daemon itself made.

use std::fmt;

use super::branch::{JournalBranch, Pending};
use super::error::Error;
use super::own::MAX_COMMITS;
use tidegate_git::CommitInfo;
use tidegate_journal::{Journal, headline};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_signature::SigningKey;

/// Who vouches for the journal at a start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// There is no journal yet.
    New,
    /// The daemon's own key signed its last commit.
    Signed,
    /// It ends with the commit that this machine wrote last, or that the operator names.
    Known,
    /// There is no signing key and no record on this machine. It is believed, as far as daemons say that they wrote it.
    Believed,
    /// Others wrote the commits after this one. They count for nothing, and are undone.
    Undone {
        /// The last commit that counts.
        trusted: CommitId,
        /// The first commit that does not.
        foreign: CommitId,
        /// Whether the daemon's own key, this machine or the operator vouches for the last commit that counts.
        is_proven: bool,
    },
}

impl Evidence {
    /// Returns `true` if the daemon's own key, this machine or the operator vouches for what is used of the journal.
    pub fn is_proven(&self) -> bool {
        matches!(self, Self::Signed | Self::Known | Self::Undone { is_proven: true, .. })
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.write_str("there is no journal yet"),
            Self::Signed => f.write_str("the journal is signed with the daemon's key"),
            Self::Known => f.write_str("the journal ends with the commit that this machine knows"),
            Self::Believed => f.write_str(
                "the journal is not signed and this machine has no record of it, so it is believed; set [journal] signing_key_file, or keep \
                 --state-dir",
            ),
            Self::Undone { trusted, foreign, .. } => write!(
                f,
                "commit {} of the journal is not by this daemon: it and everything after it counts for nothing, and the content of {} is \
                 restored",
                foreign.short(),
                trusted.short()
            ),
        }
    }
}

/// What vouches for commits of the journal.
#[derive(Debug, Clone, Copy)]
pub struct Vouching<'a> {
    /// The daemon's own key.
    pub key: Option<&'a SigningKey>,
    /// The commit that this machine wrote last.
    pub known: Option<&'a CommitId>,
    /// A commit that the operator trusts.
    pub trusted: Option<&'a CommitId>,
}

impl JournalBranch {
    /// Finds out how far the journal is trusted, and restores what others have overwritten. Call it before anything is written.
    ///
    /// # Errors
    /// [`Error::Git`] if a commit cannot be read or written, [`Error::Unproven`] if there is a key, and nothing of the journal is proven.
    pub fn verify(&mut self, vouching: &Vouching<'_>, now: Timestamp) -> Result<Evidence, Error> {
        let Some(tip) = self.tip.clone() else { return Ok(Evidence::New) };
        let evidence = self.evidence(&tip, vouching)?;
        match &evidence {
            Evidence::Undone { trusted, .. } => {
                tracing::warn!(branch = %self.branch, "{evidence}");
                self.restore(&tip, trusted, now).map_err(Error::Git)?;
            }
            Evidence::Believed => tracing::info!(branch = %self.branch, "{evidence}"),
            _ => {}
        }
        Ok(evidence)
    }

    fn evidence(&self, tip: &CommitId, vouching: &Vouching<'_>) -> Result<Evidence, Error> {
        let Vouching { key, known, trusted } = *vouching;
        let vouched = |commit: &CommitId| Some(commit) == known || Some(commit) == trusted;
        // The oldest foreign commit, and the newest one before it that is by the daemon.
        let (mut foreign, mut before): (Option<CommitId>, Option<CommitId>) = (None, None);
        let mut commit = tip.clone();
        for _ in 0..MAX_COMMITS {
            let info = self.mirror.commit_info(&commit).map_err(Error::Git)?;
            let is_own = self.own.made(&info);
            if is_own {
                before.get_or_insert_with(|| commit.clone());
            } else if !vouched(&commit) && self.touches(&commit, &info).map_err(Error::Git)? {
                (foreign, before) = (Some(commit.clone()), None);
            }
            // With a record, every commit after it must be by the daemon. Without one, the newest commit that is vouches for what it
            // continues.
            if vouched(&commit) || (is_own && known.is_none()) {
                let is_proven = key.is_some() || vouched(&commit);
                return Ok(match foreign {
                    Some(foreign) => Evidence::Undone { trusted: before.unwrap_or(commit), foreign, is_proven },
                    None if key.is_some() && is_own => Evidence::Signed,
                    None if vouched(&commit) && (key.is_some() || commit == *tip) => Evidence::Known,
                    None => Evidence::Believed,
                });
            }
            match info.parents.first() {
                Some(parent) if self.mirror.obtain(parent).map_err(Error::Git)? => commit = parent.clone(),
                _ => break,
            }
        }
        self.without_end(tip, vouching, foreign)
    }

    /// Decides about a journal whose history does not contain a commit that vouches for the others.
    fn without_end(
        &self,
        tip: &CommitId,
        vouching: &Vouching<'_>,
        foreign: Option<CommitId>,
    ) -> Result<Evidence, Error> {
        let known = vouching.known.or(vouching.trusted);
        match known.map(|known| self.mirror.has(known)).transpose().map_err(Error::Git)?.zip(known) {
            // Its history was replaced.
            Some((true, known)) => {
                let foreign = foreign.unwrap_or_else(|| tip.clone());
                Ok(Evidence::Undone { trusted: known.clone(), foreign, is_proven: true })
            }
            _ if vouching.key.is_some() => Err(Error::Unproven { branch: self.branch.clone(), tip: tip.clone() }),
            _ => Ok(Evidence::Believed),
        }
    }

    /// Returns `true` if a commit changes the journal. On a branch that it shares with declarations, most commits do not.
    fn touches(&self, commit: &CommitId, info: &CommitInfo) -> Result<bool, tidegate_git::Error> {
        if self.prefix.is_empty() {
            return Ok(true);
        }
        for parent in &info.parents {
            if !self.mirror.obtain(parent)? {
                return Ok(true);
            }
            let changed = self.mirror.changed_paths(Some(parent), commit)?;
            if !changed.iter().any(|path| path.starts_with(self.prefix)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Commits the content of a trusted commit on top of the tip. What others added is removed; it stays in the history.
    fn restore(&mut self, tip: &CommitId, trusted: &CommitId, now: Timestamp) -> Result<(), tidegate_git::Error> {
        let own = self.files(trusted)?;
        let added = self.files(tip)?.into_keys().filter(|path| !own.contains_key(path)).map(|path| (path, None));
        let files = added.chain(own.clone().into_iter().map(|(path, bytes)| (path, Some(bytes)))).collect();
        let message = self.signed(&headline::gathered("journal: restored after foreign commits\n"));
        let pending = Pending { files, message, at: now };
        self.write(&pending)?;
        self.pending = vec![pending];
        self.has_inherited = false;
        self.journal = Journal::read(own);
        Ok(())
    }
}
