//! A bare repository of the forge: its branches, commits and refs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::program::{self, GitError, Identity};
use tidegate_model::time::Timestamp;

/// A bare repository in a directory.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    directory: PathBuf,
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

const FORMAT: &str = "--format=%H%x00%P%x00%T%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B%x00";

impl Repository {
    /// Creates an empty repository.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn create(directory: &Path, default_branch: &str) -> Result<Self, GitError> {
        std::fs::create_dir_all(directory).map_err(GitError::Start)?;
        program::run(directory, &["init", "--quiet", "--bare", "-b", default_branch])?;
        // As on a forge, each commit that was ever pushed can be fetched by its id.
        program::run(directory, &["config", "uploadpack.allowAnySHA1InWant", "true"])?;
        Ok(Self { directory: directory.to_owned() })
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
    /// If git fails.
    pub(crate) fn branches(&self) -> Result<BTreeMap<String, String>, GitError> {
        let format = "--format=%(objectname) %(refname:lstrip=2)";
        let listed = program::run(&self.directory, &["for-each-ref", format, "refs/heads"])?;
        let branch = |line: &str| line.split_once(' ').map(|(sha, name)| (name.to_owned(), sha.to_owned()));
        Ok(listed.lines().filter_map(branch).collect())
    }

    /// Returns the branches that contain a commit.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn branches_with(&self, sha: &str) -> Result<Vec<String>, GitError> {
        let contains = format!("--contains={sha}");
        let arguments = ["for-each-ref", "--format=%(refname:lstrip=2)", &contains, "refs/heads"];
        Ok(program::run(&self.directory, &arguments)?.lines().map(str::to_owned).collect())
    }

    /// Returns the commit that a branch, tag or commit id names.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn resolve(&self, name: &str) -> Result<Option<String>, GitError> {
        let commit = format!("{name}^{{commit}}");
        program::answer(&self.directory, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
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
        Ok(program::answer(&self.directory, &["merge-base", "--is-ancestor", old, new])?.is_some())
    }

    /// Returns the newest common ancestor.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>, GitError> {
        program::answer(&self.directory, &["merge-base", one, other])
    }

    /// Returns a commit.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn commit(&self, sha: &str) -> Result<Option<Commit>, GitError> {
        let printed = program::answer(&self.directory, &["log", "-z", "-1", FORMAT, "--end-of-options", sha])?;
        Ok(printed.and_then(|printed| commits(&printed).into_iter().next()))
    }

    /// Returns the commits of `head` that are not in `base`, oldest first.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn commits_between(&self, base: &str, head: &str) -> Result<Vec<Commit>, GitError> {
        let range = format!("{base}..{head}");
        let printed = program::run(&self.directory, &["log", "-z", "--topo-order", "--reverse", FORMAT, &range])?;
        Ok(commits(&printed))
    }

    /// Returns the files that differ between the merge base of two commits and the second.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn changed_files(&self, base: &str, head: &str) -> Result<Vec<ChangedFile>, GitError> {
        let range = format!("{base}...{head}");
        let printed = program::run(&self.directory, &["diff", "--no-renames", "--name-status", "-z", &range])?;
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
        let diff = program::run(&self.directory, &["diff", &format!("{base}...{head}")])?;
        let mut command = program::command(&self.directory);
        let output = program::output(command.args(["patch-id", "--stable"]), format!("{diff}\n").as_bytes())?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(printed.split(' ').next().unwrap_or_default().to_owned())
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
