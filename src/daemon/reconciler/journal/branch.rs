//! Writes the journal: gathers entries, commits and pushes them. If the remote has moved, rebases them and pushes again.
//!
//! Entries are committed to the mirror first, so an unreachable remote only causes a delay. Entries that are left after a
//! lost race or a restart are rebased, or the current state is journaled instead. Nothing is ever force-pushed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::error::Error;
use super::local_record::LocalRecord;
use super::own::Own;
use crate::hub::jitter;
use crate::reconciler::source::files_below;
use tidegate_git::{Ancestry, Mirror, NewCommit, PushError, Reference};
use tidegate_journal::record::Identity;
use tidegate_journal::writer::{self, Writer};
use tidegate_journal::{Entry, Facts, Journal, headline};
use tidegate_model::backoff::Backoff;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp, to_seconds};
use tidegate_plan::report::Report;
use tidegate_signature::SigningKey;

/// An entry that is committed locally and not yet on the remote.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub(super) files: BTreeMap<String, Option<Vec<u8>>>,
    pub(super) message: String,
    pub(super) at: Timestamp,
}

/// Entries of the journal that are on this machine only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpushed {
    /// Number of entries; at least one.
    pub entries: usize,
    /// The journal's branch.
    pub branch: String,
}

/// The journal's branch. Its methods block: call them only where blocking is allowed.
pub struct JournalBranch {
    pub(super) mirror: Arc<Mirror>,
    pub(super) branch: String,
    pub(super) prefix: &'static str,
    pub(super) writer: Writer,
    /// Which commits count as the daemon's own.
    pub(super) own: Own,
    pub(super) journal: Journal,
    /// The identity of the instance, once it is known.
    pub(super) identity: Option<Identity>,
    /// The reference that is followed in the same repository.
    pub(super) follows: Option<Reference>,
    /// The local tip.
    pub(super) tip: Option<CommitId>,
    /// The tip on the remote, as last seen.
    pub(super) remote: Option<CommitId>,
    pub(super) pending: Vec<Pending>,
    /// Whether an earlier process left unpushed commits, whose entries are not in `pending`.
    pub(super) has_inherited: bool,
    /// The last daemon that wrote to the journal although it started later.
    pub(super) rival: Option<Writer>,
    /// Whether another daemon has written to the journal. Its entries may be newer than the last observation.
    pub(super) is_overtaken: bool,
    /// The generation of the mirror that contains the commits above.
    pub(super) generation: u64,
    /// The directory on this machine that records what was written last; `None` if nothing is recorded.
    pub(super) state_dir: Option<PathBuf>,
}

/// Beyond this number of unpushed entries, the oldest two are merged: a remote that is down for a week must not fill the memory.
/// With one entry every ten seconds, the limit is reached after almost three hours.
const MAX_PENDING: usize = 1_000;
/// Number of attempts to push. After this many lost races in a row, the next attempt is left to the next round.
const RACES: u32 = 5;
/// The longest pauses after lost races.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(50), longest: Duration::from_millis(800) };

impl JournalBranch {
    /// Opens the journal on a branch, below a prefix such as `status/`, which is empty if the journal has its own branch.
    ///
    /// # Errors
    /// [`Error::Git`] if the remote cannot be reached or an existing journal cannot be read, and [`Error::Newer`] if a later version has
    /// written it.
    pub fn open(
        mirror: Arc<Mirror>,
        branch: &str,
        prefix: &'static str,
        writer: Writer,
        key: Option<&SigningKey>,
    ) -> Result<Self, Error> {
        let remote = mirror.fetch(&[branch]).map_err(Error::Git)?.remove(branch);
        let local = mirror.local(branch).map_err(Error::Git)?;
        let mut opened = Self {
            generation: mirror.generation(),
            mirror,
            branch: branch.to_owned(),
            prefix,
            own: Own::new(key, &writer.name),
            writer,
            journal: Journal::default(),
            identity: None,
            follows: None,
            tip: None,
            remote,
            pending: Vec::new(),
            has_inherited: false,
            rival: None,
            is_overtaken: false,
            state_dir: None,
        };
        // Before the entries that an earlier process could not push are put on top of it: they, too, may be those of a later version.
        for tip in [&opened.remote, &local].into_iter().flatten() {
            opened.check_format(tip)?;
        }
        opened.resume(local).map_err(Error::Git)?;
        Ok(opened)
    }

