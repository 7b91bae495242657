//! A bare repository of the forge: its branches, commits and refs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::answers::{Answers, Holds};
use super::commit::Commit;
use super::history::ChangedFile;
use super::http::{GitRequest, GitResponse, Served, serve};
use super::moves;
use super::objects::Objects;
use super::program::{self, GitError};
use super::refs::{self, Refs, is_id};

/// A bare repository in a directory. Clones share what git has answered.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    directory: PathBuf,
    objects: Arc<Objects>,
    answers: Arc<Answers<Vec<String>, Option<String>>>,
    served: Arc<Served>,
}

/// As on a forge, each commit that was ever pushed can be fetched by its id. No push starts housekeeping.
const CONFIG: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n\
                      [uploadpack]\n\tallowAnySHA1InWant = true\n[receive]\n\tautogc = false\n";

/// The directories of an empty repository.
///
/// # Source
/// Git's `gitrepository-layout`.
const LAYOUT: [&str; 4] = ["objects/info", "objects/pack", "refs/heads", "refs/tags"];

impl Repository {
    /// Creates an empty repository, as `git init` does.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(crate) fn create(directory: &Path, default_branch: &str) -> Result<Self, GitError> {
        let created = LAYOUT.iter().try_for_each(|folder| std::fs::create_dir_all(directory.join(folder)));
        let head = format!("ref: refs/heads/{default_branch}\n");
        created
            .and_then(|()| std::fs::write(directory.join("config"), CONFIG))
            .and_then(|()| std::fs::write(directory.join("HEAD"), head))
            .map_err(GitError::Files)?;
        let objects = Arc::new(Objects::new(directory));
        Ok(Self { directory: directory.to_owned(), objects, answers: Arc::default(), served: Arc::default() })
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
        refs::branches(&self.directory).map_err(GitError::Files)
    }

    /// Returns the commit of a branch.
    ///
    /// # Errors
    /// If a ref cannot be read.
    pub(crate) fn branch(&self, name: &str) -> Result<Option<String>, GitError> {
        refs::target(&self.directory, &format!("refs/heads/{name}")).map_err(GitError::Files)
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
        let mut found = Vec::new();
        for (branch, tip) in self.branches()? {
            if self.objects.is_ancestor(sha, &tip)? {
                found.push(branch);
            }
        }
        Ok(found)
    }

    /// Returns the commit that a branch, tag or commit id names.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn resolve(&self, name: &str) -> Result<Option<String>, GitError> {
        Ok(self.objects.commit(name)?.map(|commit| commit.sha.clone()))
    }

    /// Sets a ref.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn set(&self, name: &str, sha: &str) -> Result<(), GitError> {
        if moves::set(&self.directory, name, sha, None).map_err(GitError::Files)? {
            return Ok(());
        }
        program::run(&self.directory, &["update-ref", name, sha]).map(drop)
    }

    /// Moves a ref that has this old value.
    ///
    /// # Errors
    /// If it has another value, or git fails.
    pub(crate) fn advance(&self, name: &str, new: &str, old: &str) -> Result<(), GitError> {
        if moves::set(&self.directory, name, new, Some(old)).map_err(GitError::Files)? {
            return Ok(());
        }
        program::run(&self.directory, &["update-ref", name, new, old]).map(drop)
    }

    /// Removes a ref.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn remove(&self, name: &str) -> Result<(), GitError> {
        if moves::remove(&self.directory, name).map_err(GitError::Files)? {
            return Ok(());
        }
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
        self.objects.is_ancestor(old, new)
    }

    /// Returns the newest common ancestor.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>, GitError> {
        Ok(self.objects.merge_base(one, other)?.map(|base| base.sha.clone()))
    }

    /// Returns the tree of a commit.
    ///
    /// # Errors
    /// If the commit does not exist.
    pub(super) fn tree_of(&self, sha: &str) -> Result<String, GitError> {
        Ok(self.objects.known(sha)?.tree.clone())
    }

    /// Returns the commit that a branch, tag or commit id names.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn commit(&self, name: &str) -> Result<Option<Arc<Commit>>, GitError> {
        self.objects.commit(name)
    }

    /// Returns the commits of `head` that are not in `base`, oldest first.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn commits_between(&self, base: &str, head: &str) -> Result<Vec<Arc<Commit>>, GitError> {
        self.objects.between(base, head)
    }

    /// Returns the files that differ between the merge base of two commits and the second.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn changed_files(&self, base: &str, head: &str) -> Result<Vec<ChangedFile>, GitError> {
        let before = match self.objects.merge_base(base, head)? {
            Some(common) => common,
            None => self.objects.known(base)?,
        };
        self.objects.changed(&before.tree, &self.objects.known(head)?.tree)
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
