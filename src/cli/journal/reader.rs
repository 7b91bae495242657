//! Reads the current journal for commands, without a hub: from the remote, or from the clone in the current directory.

use std::sync::Arc;

use super::format::readable;
use crate::cli::args::SourceArgs;
use crate::cli::compose::{self, StateDir};
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use tidegate_daemon::reconciler::source::{self, STATUS_DIRECTORY, files_below};
use tidegate_git::{Mirror, Reference};
use tidegate_journal::Journal;
use tidegate_journal::record::AddonStatus;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;

/// Reads the journal of one repository, any number of times.
pub(crate) enum Reader {
    /// From the remote.
    Fetched {
        /// A mirror of the remote.
        mirror: Arc<Mirror>,
        /// The followed reference.
        reference: Reference,
        /// The journal's branch, if it is not the one in the settings.
        branch: Option<String>,
        /// The directory of the mirror.
        _state: StateDir,
    },
    /// From the clone in the current directory, as it was last fetched.
    Here(Box<SourceArgs>),
}

impl Reader {
    /// Opens a mirror of the repository in a temporary directory, if a repository is named.
    pub(crate) async fn open(args: &SourceArgs) -> Result<Self, Failure> {
        let (source, is_here) = compose::source_or_here(args)?;
        if is_here {
            return Ok(Self::Here(Box::new(args.clone())));
        }
        let state = StateDir::of(None)?;
        let compose::Source { remote, reference, journal_branch: branch, .. } = source;
        let directory = state.mirror();
        let opened = tokio::task::spawn_blocking(move || Mirror::open(&directory, remote)).await;
        let mirror = opened.map_err(|error| Failure::internal(&error))?.map_err(|error| Failure::internal(&error))?;
        Ok(Self::Fetched { mirror: Arc::new(mirror), reference, branch, _state: state })
    }

    /// Fetches and reads the journal.
    pub(crate) async fn read(&self) -> Result<Journal, Failure> {
        self.read_dated().await.map(|(journal, _)| journal)
    }

    /// Fetches and reads the journal, and returns it with the time of its last entry.
    pub(crate) async fn read_dated(&self) -> Result<(Journal, Timestamp), Failure> {
        let look = match self {
            Self::Fetched { mirror, reference, branch, .. } => {
                let (mirror, reference, branch) = (mirror.clone(), reference.clone(), branch.clone());
                tokio::task::spawn_blocking(move || look(&mirror, &reference, branch.as_deref()))
            }
            Self::Here(args) => {
                let args = args.clone();
                tokio::task::spawn_blocking(move || {
                    let history = History::open(&args)?;
                    Ok((history.journal()?.0, history.written()?))
                })
            }
        };
        look.await.map_err(|error| Failure::internal(&error))?
    }

    /// Returns the files of a revision of the repository.
    pub(crate) async fn tree(&self, commit: &CommitId) -> Result<Tree, Failure> {
        let commit = commit.clone();
        let read = match self {
            Self::Fetched { mirror, .. } => {
                let mirror = mirror.clone();
                tokio::task::spawn_blocking(move || fetched(&mirror, &commit))
            }
            Self::Here(args) => {
                let args = args.clone();
                tokio::task::spawn_blocking(move || History::open(&args)?.tree(&commit))
            }
        };
        read.await.map_err(|error| Failure::internal(&error))?
    }
}

/// Returns the files of a revision in a mirror of the remote.
fn fetched(mirror: &Mirror, commit: &CommitId) -> Result<Tree, Failure> {
    let unreachable = |error: tidegate_git::Error| Failure::git(&error);
    if !mirror.obtain(commit).map_err(unreachable)? {
        return Err(Failure::Usage(format!(
            "revision {commit} is no longer in the repository; someone rewrote its history"
        )));
    }
    mirror.tree(commit, "").map_err(unreachable)
}

/// Returns an add-on of the journal.
pub(crate) fn addon<'a>(journal: &'a Journal, name: &str) -> Result<&'a AddonStatus, Failure> {
    journal.addons.get(name).ok_or_else(|| {
        let known: Vec<_> = journal.addons.keys().map(ToString::to_string).collect();
        Failure::Usage(format!("the journal has no add-on {name:?}; it has: {}", known.join(", ")))
    })
}

fn look(mirror: &Mirror, reference: &Reference, branch: Option<&str>) -> Result<(Journal, Timestamp), Failure> {
    let unreachable = |error: tidegate_git::Error| Failure::git(&error);
    let branch = match branch {
        Some(branch) => branch.to_owned(),
        None => source::journal_branch(mirror, reference).map_err(|error| match error {
            source::Error::Git(error) => unreachable(error),
            other @ (source::Error::Nothing { .. } | source::Error::JournalBranch { .. }) => {
                Failure::Usage(format!("{other}; to read only the journal, give --journal-branch tidegate/journal"))
            }
        })?,
    };
    let prefix = if source::is_branch(reference, &branch) { STATUS_DIRECTORY } else { "" };
    let tips = mirror.fetch(&[&branch]).map_err(unreachable)?;
    let tip = tips.get(&branch).ok_or_else(|| {
        Failure::Usage(format!(
            "the repository has no journal yet: branch {branch} does not exist; has `tidegate run` been started?"
        ))
    })?;
    let files = files_below(mirror, tip, prefix).map_err(unreachable)?;
    let journal = readable(Journal::read(files))?;
    if journal.files.keys().all(|path| path != "sync.yaml" && !path.starts_with("addons/")) {
        return Err(Failure::Usage(format!(
            "branch {branch} contains no journal; name the right one with --journal-branch"
        )));
    }
    let written = mirror.commit_info(tip).map_err(unreachable)?.author.time;
    Ok((journal, written))
}
