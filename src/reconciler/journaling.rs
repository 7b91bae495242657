//! Keeping the journal: gather, commit, push; and when the remote has moved, lay the same entries on top and push again.
//!
//! Entries are committed to the mirror first, so that Git being away costs nothing but time. What a lost race or a restart
//! leaves behind is laid anew, or told as it is at present; nothing is ever forced.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::keep::Unpushed;
use super::trust::is_signed;
use crate::hub::jitter;
use tidegate_core::journal::record::Identity;
use tidegate_core::journal::writer::{self, Writer};
use tidegate_core::journal::{self, Entry, Facts, Journal, headline};
use tidegate_core::plan::report::Report;
use tidegate_git::{Ancestry, Mirror, NewCommit, PushError, Reference};
use tidegate_model::instance::Instance;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_signature::{SigningKey, Store};

/// Why an entry did not reach the remote; it is kept and tried again.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The mirror could not be read or written, or the remote not be fetched.
    #[error("the journal cannot be kept")]
    Git(#[source] tidegate_git::Error),
    /// The remote did not take the journal.
    #[error("the journal cannot be pushed to branch {branch}")]
    Push {
        /// The journal's branch.
        branch: String,
        /// Why.
        #[source]
        source: PushError,
    },
    /// An entry has no form in YAML.
    #[error("the journal cannot be written")]
    Entry(#[source] journal::documents::Unwritable),
    /// Another daemon was there first. The operator stops one of the two.
    #[error(
        "daemon {theirs} keeps the journal on branch {branch}, and this one ({ours}) came later, so it stops: two daemons must not \
         share a journal; stop one of them, or give this one a journal of its own with --journal-branch"
    )]
    Rival {
        /// The journal's branch.
        branch: String,
        /// This daemon.
        ours: Writer,
        /// The one that was there first.
        theirs: Writer,
    },
    /// The journal is that of another instance: the repository was replaced, or the branch was.
    #[error(
        "the journal on branch {branch} is that of instance {theirs}, and this one is {ours}: the repository or the branch was \
         replaced; restart the daemon to go on as instance {theirs}, or give it a journal of its own with --journal-branch"
    )]
    Foreign {
        /// The journal's branch.
        branch: String,
        /// This instance.
        ours: Instance,
        /// The instance of the journal.
        theirs: Instance,
    },
    /// The repository was replaced by another one. Nothing is pushed to it.
    #[error(
        "the journal is not pushed to branch {branch}: the repository at this address was replaced by another one, which holds neither \
         the history that was followed nor this journal"
    )]
    Replaced {
        /// The journal's branch.
        branch: String,
    },
    /// The identity of the instance cannot be read. The operator restores the file.
    #[error(
        "sync.yaml on branch {branch} cannot be read, so the identity of this instance is not known, and nothing on the hub could be \
         recognized as its own: restore the file from the history of the branch"
    )]
    Unidentified {
        /// The journal's branch.
        branch: String,
    },
}

impl Error {
    /// Returns `true` if this daemon has to end.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Rival { .. } | Self::Foreign { .. })
    }

    /// Returns `true` if the remote is there, and said no.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Git(error) => error.is_refusal(),
            Self::Push { source, .. } => source.is_refusal(),
            Self::Replaced { .. } => true,
            Self::Entry(_) | Self::Rival { .. } | Self::Foreign { .. } | Self::Unidentified { .. } => false,
        }
    }
}

/// One entry that is committed here and not yet on the remote.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub(super) files: BTreeMap<String, Option<Vec<u8>>>,
    pub(super) message: String,
    pub(super) at: Timestamp,
}

/// The journal's branch. Its methods block: call them where blocking is allowed.
pub struct Journaling {
    pub(super) mirror: Arc<Mirror>,
    pub(super) branch: String,
    pub(super) prefix: &'static str,
    pub(super) writer: Writer,
    pub(super) journal: Journal,
    /// The identity of the instance, once it is known.
    pub(super) identity: Option<Identity>,
    /// What is followed in the same repository.
    pub(super) follows: Option<Reference>,
    /// The tip here.
    pub(super) tip: Option<CommitId>,
    /// The tip on the remote, as last seen.
    pub(super) remote: Option<CommitId>,
    pub(super) pending: Vec<Pending>,
    /// There are commits of an earlier process that are not pushed, and of which the entries are not known.
    pub(super) has_inherited: bool,
    /// The last daemon that wrote to the journal although it started later.
    pub(super) rival: Option<Writer>,
    /// Another daemon has written to the journal: what was observed before may be older than what it wrote.
    pub(super) is_overtaken: bool,
    /// The generation of the mirror in which the commits above are.
    pub(super) generation: u64,
}

/// Beyond this many unpushed entries the oldest two become one: a remote that is away for a week must not fill the memory.
/// At one entry in ten seconds it is reached after almost three hours.
const MAX_PENDING: usize = 1_000;
/// Somebody who pushes faster than so many times in a row is waited for until the next round.
const RACES: usize = 5;
/// The longest pause after the first lost race; it doubles with each.
const PAUSE: Duration = Duration::from_millis(50);

impl Journaling {
    /// Opens the journal on a branch, below a prefix such as `status/`, which is empty where the branch is its own.
    ///
    /// # Errors
    /// [`Error::Git`] if the remote cannot be reached or a journal that is there cannot be read.
    pub fn open(mirror: Arc<Mirror>, branch: &str, prefix: &'static str, writer: Writer) -> Result<Self, Error> {
        let remote = mirror.fetch(&[branch]).map_err(Error::Git)?.remove(branch);
        let local = mirror.local(branch).map_err(Error::Git)?;
        let mut journaling = Self {
            generation: mirror.generation(),
            mirror,
            branch: branch.to_owned(),
            prefix,
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
        };
        journaling.take_up(local).map_err(Error::Git)?;
        Ok(journaling)
    }