    /// Returns when a daemon looked at the hub last, according to the journal. A process that begins a term may end before it looks at the
    /// hub.
    pub fn looked_at(&self) -> Option<Timestamp> {
        self.journal.sync.as_ref().and_then(|sync| sync.looked).or_else(|| self.written_at())
    }

    /// Returns when the last entry was written.
    fn written_at(&self) -> Option<Timestamp> {
        let last = self.mirror.log(self.tip.as_ref()?, 1).ok()?;
        last.first().map(|entry| entry.author_time)
    }

    /// Continues from the commits that an earlier process made and could not push.
    fn resume(&mut self, local: Option<CommitId>) -> Result<(), tidegate_git::Error> {
        let (local, remote) = (local.filter(|local| Some(local) != self.remote.as_ref()), self.remote.clone());
        self.tip.clone_from(&remote);
        if let Some(local) = local {
            let onward = remote.as_ref().map(|remote| self.mirror.ancestry(&local, remote)).transpose()?;
            match onward {
                None | Some(Ancestry::Behind) => {
                    self.tip = Some(local);
                    self.has_inherited = true;
                }
                Some(Ancestry::Same | Ancestry::Ahead) => {}
                Some(Ancestry::Diverged | Ancestry::Unknown) => {
                    let theirs = remote.as_ref().map(|remote| self.contains_seals_of(&local, remote)).transpose()?;
                    if theirs != Some(true) {
                        self.squash_pending(&local)?;
                    }
                    self.replay()?;
                }
            }
        }
        if let Some(tip) = &self.tip {
            let at = self.mirror.local(&self.branch)?;
            self.mirror.reset_local(&self.branch, at.as_ref(), tip)?;
            self.journal = Journal::read(self.files(tip)?);
        }
        Ok(())
    }

    pub(super) fn files(&self, commit: &CommitId) -> Result<BTreeMap<String, Vec<u8>>, tidegate_git::Error> {
        files_below(&self.mirror, commit, self.prefix)
    }

    /// Records in a directory on this machine what is written from now on.
    #[must_use]
    pub fn with_record(self, state_dir: &Path) -> Self {
        Self { state_dir: Some(state_dir.to_owned()), ..self }
    }

    /// Records the local tip on this machine, before it is pushed: a commit that is not recorded would count as someone else's.
    pub(super) fn record(&self) {
        if let Some(directory) = &self.state_dir {
            LocalRecord { branch: self.branch.clone(), commit: self.tip.clone() }.write(directory);
        }
    }

    /// Records that it is not known which commit this machine wrote last.
    pub(super) fn forget_record(&self) {
        if let Some(directory) = &self.state_dir {
            LocalRecord { branch: self.branch.clone(), commit: None }.write(directory);
        }
    }

    /// Returns the last journaled state.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Returns `true` if there are unpushed commits.
    pub fn is_behind(&self) -> bool {
        self.tip != self.remote
    }

    /// Describes the unpushed entries.
    pub(super) fn unpushed(&self) -> Unpushed {
        Unpushed { entries: self.pending.len().max(1), branch: self.branch.clone() }
    }

    /// Commits an entry if something has changed. Returns `true` if so.
    ///
    /// # Errors
    /// [`Error::Git`] if the mirror cannot be written.
    pub fn commit(&mut self, report: &Report, facts: &Facts, now: Timestamp) -> Result<bool, Error> {
        if let Some(identity) = &self.identity {
            self.journal.identify(identity, self.writer.term);
        }
        let notice = self.rival.as_ref().map(|rival| {
            // From this commit, the rival learns that it has to stop, even if there is nothing else to report.
            let why = if self.writer.term > 0 { "its term is over" } else { "it started later" };
            format!("daemon {rival} also wrote to this journal; it has to stop, because {why}: this is {}", self.writer)
        });
        let report = match notice {
            Some(notice) => {
                let mut report = report.clone();
                report.notices.push(notice);
                Cow::Owned(report)
            }
            None => Cow::Borrowed(report),
        };
        let entry = tidegate_journal::entry(&self.journal, &report, facts, now).map_err(Error::Entry)?;
        entry.map_or(Ok(false), |entry| self.add(entry, now).map(|()| true))
    }

