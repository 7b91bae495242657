//! The directory of a demo, and what to try in it next.

use std::path::{Path, PathBuf};

use super::{ADDON, BROKEN, FILE, FROM, TEMPLATES, TO};
use crate::cli::failure::Failure;
use tidegate_git::{Credentials, Remote};

/// The name of the file with the token of the daemon.
pub(super) const TOKEN: &str = "forge-token";

/// The directory of a demo. It is kept if the demo succeeds, so that its journal can be read.
pub(super) struct Place {
    /// The directory.
    pub(super) directory: PathBuf,
    /// The branch of the journal.
    pub(super) journal: String,
    temporary: Option<tempfile::TempDir>,
}

impl Place {
    pub(super) fn make(given: Option<&PathBuf>) -> Result<Self, Failure> {
        let unusable = |path: &Path, why: String| {
            Failure::Usage(format!("{} cannot be used: {why}; give another --dir", path.display()))
        };
        match given {
            Some(path) => {
                std::fs::create_dir_all(path).map_err(|error| unusable(path, error.to_string()))?;
                let mut entries = std::fs::read_dir(path).map_err(|error| unusable(path, error.to_string()))?;
                if entries.next().is_some() {
                    return Err(unusable(path, "it is not empty".to_owned()));
                }
                let directory = path.canonicalize().map_err(|error| unusable(path, error.to_string()))?;
                Ok(Self { directory, journal: String::new(), temporary: None })
            }
            None => {
                let temporary = tempfile::Builder::new().prefix("tidegate-demo-").tempdir();
                let temporary = temporary.map_err(|error| {
                    Failure::Usage(format!("cannot create a temporary directory: {error}; give one with --dir"))
                })?;
                Ok(Self { directory: temporary.path().to_owned(), journal: String::new(), temporary: Some(temporary) })
            }
        }
    }

    pub(super) fn repository(&self) -> PathBuf {
        self.directory.join("repo.git")
    }

    /// Returns the repository as the daemon reaches it by its path.
    pub(super) fn remote(&self) -> Result<Remote, Failure> {
        let remote = Remote::new(&self.repository().to_string_lossy(), Credentials::None);
        remote.map_err(|error| Failure::internal(&error))
    }

    pub(super) fn mirror(&self) -> PathBuf {
        self.directory.join("mirror.git")
    }

    /// Returns the directory of the forge, for a demo that has one.
    pub(super) fn forge(&self) -> PathBuf {
        self.directory.join("forge")
    }

    /// Returns the file with the token of the daemon.
    pub(super) fn token(&self) -> PathBuf {
        self.directory.join(TOKEN)
    }

    /// Returns the configuration file of the daemon.
    pub(super) fn configuration(&self) -> PathBuf {
        self.directory.join("daemon.toml")
    }

    /// Returns the file of the keys that the daemon trusts.
    pub(super) fn allowed_signers(&self) -> PathBuf {
        self.directory.join("allowed_signers")
    }

    /// Returns the file of a person's private key.
    pub(super) fn key(&self, person: &str) -> PathBuf {
        self.directory.join(format!("{person}.key"))
    }

    /// Returns the files of trusted keys, if the demo has any.
    pub(super) fn trusted_keys(&self) -> Vec<PathBuf> {
        [self.allowed_signers()].into_iter().filter(|path| path.exists()).collect()
    }

    pub(super) fn keep(self) {
        if let Some(temporary) = self.temporary {
            // The epilogue has shown the directory to the user, who owns it from now on.
            let _ = temporary.keep();
        }
    }

    /// Returns the commands that show what happened.
    pub(super) fn commands(&self, addon: &str) -> String {
        let repo = quoted(&self.repository());
        format!(
            "the state of the add-ons, the reason for it, what happened, the page, and the commits of the journal:\n  \
             tidegate status --source {repo}\n  tidegate explain --source {repo} {addon}\n  tidegate history --source {repo}\n  \
             tidegate ui --source {repo}\n  git --git-dir {repo} log --stat {journal}\n",
            journal = self.journal,
        )
    }

    /// Returns the command that shows a file of the journal.
    pub(super) fn show(&self, file: &str) -> String {
        format!("git --git-dir {} show {}:{file}", quoted(&self.repository()), self.journal)
    }

    /// Returns the commands to try after the add-ons of a repository were installed.
    pub(super) fn after_installation(&self, has_ended: bool) -> String {
        let (dir, repo) = (quoted(&self.directory), quoted(&self.repository()));
        let look = self.commands("ADDON");
        format!(
            "\na copy of the repository is {repo}\n\n{look}\n{follow}\n  git clone -q {repo} {dir}/next && cd {dir}/next\n",
            follow = following(has_ended),
        )
    }

    /// Returns the commands to try after the upgrade.
    pub(super) fn epilogue(&self, has_ended: bool) -> String {
        let (dir, repo) = (quoted(&self.directory), quoted(&self.repository()));
        let look = self.commands(ADDON);
        let follow = following(has_ended);
        let clone = |work: &str| format!("git clone -q {repo} {dir}/{work} && cd {dir}/{work}");
        let push = |message: &str| format!("git add -A && git commit -qm '{message}' && git push -q");
        format!(
            "\nthe repository is {repo}\n\n{look}\n{follow}\n\n\
             the next upgrade, here back to {FROM}:\n  {next} && sed -i s/{ADDON}-{TO}/{ADDON}-{FROM}/ {FILE} && {push_next}\n\n\
             an upgrade that never becomes ready on the canaries, and so stops there (after 10 minutes they count as failed):\n  {bad} && sed s/{TO}/{BROKEN}/ {TEMPLATES}/template-{TO}.yaml \
             > {TEMPLATES}/template-{BROKEN}.yaml && sed -i 's/{ADDON}-0.4../{ADDON}-{BROKEN}/' {FILE} && {push_bad}\n",
            next = clone("next"),
            bad = clone("bad"),
            push_next = push("hello-template: back to 0.4.0"),
            push_bad = push("hello-template: a broken version"),
        )
    }
}

/// Returns whether the demo follows what is pushed.
fn following(has_ended: bool) -> &'static str {
    if has_ended {
        "without --exit-when-done, the demo would now follow what you push:"
    } else {
        "the demo follows what you push; press Ctrl-C to end it:"
    }
}

/// Returns a path as a word of a shell command.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
