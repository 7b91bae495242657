//! Where the config repository is: a clone of the user, a bare repository, or a URL.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::program::Git;
use crate::cli::args::OwnSourceArgs;
use crate::cli::compose::{self, StateDir};
use crate::cli::failure::Failure;
use tidegate_git::{LocalRepository, Reference};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::line::one_line;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;
use tidegate_repository::OperatorRules;

/// The config repository.
#[derive(Debug)]
pub(crate) struct Place {
    pub(super) git: Git,
    pub(super) remote: Remote,
    /// The followed branch.
    pub(crate) branch: String,
    /// The directory of declarations; empty for the one in `tidegate.toml`.
    pub(crate) path: String,
    /// What the operator lets the repository do on the hub.
    pub(crate) operator: Arc<OperatorRules>,
    /// Whether only the last commit is fetched.
    is_shallow: bool,
    /// The directory of a repository that was fetched.
    _state: Option<StateDir>,
}

/// The repository that is pushed to.
#[derive(Debug)]
pub(super) enum Remote {
    /// The repository itself: it is bare, or has no remote.
    Itself,
    /// A remote of the user's clone.
    Named(String),
    /// A repository that is fetched into a temporary directory.
    Address(String),
}

impl Remote {
    /// Returns what git calls it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Itself => ".",
            Self::Named(name) | Self::Address(name) => name,
        }
    }
}

impl Place {
    /// Finds the repository. `needs_history` is `true` if more than the last commit is read.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is none, or the followed reference is not a branch.
    pub(crate) fn open(args: &OwnSourceArgs, needs_history: bool) -> Result<Self, Failure> {
        let (source, _) = compose::source_or_here(&args.reading())?;
        let compose::Source { place, reference, file, .. } = source;
        let branch = match reference {
            Reference::Branch(name) | Reference::Named(name) => name,
            Reference::Tag(_) | Reference::Range(_) => {
                return Err(Failure::Usage(format!(
                    "--ref {reference}: a commit can only be pushed to a branch; name the branch from which the tags are made. The daemon \
                     acts once it follows a tag that contains the commit"
                )));
            }
        };
        let operator = file.operator();
        let path = args.overlay.clone().or(file.source.path).unwrap_or_default();
        if Path::new(&place).exists() {
            let git = Git::new(&place);
            let remote = remote_of(&git, &place, &branch)?;
            return Ok(Self { git, remote, branch, path, operator, is_shallow: false, _state: None });
        }
        let state = StateDir::of(None)?;
        let directory = state.mirror();
        std::fs::create_dir_all(&directory)
            .map_err(|error| Failure::Usage(format!("{} cannot be created: {error}", directory.display())))?;
        let git = Git::new(directory);
        git.run(&["init", "--quiet", "--bare"])?.expect("create a temporary repository")?;
        let remote = Remote::Address(place);
        Ok(Self { git, remote, branch, path, operator, is_shallow: !needs_history, _state: Some(state) })
    }

    /// Returns the repository for people.
    pub(crate) fn shown(&self) -> String {
        match &self.remote {
            Remote::Itself => one_line(&self.directory().display().to_string()),
            Remote::Named(name) | Remote::Address(name) => one_line(name),
        }
    }

    /// Returns what git calls the repository that is pushed to.
    pub(crate) fn remote(&self) -> String {
        one_line(self.remote.name())
    }

    /// Returns the address of the repository that is pushed to.
    pub(crate) fn address(&self) -> Result<String, Failure> {
        match &self.remote {
            Remote::Itself => Ok(self.directory().display().to_string()),
            Remote::Address(address) => Ok(address.clone()),
            Remote::Named(name) => {
                Ok(self.git.ask(&["remote", "get-url", "--push", name])?.unwrap_or_default().trim().to_owned())
            }
        }
    }

    /// Returns `true` if the repository is on this machine, so that it stays after the command.
    pub(crate) fn is_kept(&self) -> bool {
        !matches!(self.remote, Remote::Address(_))
    }

    /// Returns the directory of the repository with the objects.
    pub(crate) fn directory(&self) -> PathBuf {
        self.git.directory().to_owned()
    }

    /// Fetches the followed branch, and returns its tip.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is no such branch, [`Failure::Unreachable`] if it cannot be fetched.
    pub(crate) fn tip(&self) -> Result<CommitId, Failure> {
        let missing = || {
            Failure::Usage(format!(
                "{} has no branch {}; name the branch that the daemon follows with --ref",
                self.shown(),
                self.branch
            ))
        };
        self.fetched(&self.branch)?.ok_or_else(missing)
    }