    /// Commits an entry and keeps it until it is pushed.
    pub(super) fn add(&mut self, entry: Entry, now: Timestamp) -> Result<(), Error> {
        // A commit is never older than its parent, even if the clock was set back.
        let at = self.written_at().map_or(now, |last| last.max(now));
        let mut message = self.signed(&entry.message);
        if at > to_seconds(now) + SignedDuration::from_secs(1) {
            message = headline::with_trailer(&message, headline::CLOCK, &to_seconds(now).to_string());
        }
        let pending = Pending { files: entry.files, message, at };
        self.write(&pending).map_err(Error::Git)?;
        self.pending.push(pending);
        if self.pending.len() > MAX_PENDING {
            let oldest = self.pending.remove(0);
            if let Some(next) = self.pending.first_mut() {
                let newer = std::mem::take(&mut next.files);
                next.files = oldest.files;
                next.files.extend(newer);
                next.message = headline::gathered(&next.message);
            }
        }
        self.journal = entry.journal;
        Ok(())
    }

    /// Adds the trailer that names this daemon to a message.
    pub(super) fn signed(&self, message: &str) -> String {
        headline::set_trailer(message, writer::TRAILER, &self.writer.to_string())
    }

    pub(super) fn write(&mut self, pending: &Pending) -> Result<(), tidegate_git::Error> {
        let commit = self.mirror.commit(&self.commit_of(pending, &self.branch, self.tip.clone()))?;
        self.tip = Some(commit);
        Ok(())
    }

    /// Returns the commit of an entry on a branch.
    pub(super) fn commit_of(&self, pending: &Pending, branch: &str, parent: Option<CommitId>) -> NewCommit {
        let files = pending.files.iter().map(|(path, bytes)| (format!("{}{path}", self.prefix), bytes.clone()));
        NewCommit {
            branch: branch.to_owned(),
            parent,
            files: files.collect(),
            message: pending.message.clone(),
            author: headline::AUTHOR.to_owned(),
            email: headline::EMAIL.to_owned(),
            at: pending.at,
        }
    }

    /// Pushes the unpushed commits. After a lost race, rebases them onto the tip of the remote and pushes again, a few times.
    ///
    /// Returns `true` if our commits are now on top of commits that others made. Then call [`JournalBranch::commit`] again, to
    /// overwrite whatever differs in those.
    ///
    /// # Errors
    /// [`Error::Push`] if the remote refused or cannot be reached, [`Error::Git`] if it could not be fetched after a lost race. The
    /// local commits are kept, and a later call retries. [`Error::Rival`] or [`Error::Deposed`] if another daemon
    /// continues.
    pub fn push(&mut self) -> Result<bool, Error> {
        let mut is_another = false;
        for race in 1..=RACES {
            let Some(tip) = self.tip.clone().filter(|_| self.is_behind()) else { return Ok(is_another) };
            self.begin_again_if_shallow(&tip).map_err(Error::Git)?;
            let Some(tip) = self.tip.clone() else { return Ok(is_another) };
            self.record();
            match self.mirror.push(&self.branch, self.remote.as_ref(), &tip) {
                Ok(()) => {
                    self.remote = Some(tip);
                    self.pending.clear();
                    self.has_inherited = false;
                    return Ok(is_another);
                }
                Err(PushError::Stale { .. }) => {
                    is_another |= self.rebase()?;
                    // Others who lost the race retry at once, too.
                    std::thread::sleep(jitter(BACKOFF.after(race)));
                }
                Err(source) => return Err(Error::Push { branch: self.branch.clone(), source }),
            }
        }
        Ok(is_another)
    }
}
