//! A bare repository of the forge: its branches, commits and refs.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::answers::{Answers, Holds};
use super::http::{GitRequest, GitResponse, Served, serve};
use super::program::{self, GitError, Identity};
use super::refs::{Refs, is_id};
use tidegate_model::time::Timestamp;

/// A bare repository in a directory. Clones share what git has answered.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    directory: PathBuf,
    answers: Arc<Answers<Vec<String>, Option<String>>>,
    served: Arc<Served>,
}

/// What a commit contains.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) sha: String,
    pub(crate) parents: Vec<String>,
    pub(crate) tree: String,
    pub(crate) author: Identity,
    pub(crate) committer: Identity,
    pub(crate) message: String,
}

/// A file that differs between two commits.
#[derive(Debug, Clone)]
pub(crate) struct ChangedFile {
    /// `A`, `M` or `D`.
    pub(crate) change: String,
    pub(crate) path: String,
}

/// As on a forge, each commit that was ever pushed can be fetched by its id. No push starts housekeeping.
const CONFIG: &str = "[uploadpack]\n\tallowAnySHA1InWant = true\n[receive]\n\tautogc = false\n";

const FORMAT: &str = "--format=%H%x00%P%x00%T%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B%x00";

impl Repository {
    /// Creates an empty repository.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn create(directory: &Path, default_branch: &str) -> Result<Self, GitError> {
        std::fs::create_dir_all(directory).map_err(GitError::Files)?;
        program::run(directory, &["init", "--quiet", "--bare", "-b", default_branch])?;
        let mut config =
            std::fs::File::options().append(true).open(directory.join("config")).map_err(GitError::Files)?;
        config.write_all(CONFIG.as_bytes()).map_err(GitError::Files)?;
        Ok(Self { directory: directory.to_owned(), answers: Arc::default(), served: Arc::default() })
    }

    /// Copies the repository.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn fork(&self, directory: &Path, default_branch: &str) -> Result<Self, GitError> {
        let fork = Self::create(directory, default_branch)?;
        fork.fetch(self, "+refs/heads/*:refs/heads/*")?;
        Ok(fork)
    }

    /// Returns the directory.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the branches, without `refs/heads/`, and their commits.
    ///
    /// # Errors
    /// If a ref cannot be read.
    pub(crate) fn branches(&self) -> Result<BTreeMap<String, String>, GitError> {
        Ok(self.refs()?.branches())
    }

    /// Answers a request of git for this repository, which is below `root`.
    ///
    /// # Errors
    /// Those of [`serve`].
    pub(crate) fn serve(&self, root: &Path, request: &GitRequest<'_>) -> Result<GitResponse, GitError> {
        if request.is_push() {
            return serve(root, request);
        }
        self.served.get(request.question(), || self.refs(), || serve(root, request), GitResponse::holds)
    }

    fn refs(&self) -> Result<Refs, GitError> {
        Refs::read(&self.directory).map_err(GitError::Files)
    }

    /// Asks git something about these commits. Returns `None` if git exits with another code than 0.
    ///
    /// # Errors
    /// If the program does not start, or the refs cannot be read.
    pub(super) fn ask(&self, about: &[&str], arguments: &[&str]) -> Result<Option<String>, GitError> {
        self.ask_by(about, arguments, || program::answer(&self.directory, arguments))
    }

    /// As [`Self::ask`], but another code than 0 is an error.
    fn known(&self, about: &[&str], arguments: &[&str]) -> Result<String, GitError> {
        match self.ask(about, arguments)? {
            Some(printed) => Ok(printed),
            // For its message.
            None => program::run(&self.directory, arguments),
        }
    }

    fn ask_by(
        &self,
        about: &[&str],
        question: &[&str],
        ask: impl FnOnce() -> Result<Option<String>, GitError>,
    ) -> Result<Option<String>, GitError> {
        let are_ids = about.iter().all(|commit| is_id(commit));
        // An object that is missing may still be pushed.
        let holds = |answer: &Option<String>| {
            if are_ids && answer.is_some() { Holds::Forever } else { Holds::UntilRefsMove }
        };
        let question = question.iter().map(|&word| word.to_owned()).collect();
        self.answers.get(question, || self.refs(), ask, holds)
    }

    /// Returns the branches that contain a commit.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn branches_with(&self, sha: &str) -> Result<Vec<String>, GitError> {
        let contains = format!("--contains={sha}");
        let arguments = ["for-each-ref", "--format=%(refname:lstrip=2)", &contains, "refs/heads"];
        // The names of branches are part of the answer, and so it never lasts.
        Ok(self.known(&[""], &arguments)?.lines().map(str::to_owned).collect())
    }

    /// Returns the commit that a branch, tag or commit id names.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn resolve(&self, name: &str) -> Result<Option<String>, GitError> {
        let commit = format!("{name}^{{commit}}");
        self.ask(&[name], &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
    }

    /// Sets a ref.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn set(&self, name: &str, sha: &str) -> Result<(), GitError> {
        program::run(&self.directory, &["update-ref", name, sha]).map(drop)
    }

    /// Moves a ref that has this old value.
    ///
    /// # Errors
    /// If it has another value, or git fails.
    pub(crate) fn advance(&self, name: &str, new: &str, old: &str) -> Result<(), GitError> {
        program::run(&self.directory, &["update-ref", name, new, old]).map(drop)
    }

    /// Removes a ref.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn remove(&self, name: &str) -> Result<(), GitError> {
        program::run(&self.directory, &["update-ref", "-d", name]).map(drop)
    }

    /// Fetches from another repository of the forge.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn fetch(&self, from: &Self, refspec: &str) -> Result<(), GitError> {
        let path = from.directory.to_string_lossy();
        program::run(&self.directory, &["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", &path, refspec])
            .map(drop)
    }

    /// Returns `true` if a commit is another commit or one of its ancestors.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn is_ancestor(&self, old: &str, new: &str) -> Result<bool, GitError> {
        Ok(self.ask(&[old, new], &["merge-base", "--is-ancestor", old, new])?.is_some())
    }

    /// Returns the newest common ancestor.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>, GitError> {
        self.ask(&[one, other], &["merge-base", one, other])
    }

    /// Returns a commit.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn commit(&self, sha: &str) -> Result<Option<Commit>, GitError> {
        let printed = self.ask(&[sha], &["log", "-z", "-1", FORMAT, "--end-of-options", sha])?;
        Ok(printed.and_then(|printed| commits(&printed).into_iter().next()))
    }

    /// Returns the commits of `head` that are not in `base`, oldest first.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn commits_between(&self, base: &str, head: &str) -> Result<Vec<Commit>, GitError> {
        let range = format!("{base}..{head}");
        let printed = self.known(&[base, head], &["log", "-z", "--topo-order", "--reverse", FORMAT, &range])?;
        Ok(commits(&printed))
    }

    /// Returns the files that differ between the merge base of two commits and the second.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn changed_files(&self, base: &str, head: &str) -> Result<Vec<ChangedFile>, GitError> {
        let range = format!("{base}...{head}");
        let printed = self.known(&[base, head], &["diff", "--no-renames", "--name-status", "-z", &range])?;
        let mut fields = printed.split('\0');
        let mut files = Vec::new();
        while let (Some(change), Some(path)) = (fields.next(), fields.next()) {
            files.push(ChangedFile { change: change.to_owned(), path: path.to_owned() });
        }
        Ok(files)
    }

    /// Returns what a branch changes, as an id that does not depend on the place of the lines.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn patch_id(&self, base: &str, head: &str) -> Result<String, GitError> {
        let id = self.ask_by(&[base, head], &["patch-id", base, head], || {
            let diff = program::run(&self.directory, &["diff", &format!("{base}...{head}")])?;
            let mut command = program::command(&self.directory);
            let output = program::output(command.args(["patch-id", "--stable"]), format!("{diff}\n").as_bytes())?;
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            Ok(printed.split(' ').next().map(str::to_owned))
        })?;
        Ok(id.unwrap_or_default())
    }
}

fn commits(printed: &str) -> Vec<Commit> {
    let fields: Vec<&str> = printed.split('\0').collect();
    fields
        .chunks_exact(11)
        .map(|fields| Commit {
            sha: fields[0].to_owned(),
            parents: fields[1].split(' ').filter(|sha| !sha.is_empty()).map(str::to_owned).collect(),
            tree: fields[2].to_owned(),
            author: identity(fields[3], fields[4], fields[5]),
            committer: identity(fields[6], fields[7], fields[8]),
            message: fields[9].to_owned(),
        })
        .collect()
}

fn identity(name: &str, email: &str, seconds: &str) -> Identity {
    let at = seconds.parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    Identity { name: name.to_owned(), email: email.to_owned(), at: at.unwrap_or(Timestamp::UNIX_EPOCH) }
}