    /// Fetches a branch, and returns its tip; `None` if it does not exist.
    pub(crate) fn fetched(&self, branch: &str) -> Result<Option<CommitId>, Failure> {
        let tracking = match &self.remote {
            Remote::Itself => format!("refs/heads/{branch}"),
            Remote::Named(name) => format!("refs/remotes/{name}/{branch}"),
            Remote::Address(_) => format!("refs/remotes/origin/{branch}"),
        };
        if !matches!(self.remote, Remote::Itself) {
            let refspec = format!("+refs/heads/{branch}:{tracking}");
            let mut arguments =
                vec!["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
            arguments.extend(self.is_shallow.then_some("--depth=1"));
            let ran = self.git.run(&[&arguments[..], &["--", self.remote.name(), &refspec]].concat())?;
            if !ran.is_success {
                if ran.says("couldn't find remote ref") {
                    return Ok(None);
                }
                return Err(Failure::Unreachable {
                    message: format!("branch {branch} cannot be fetched from {}: {}", self.shown(), ran.complaint()),
                    hint: "check the network and your access; `git fetch` with the same repository shows more"
                        .to_owned(),
                });
            }
        }
        let tip = self.git.ask(&["rev-parse", "--verify", "--quiet", &format!("{tracking}^{{commit}}")])?;
        Ok(tip.and_then(|tip| tip.parse().ok()))
    }

    /// Returns the e-mail address of the user, as git knows it.
    pub(crate) fn email(&self) -> Result<Option<String>, Failure> {
        let email = self.git.ask(&["config", "--get", "user.email"])?;
        Ok(email.map(|email| email.trim().to_owned()).filter(|email| !email.is_empty()))
    }

    /// Fetches a commit that may be missing. Returns `true` if it is there.
    pub(crate) fn obtained(&self, commit: &CommitId) -> Result<bool, Failure> {
        let is_there =
            || Ok::<_, Failure>(self.git.ask(&["cat-file", "-e", &format!("{commit}^{{commit}}")])?.is_some());
        if is_there()? || matches!(self.remote, Remote::Itself) {
            return is_there();
        }
        self.git.run(&[
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--",
            self.remote.name(),
            commit.as_str(),
        ])?;
        is_there()
    }

    /// Returns the files of a commit.
    ///
    /// # Errors
    /// [`Failure::Usage`] if they cannot be read.
    pub(crate) fn tree(&self, commit: &CommitId) -> Result<Tree, Failure> {
        // A repository that was opened before a fetch may not see what it brought.
        let tree = LocalRepository::open(self.git.directory()).and_then(|repository| repository.tree(commit, ""));
        tree.map_err(|error| {
            Failure::Usage(format!(
                "revision {} of {} cannot be read: {}; a partial clone has not all files, so name the repository with --source",
                commit.short(),
                self.shown(),
                ErrorChain(&error)
            ))
        })
    }
}

/// Returns the repository that a local one pushes to.
fn remote_of(git: &Git, place: &str, branch: &str) -> Result<Remote, Failure> {
    let ran = git.run(&["rev-parse", "--is-bare-repository"])?;
    if !ran.is_success {
        return Err(Failure::Usage(format!(
            "{} cannot be read as a Git repository: {}; name the config repository with --source",
            one_line(place),
            ran.complaint()
        )));
    }
    if ran.output.trim() == "true" {
        return Ok(Remote::Itself);
    }
    let remotes = git.ask(&["remote"])?.unwrap_or_default();
    let remotes: Vec<&str> = remotes.lines().collect();
    let configured = git.ask(&["config", "--get", &format!("branch.{branch}.remote")])?;
    let named = configured.filter(|name| remotes.contains(&name.as_str()));
    match (named, remotes.as_slice()) {
        (Some(name), _) => Ok(Remote::Named(name)),
        (None, []) => Ok(Remote::Itself),
        (None, [only]) => Ok(Remote::Named((*only).to_owned())),
        (None, several) if several.contains(&"origin") => Ok(Remote::Named("origin".to_owned())),
        (None, several) => Err(Failure::Usage(format!(
            "the repository has several remotes: {}; choose one with `git config branch.{branch}.remote NAME`",
            several.join(", ")
        ))),
    }
}