    /// Goes on from the commits that an earlier process made and could not push.
    fn take_up(&mut self, local: Option<CommitId>) -> Result<(), tidegate_git::Error> {
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
                    let theirs = remote.as_ref().map(|remote| self.is_told(&local, remote)).transpose()?;
                    if theirs != Some(true) {
                        self.keep_everything(&local)?;
                    }
                    self.relay()?;
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

    /// Returns `true` if the last commit of the journal bears a signature of this key.
    ///
    /// # Errors
    /// [`tidegate_git::Error`] if the commit cannot be read.
    pub fn is_signed_by(&self, key: &SigningKey) -> Result<bool, tidegate_git::Error> {
        let Some(tip) = &self.tip else { return Ok(false) };
        let info = self.mirror.commit_info(tip)?;
        let own = Store::read(format!("{} {}\n", self.writer.name, key.public_key()).as_bytes()).unwrap_or_default();
        Ok(is_signed(&own, &info))
    }

    /// Returns what was journaled last.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Returns `true` if there are commits that the remote has not.
    pub fn is_behind(&self) -> bool {
        self.tip != self.remote
    }

    /// Returns what the remote has not.
    pub(super) fn unpushed(&self) -> Unpushed {
        Unpushed { entries: self.pending.len().max(1), branch: self.branch.clone() }
    }

    /// Commits an entry if there is something to tell. Returns whether there was.
    ///
    /// # Errors
    /// [`Error::Git`] if the mirror cannot be written.
    pub fn commit(&mut self, report: &Report, facts: &Facts, now: Timestamp) -> Result<bool, Error> {
        if let Some(identity) = &self.identity {
            self.journal.identify(identity);
        }
        let notice = self.rival.as_ref().map(|rival| {
            // It learns from this commit that it came later, also where there is nothing else to report.
            format!("daemon {rival} wrote to this journal, too; it started later than {} and has to stop", self.writer)
        });
        let report = match notice {
            Some(notice) => {
                let mut report = report.clone();
                report.notices.push(notice);
                Cow::Owned(report)
            }
            None => Cow::Borrowed(report),
        };
        let entry = journal::entry(&self.journal, &report, facts, now).map_err(Error::Entry)?;
        entry.map_or(Ok(false), |entry| self.add(entry, now).map(|()| true))
    }

    /// Commits an entry, and keeps it until it is pushed.
    pub(super) fn add(&mut self, entry: Entry, now: Timestamp) -> Result<(), Error> {
        let pending = Pending { files: entry.files, message: self.signed(&entry.message), at: now };
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

    /// Adds to a message which daemon the commit is from.
    pub(super) fn signed(&self, message: &str) -> String {
        headline::with_trailer(message, writer::TRAILER, &self.writer.to_string())
    }

    pub(super) fn write(&mut self, pending: &Pending) -> Result<(), tidegate_git::Error> {
        let files =
            pending.files.iter().map(|(path, bytes)| (format!("{}{path}", self.prefix), bytes.clone())).collect();
        let commit = self.mirror.commit(&NewCommit {
            branch: self.branch.clone(),
            parent: self.tip.clone(),
            files,
            message: pending.message.clone(),
            author: headline::AUTHOR.to_owned(),
            email: headline::EMAIL.to_owned(),
            at: pending.at,
        })?;
        self.tip = Some(commit);
        Ok(())
    }

    /// Pushes what the remote has not; after a lost race, lays it on top of what is there and pushes again, a few times.
    ///
    /// Returns `true` if the journal is another one than before: somebody else's commits are below ours, and what they say differently
    /// is to be laid anew by [`Journaling::commit`].
    ///
    /// # Errors
    /// [`Error::Push`] if the remote refused or cannot be reached, [`Error::Git`] if it could not be fetched after a lost race.
    /// What is here stays here: a later call tries again. [`Error::Rival`] if another daemon was there first.
    pub fn push(&mut self) -> Result<bool, Error> {
        let mut is_another = false;
        for race in 0..RACES {
            let Some(tip) = self.tip.clone().filter(|_| self.is_behind()) else { return Ok(is_another) };
            match self.mirror.push(&self.branch, self.remote.as_ref(), &tip) {
                Ok(()) => {
                    self.remote = Some(tip);
                    self.pending.clear();
                    self.has_inherited = false;
                    return Ok(is_another);
                }
                Err(PushError::Stale { .. }) => {
                    is_another |= self.yield_to_remote()?;
                    // Whoever else lost the race tries again at once, too.
                    std::thread::sleep(jitter(PAUSE * (1 << race)));
                }
                Err(source) => return Err(Error::Push { branch: self.branch.clone(), source }),
            }
        }
        Ok(is_another)
    }
}

/// Returns the files of a journal that lies below a prefix, by path from there; none if nothing was journaled there yet.
///
/// # Errors
/// [`tidegate_git::Error`] if the commit cannot be read.
pub fn files_below(
    mirror: &Mirror,
    commit: &CommitId,
    prefix: &str,
) -> Result<BTreeMap<String, Vec<u8>>, tidegate_git::Error> {
    let tree = match mirror.tree(commit, prefix.trim_end_matches('/')) {
        Err(tidegate_git::Error::NoDirectory { .. }) => return Ok(BTreeMap::new()),
        tree => tree?,
    };
    let inside = |path: String| path.strip_prefix(prefix).map(str::to_owned);
    Ok(tree.files.into_iter().filter_map(|(path, bytes)| Some((inside(path)?, bytes))).collect())
}
