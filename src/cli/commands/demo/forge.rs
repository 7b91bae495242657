//! The forge of a demo: a stand-in for GitHub, GitLab or Gitea on a port of this machine, which has the repository of the demo.

use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};

use super::people::{ADA, BOB};
use super::place::{Place, TOKEN};
use crate::cli::args::SourceArgs;
use crate::cli::compose::{self, Source};
use crate::cli::failure::Failure;
use crate::cli::forge;
use crate::cli::process::Process;
use tidegate_daemon::reconciler::forge::ForgeConfig;
use tidegate_fake_forge::{ForgeError, ForgeSandbox, Options, PullRecord, Role, StatusRecord};
use tidegate_git::Remote;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::forge::ForgeKind;

/// The account of the daemon.
const DAEMON: &str = "tidegate";

/// A forge with accounts for the people of the demo and for the daemon.
#[derive(Clone)]
pub(super) struct Forge {
    pub(super) kind: ForgeKind,
    pub(super) sandbox: ForgeSandbox,
    configuration: PathBuf,
    process: Process,
}

impl Forge {
    /// Starts the forge with an empty repository, to which the path of the demo's repository links, and writes the configuration of
    /// the daemon.
    pub(super) async fn start(process: &Process, kind: ForgeKind, place: &Place) -> Result<Self, Failure> {
        let clock = process.clock().clone();
        let options = Options::new(place.forge(), move || clock.now());
        let sandbox = ForgeSandbox::start(kind, options).await.map_err(failure)?;
        for (login, role) in [(ADA, Role::Write), (BOB, Role::Write), (DAEMON, Role::Admin)] {
            sandbox.add_account(login, role);
        }
        let repository = place.forge().join(format!("{}.git", sandbox.project()));
        symlink(repository, place.repository()).map_err(|error| unusable(&place.repository(), &error))?;
        let (file, token) = (place.configuration(), place.token());
        write(&token, &sandbox.token_of(DAEMON))?;
        write(&file, &configuration(kind, &sandbox))?;
        Ok(Self { kind, sandbox, configuration: file, process: process.clone() })
    }

    /// Returns the settings of the daemon for this forge, as `tidegate run --config` reads them. If the process reaches forges without a
    /// network, the repository is read by its path.
    pub(super) fn settings(&self, place: &Place) -> Result<(Remote, ForgeConfig), Failure> {
        let args = SourceArgs { config: Some(self.configuration.clone()), ..SourceArgs::default() };
        let Source { remote, reference, file, .. } = compose::source(&args)?;
        let transport = self.process.transport(&self.sandbox);
        let remote = if transport.is_some() { place.remote()? } else { remote };
        let forge = forge::forge(&file, &self.sandbox.git_url(), &reference, transport, self.process.clock())?;
        let forge = forge.ok_or_else(|| Failure::Internal("the demo configures no forge".to_owned()))?;
        Ok((remote, forge))
    }

    /// Returns what the forge is, and where.
    pub(super) fn described(&self) -> String {
        format!("{} (a stand-in for {})", self.sandbox.web_url(), self.name())
    }

    /// Returns the name of the forge.
    pub(super) fn name(&self) -> &'static str {
        match self.kind {
            ForgeKind::GitHub => "GitHub",
            ForgeKind::GitLab => "GitLab",
            ForgeKind::Gitea => "Gitea",
        }
    }

    /// Returns what the forge calls a pull request.
    pub(super) fn noun(&self) -> &'static str {
        if self.kind == ForgeKind::GitLab { "merge request" } else { "pull request" }
    }

    /// Returns the first comment on a pull request.
    pub(super) fn comment(&self, number: u64) -> Option<String> {
        self.sandbox.comments(number).into_iter().next().map(|comment| comment.body)
    }

    /// Returns the newest status of a commit in a context.
    pub(super) fn status(&self, commit: &str, context: &str) -> Option<StatusRecord> {
        let statuses = self.sandbox.statuses(commit).into_iter();
        statuses.filter(|status| status.context == context).max_by_key(|status| status.id)
    }

    /// Returns the pull request that the daemon has opened.
    pub(super) fn request(&self, change: u64) -> Option<PullRecord> {
        self.sandbox.pulls().into_iter().find(|pull| pull.number != change)
    }
}

/// Returns the configuration file of the daemon. The demo looks at the forge each second, and so needs more requests.
fn configuration(kind: ForgeKind, sandbox: &ForgeSandbox) -> String {
    let (source, api) = (sandbox.git_url(), sandbox.url());
    format!(
        "[source]\nurl = \"{source}\"\ntoken_file = \"{TOKEN}\"\n\n[forge]\nkind = \"{kind}\"\nurl = \"{api}\"\ntoken_file = \"{TOKEN}\"\n\
         poll = \"1s\"\nbudget = 100000\n"
    )
}

/// Writes a file that only its owner may read.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| unusable(path, &error))
}

fn unusable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("{} cannot be written: {error}; give another --dir", path.display()))
}

/// Returns the failure of a command for an error of the forge.
pub(super) fn failure(error: ForgeError) -> Failure {
    match error {
        ForgeError::Git(_) | ForgeError::Listen(_) => Failure::Usage(ErrorChain(&error).to_string()),
        ForgeError::Missing(_) | ForgeError::Refused(_) => Failure::internal(&error),
    }
}
