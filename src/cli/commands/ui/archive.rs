//! Reads the journal for the page: from a clone, from a remote repository, or from the mirror of the daemon.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::cli::args::SourceArgs;
use crate::cli::compose::Source;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::journal::opened::{Found, Opened};
use tidegate_daemon::monitor::page::{Archive, Unavailable};
use tidegate_git::{LocalRepository, Mirror, Reference};
use tidegate_journal::headline;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::revision::CommitId;
use tidegate_page::Moment;

/// How often a repository on this machine is looked at.
const HERE: Duration = Duration::from_secs(2);
/// How often a remote repository is fetched.
const THERE: Duration = Duration::from_secs(10);

/// The journal of a repository.
pub(crate) struct JournalArchive {
    place: Place,
    /// The entries that are known, newest first.
    log: Mutex<Vec<Moment>>,
}

enum Place {
    Opened(Box<Opened>),
    /// The mirror of a daemon, which exists once the daemon has fetched the repository.
    Mirror {
        root: PathBuf,
        place: String,
        reference: Reference,
        journal_branch: Option<String>,
    },
}

impl JournalArchive {
    /// Opens the repository that the arguments name, or the one that contains the current directory. Blocks.
    ///
    /// # Errors
    /// [`Failure::Usage`] for wrong settings.
    pub(crate) fn open(args: &SourceArgs) -> Result<Self, Failure> {
        Ok(Self::of(Place::Opened(Box::new(Opened::open(args)?))))
    }

    /// Opens the repository, and reads the journal once: a mistake is reported now, and not to a reader.
    ///
    /// # Errors
    /// [`Failure`] for wrong settings, and for a journal that cannot be read.
    pub(crate) async fn checked(args: SourceArgs) -> Result<Self, Failure> {
        let opened = tokio::task::spawn_blocking(move || {
            let archive = Self::open(&args)?;
            archive.history().and_then(|history| history.journal())?;
            Ok(archive)
        });
        opened.await.map_err(|error| Failure::internal(&error))?
    }

    /// Returns the journal in the mirror of a daemon that follows a repository.
    pub(crate) fn of_mirror(directory: &Path, source: &Source) -> Self {
        let root = Mirror::repository_path(directory);
        let (place, reference, journal_branch) =
            (source.place.clone(), source.reference.clone(), source.journal_branch.clone());
        Self::of(Place::Mirror { root, place, reference, journal_branch })
    }

    fn of(place: Place) -> Self {
        Self { place, log: Mutex::default() }
    }

    /// Returns the journal with its history, fetched if it is elsewhere. Blocks.
    fn history(&self) -> Result<History, Failure> {
        match &self.place {
            Place::Opened(opened) => History::of(opened),
            Place::Mirror { root, place, reference, journal_branch } => {
                let archive = LocalRepository::open(root).map(Box::new);
                History::of(&Opened {
                    place: place.clone(),
                    reference: reference.clone(),
                    journal_branch: journal_branch.clone(),
                    file: File::default(),
                    found: Found::Here { root: root.clone(), archive },
                })
            }
        }
    }

    /// Returns the newest entries, newest first. Only those that are not known yet are read.
    fn entries(&self, history: &History, limit: usize) -> Result<Vec<Moment>, tidegate_git::Error> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new = Vec::new();
        let mut next = Some(history.tip.clone());
        while let Some(commit) = next.take().filter(|_| new.len() < limit) {
            if let Some(at) = log.iter().position(|known| known.commit == commit) {
                new.extend(log.drain(at..));
                break;
            }
            let info = match history.archive().commit_info(&commit) {
                Ok(info) => info,
                // A shallow clone lacks the earlier ones.
                Err(_) if !new.is_empty() => break,
                Err(error) => return Err(error),
            };
            next = info.parents.first().cloned();
            // In a directory of the followed branch, most commits are no entries.
            if !history.is_shared || info.author.email == headline::EMAIL {
                new.push(Moment { commit, at: info.author.time, subject: info.subject });
            }
        }
        new.truncate(limit);
        *log = new;
        Ok(log.clone())
    }
}

impl Archive for JournalArchive {
    fn pause(&self) -> Duration {
        match &self.place {
            Place::Opened(opened) if matches!(opened.found, Found::There { .. }) => THERE,
            Place::Opened(_) | Place::Mirror { .. } => HERE,
        }
    }

    fn moments(&self, limit: usize) -> Result<Vec<Moment>, Unavailable> {
        let history = self.history().map_err(unavailable)?;
        self.entries(&history, limit).map_err(|error| Unavailable(ErrorChain(&error).to_string()))
    }

    fn files(&self, commit: &CommitId) -> Result<BTreeMap<String, Vec<u8>>, Unavailable> {
        self.history().and_then(|history| history.files(commit)).map_err(unavailable)
    }
}

/// Returns why the journal cannot be read.
fn unavailable(failure: Failure) -> Unavailable {
    Unavailable(match failure {
        Failure::Usage(why) | Failure::Internal(why) | Failure::Unfinished(why) => why,
        Failure::Unreachable { message, .. } => message,
        Failure::Findings | Failure::Changes | Failure::UnderWay => "it is not complete".to_owned(),
    })
}
