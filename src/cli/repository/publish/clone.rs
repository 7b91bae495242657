//! The repository in which a commit is made, and the remote to which it is pushed.

use std::path::Path;

use super::program::Program;
use crate::cli::failure::Failure;
use tidegate_git::LocalRepository;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::revision::CommitId;

/// A repository on this machine with the remote that is changed.
#[derive(Debug)]
pub(crate) struct Clone {
    pub(super) git: Program,
    pub(super) objects: LocalRepository,
    /// The remote: a name such as `origin`, a path or a URL.
    pub(super) remote: String,
    /// Removes a temporary repository.
    temporary: Option<tempfile::TempDir>,
}

impl Clone {
    /// Opens a config repository: a directory in a clone, whose remote is then changed, a bare repository, which is changed
    /// itself, or a URL. The remote of a clone is `origin`, or the only one that it has. Blocks.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is no repository, or if its remote is not clear.
    pub(crate) fn open(place: &str) -> Result<Self, Failure> {
        if !Path::new(place).exists() {
            return Self::of_url(place);
        }
        let git = Program::new(Path::new(place));
        let root = git.output(&["rev-parse", "--absolute-git-dir"])?;
        if !root.is_success {
            return Err(Failure::Usage(format!(
                "{place} is not in a Git repository ({}); name a clone or a URL with --source",
                root.message
            )));
        }
        let remotes = git.run(&["remote"])?;
        let mut names = remotes.lines();
        let remote = match (remotes.lines().find(|name| *name == "origin"), names.next(), names.next()) {
            (Some(origin), ..) => origin.to_owned(),
            (None, Some(only), None) => only.to_owned(),
            (None, None, _) => root.text.clone(),
            (None, Some(_), Some(_)) => {
                return Err(Failure::Usage(format!(
                    "{place} has several remotes, and none of them is origin: {}; name the URL of the config repository with \
                     --source",
                    remotes.lines().collect::<Vec<_>>().join(", ")
                )));
            }
        };
        Self::with(git, Path::new(&root.text), remote, None)
    }

    fn of_url(url: &str) -> Result<Self, Failure> {
        let place = tempfile::Builder::new().prefix("tidegate-").tempdir();
        let place = place.map_err(|error| Failure::Usage(format!("cannot create a temporary directory: {error}")))?;
        let git = Program::new(place.path());
        git.run(&["init", "--quiet", "--bare", "."])?;
        let directory = place.path().to_owned();
        Self::with(git, &directory, url.to_owned(), Some(place))
    }

    fn with(
        git: Program,
        directory: &Path,
        remote: String,
        temporary: Option<tempfile::TempDir>,
    ) -> Result<Self, Failure> {
        let objects =
            LocalRepository::open(directory).map_err(|error| Failure::Usage(ErrorChain(&error).to_string()))?;
        Ok(Self { git, objects, remote, temporary })
    }

    /// Returns the remote that is changed: a name such as `origin`, a path or a URL.
    pub(crate) fn remote(&self) -> &str {
        &self.remote
    }

    /// Returns `true` if the repository is removed at the end of the command.
    pub(super) fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// Returns the tip of a branch of the remote, with its files, fetching it if it is new; `None` if there is no such branch.
    pub(super) fn tip(&self, branch: &str) -> Result<Option<CommitId>, Failure> {
        let name = format!("refs/heads/{branch}");
        let listed = self.git.output(&["ls-remote", "--", &self.remote, &name])?;
        if !listed.is_success {
            return Err(self.unreachable(&listed.message));
        }
        let of_line = |line: &str| Some(line.split_once('\t').filter(|(_, found)| *found == name)?.0.parse().ok()?);
        let Some(tip): Option<CommitId> = listed.text.lines().find_map(of_line) else { return Ok(None) };
        let is_here = self.git.output(&["cat-file", "-e", &format!("{tip}^{{tree}}")])?.is_success;
        if !is_here {
            let depth: &[&str] = if self.is_temporary() { &["--depth=1"] } else { &[] };
            let fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
            let arguments: Vec<&str> = fetch.iter().chain(depth).copied().chain(["--", &self.remote, &name]).collect();
            let fetched = self.git.output(&arguments)?;
            if !fetched.is_success {
                return Err(self.unreachable(&fetched.message));
            }
        }
        Ok(Some(tip))
    }

    fn unreachable(&self, message: &str) -> Failure {
        Failure::Unreachable {
            message: format!("Git cannot read {}: {message}", self.remote),
            hint: format!("`git ls-remote {}` shows the same; check the address and your permissions", self.remote),
        }
    }
}
