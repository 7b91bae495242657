//! The config repository that a command reads: a directory on this machine, or a mirror of a remote one.

use std::path::PathBuf;

use crate::cli::args::SourceArgs;
use crate::cli::compose::{self, Source, StateDir};
use crate::cli::config::File;
use crate::cli::failure::Failure;
use tidegate_git::{Error, LocalRepository, Mirror, Reference};
use tidegate_model::error_chain::ErrorChain;

/// An opened repository, with the settings of the command.
pub(crate) struct Opened {
    /// The path or URL.
    pub place: String,
    /// The followed reference.
    pub reference: Reference,
    /// The branch of the journal, if it is named.
    pub journal_branch: Option<String>,
    /// The configuration file.
    pub file: File,
    /// The repository.
    pub found: Found,
}

/// Where a repository is.
pub(crate) enum Found {
    /// On this machine.
    Here {
        /// The directory that was named.
        root: PathBuf,
        /// The Git repository around the directory, or why there is none.
        archive: Result<Box<LocalRepository>, Error>,
    },
    /// Elsewhere.
    There {
        /// A mirror in a temporary directory.
        mirror: Box<Mirror>,
        /// The directory of the mirror.
        _state: StateDir,
    },
}

impl Opened {
    /// Opens the repository that the arguments or the configuration file name, or else the one that contains the current directory.
    /// Fetches nothing. Blocks.
    ///
    /// # Errors
    /// [`Failure::Usage`] for wrong settings.
    pub(crate) fn open(args: &SourceArgs) -> Result<Self, Failure> {
        let (source, _) = compose::source_or_here(args)?;
        let Source { place, remote, reference, journal_branch, file } = source;
        // A URL is fetched, also one of this machine.
        let root = PathBuf::from(&place);
        let found = if root.exists() {
            let archive = LocalRepository::open(&root).map(Box::new);
            Found::Here { root, archive }
        } else {
            let state = StateDir::of(None)?;
            let mirror = Mirror::open(state.mirror(), remote).map_err(|error| Failure::internal(&error))?;
            Found::There { mirror: Box::new(mirror), _state: state }
        };
        Ok(Self { place, reference, journal_branch, file, found })
    }

    /// Returns the failure of a repository that cannot be read.
    pub(crate) fn unreadable(&self, error: &Error) -> Failure {
        Failure::Usage(format!(
            "{} cannot be read as a Git repository: {}; give a clone or a URL with --source",
            self.place,
            ErrorChain(error)
        ))
    }
}
