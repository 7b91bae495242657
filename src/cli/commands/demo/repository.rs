//! The repository of a demo, and the commits that people make in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{ADDON, BROKEN, FILE, FROM, TEMPLATES, TO};
use crate::cli::commands::examples;
use crate::cli::failure::Failure;
use crate::cli::repository::directory;
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_git::{LocalRepository, NewCommit, Signer};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;
use tidegate_repository::{SETTINGS_FILE, load};

/// Changed files by path: the new content, or `None` to remove the file.
pub(super) type Files = BTreeMap<String, Option<Vec<u8>>>;

/// The branch that the daemon follows.
pub(super) const BRANCH: &str = "main";

/// Who makes a commit.
pub(super) struct Author<'a> {
    /// The name; the address is `<name>@localhost`.
    pub(super) name: &'a str,
    /// Signs the commits.
    pub(super) signer: Option<&'a Signer>,
}

/// The person who makes the changes of a demo.
pub(super) const DEMO: Author<'static> = Author { name: "demo", signer: None };

/// A bare repository.
pub(super) struct Repository {
    path: PathBuf,
    clock: Clock,
}

impl Repository {
    /// Creates it with the files of a directory, or with the example files and the given changes of them. A repository that exists must
    /// be empty.
    pub(super) fn create(path: &Path, own: Option<&Path>, changes: Files, clock: &Clock) -> Result<Self, Failure> {
        if !path.exists() {
            tidegate_git::init_bare(path, BRANCH).map_err(|error| Failure::internal(&error))?;
        }
        let repository = Self { path: path.to_owned(), clock: clock.clone() };
        let mut files: Files = match own {
            Some(directory) => {
                directory::tree(directory)?.files.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect()
            }
            None => examples::FILES.iter().map(|(path, text)| entry(path, (*text).to_owned())).collect(),
        };
        files.extend(changes);
        repository.commit(&DEMO, "Add-ons of the demonstration fleet\n", files)?;
        Ok(repository)
    }

    /// Returns the path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the time of a commit that is made now.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Makes a commit on the followed branch.
    pub(super) fn commit(&self, author: &Author<'_>, message: &str, files: Files) -> Result<(), Failure> {
        self.commit_to(BRANCH, author, message, files).map(drop)
    }

    /// Makes a commit on a branch, which must exist unless it is the first one. Returns the commit.
    pub(super) fn commit_to(
        &self,
        branch: &str,
        author: &Author<'_>,
        message: &str,
        files: Files,
    ) -> Result<CommitId, Failure> {
        let parent = LocalRepository::open(&self.path).and_then(|repository| repository.tip(branch));
        let commit = NewCommit {
            branch: branch.to_owned(),
            parent: parent.map_err(|error| Failure::internal(&error))?,
            files,
            message: message.to_owned(),
            author: author.name.to_owned(),
            email: format!("{}@localhost", author.name),
            at: self.now(),
        };
        let made = match author.signer {
            Some(signer) => tidegate_git::seed_signed(&self.path, &commit, signer),
            None => tidegate_git::seed(&self.path, &commit),
        };
        made.map_err(|error| Failure::internal(&error))
    }

    /// Returns the content of a file at the tip of the followed branch.
    pub(super) fn text(&self, path: &str) -> Result<String, Failure> {
        let text = self.text_on(BRANCH, path)?;
        text.ok_or_else(|| Failure::Internal(format!("the repository of the demo has no file {path}")))
    }

    /// Returns the branch of the journal, as the repository declares it.
    pub(super) fn journal(&self) -> Result<String, Failure> {
        let mut tree = Tree::default();
        if let Some(settings) = self.text_on(BRANCH, SETTINGS_FILE)? {
            tree.files.insert(SETTINGS_FILE.to_owned(), settings.into_bytes());
        }
        Ok(load(&tree, "").repository.settings.journal_branch)
    }

    /// Returns the content of a file at the tip of a branch; `None` if the branch has no such file.
    pub(super) fn text_on(&self, branch: &str, path: &str) -> Result<Option<String>, Failure> {
        let read = || {
            let repository = LocalRepository::open(&self.path)?;
            let Some(tip) = repository.tip(branch)? else { return Ok(None) };
            repository.read(&tip, path)
        };
        let bytes = read().map_err(|error: tidegate_git::Error| Failure::internal(&error))?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Returns the change of one line that lets the add-on have another version, as a person would make it.
    pub(super) fn version(&self, from: &str, to: &str) -> Result<Files, Failure> {
        let text = self.text(FILE)?.replace(&format!("{ADDON}-{from}"), &format!("{ADDON}-{to}"));
        Ok(Files::from([entry(FILE, text)]))
    }

    /// Returns the change to the broken version: its template, whose image never becomes ready, and the line with the version.
    pub(super) fn broken(&self) -> Result<Files, Failure> {
        let template = self.text(&format!("{TEMPLATES}/template-{TO}.yaml"))?.replace(TO, BROKEN);
        let mut files = self.version(FROM, BROKEN)?;
        files.extend([entry(&format!("{TEMPLATES}/template-{BROKEN}.yaml"), template)]);
        Ok(files)
    }
}

/// Returns a file for a commit.
pub(super) fn entry(path: &str, text: String) -> (String, Option<Vec<u8>>) {
    (path.to_owned(), Some(text.into_bytes()))
}

/// Returns the content of a file of the examples.
pub(super) fn example(path: &str) -> &'static str {
    examples::FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text).unwrap_or_default()
}
