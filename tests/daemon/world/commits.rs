//! What is in the repository: commits of the declarations, and the journal.

use std::collections::BTreeMap;
use std::path::Path;

use tidegate_git::{LocalRepository, NewCommit};
use tidegate_model::revision::CommitId;
use tidegate_signature::SigningKey;

use super::clock::{eventually, now};
use super::setup::World;
use crate::git_command::git_command;

/// The commands of git that move refs.
const MOVES_REFS: [&str; 3] = ["branch", "tag", "update-ref"];

impl World {
    /// Commits files to the tracked branch, as a person would push them, and wakes the daemons as a webhook does.
    pub(in crate::daemon) fn commit(&self, message: &str, files: BTreeMap<String, Option<Vec<u8>>>) -> CommitId {
        self.commit_to("main", message, files)
    }

    /// Commits files to a branch.
    pub(in crate::daemon) fn commit_to(
        &self,
        branch: &str,
        message: &str,
        files: BTreeMap<String, Option<Vec<u8>>>,
    ) -> CommitId {
        let mut commit = NewCommit {
            branch: branch.to_owned(),
            parent: None,
            files,
            message: message.to_owned(),
            author: "Ada".to_owned(),
            email: "ada@example.com".to_owned(),
            at: now(),
        };
        // A journal on the same branch may be faster, like a colleague.
        loop {
            commit.parent = self.local().and_then(|repository| repository.tip(branch).ok()?);
            match tidegate_git::seed(self.repository(), &commit) {
                Err(tidegate_git::Error::Moved { .. }) => {}
                made => {
                    self.look();
                    return made.unwrap();
                }
            }
        }
    }

    /// Replaces a string in one file of the tracked branch.
    pub(in crate::daemon) fn edit(&self, path: &str, from: &str, to: &str) -> CommitId {
        let text = self.read("main", path);
        assert!(text.contains(from), "{path} does not contain {from:?}");
        self.commit(&format!("{path}: {to}"), [(path.to_owned(), Some(text.replace(from, to).into_bytes()))].into())
    }

    /// Returns a file of a branch, or an empty string if it cannot be read. A process of git would take longer.
    pub(in crate::daemon) fn read(&self, branch: &str, path: &str) -> String {
        let content = self.local().and_then(|repository| {
            let tip = repository.tip(branch).ok()??;
            repository.read(&tip, path).ok()?
        });
        String::from_utf8(content.unwrap_or_default()).unwrap()
    }

    /// Wakes the daemons as a webhook does.
    pub(in crate::daemon) fn look(&self) {
        self.looks.send();
    }

    fn local(&self) -> Option<LocalRepository> {
        LocalRepository::open(self.repository()).ok()
    }

    /// Runs git on the repository, without any user's configuration. A command that moves refs wakes the daemons.
    pub(in crate::daemon) fn git(&self, arguments: &[&str]) -> String {
        let output = git_in(&self.repository(), arguments);
        if MOVES_REFS.contains(&arguments[0]) {
            self.look();
        }
        output
    }

    /// Commits files to `main` like [`World::commit`], as a person who signs.
    pub(in crate::daemon) fn commit_signed(
        &self,
        (name, key): (&str, &SigningKey),
        message: &str,
        files: BTreeMap<String, Option<Vec<u8>>>,
    ) {
        loop {
            let tip = self.git(&["rev-parse", "main"]).trim().to_owned();
            self.git(&["branch", "--force", "unsigned", &tip]);
            self.commit_to("unsigned", message, files.clone());
            let commit = self.git(&["cat-file", "commit", "unsigned"]);
            let payload = commit.replace("Ada <ada@", &format!("{name} <{name}@"));
            let (head, text) = payload.split_once("\n\n").unwrap();
            let signature = key.sign(payload.as_bytes()).unwrap();
            let signed = format!("{head}\ngpgsig {}\n\n{text}", signature.trim().replace('\n', "\n "));
            let file = self.path("signed");
            std::fs::write(&file, signed).unwrap();
            let signed = self.git(&["hash-object", "-t", "commit", "-w", file.to_str().unwrap()]);
            let moved =
                git_command(&self.repository()).args(["update-ref", "refs/heads/main", signed.trim(), &tip]).output();
            if moved.unwrap().status.success() {
                return self.look();
            }
        }
    }

    /// Waits until the journal on the remote contains a sealed rollout of an add-on.
    pub(in crate::daemon) async fn until_sealed_of(&self, addon: &str, number: u32) {
        let path = format!("addons/{addon}/rollouts/{number}.yaml");
        let is_sealed = || !self.read("tidegate/journal", &path).is_empty();
        eventually(&format!("rollout {number} of {addon} is sealed"), async || is_sealed()).await;
    }

    /// Waits until the journal on the remote contains a sealed rollout of both add-ons.
    pub(in crate::daemon) async fn until_sealed(&self, number: u32) {
        self.until_sealed_of("hello-template", number).await;
        self.until_sealed_of("managed-serviceaccount", number).await;
    }

    /// Waits until a file of the journal on the remote contains a string.
    pub(in crate::daemon) async fn until_journal(&self, path: &str, text: &str) {
        let file = || self.read("tidegate/journal", path);
        eventually(&format!("{path} contains {text:?}"), async || file().contains(text)).await;
    }
}

/// Runs git in a repository, without any user's configuration. A command that fails has no output.
pub(crate) fn git_in(repository: &Path, arguments: &[&str]) -> String {
    String::from_utf8(git_command(repository).args(arguments).output().unwrap().stdout).unwrap()
}
