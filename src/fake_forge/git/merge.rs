//! Merges of pull requests, done with the plumbing commands of git.

use super::program::{self, GitError, Identity};
use super::repository::Repository;

/// How a pull request is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// A commit with two parents.
    Merge,
    /// One commit with all changes.
    Squash,
    /// The commits of the branch, written again on the base.
    Rebase,
}

/// What is merged into what.
pub(crate) struct Merge<'a> {
    pub(crate) base: &'a str,
    pub(crate) head: &'a str,
    pub(crate) message: &'a str,
    pub(crate) by: &'a Identity,
}

/// The result of a merge, on which no branch is yet.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    /// The commit to which the base branch moves.
    pub(crate) tip: String,
    /// The squashed commit, if it is not the tip.
    pub(crate) squashed: Option<String>,
}

impl Merge<'_> {
    /// Writes the commits of the merge. Returns `None` if there are conflicts.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn write(&self, repository: &Repository, method: Method) -> Result<Option<Merged>, GitError> {
        if method == Method::Rebase {
            return self.rebase(repository);
        }
        let Some(tree) = merged_tree(repository, None, self.base, self.head)? else { return Ok(None) };
        let parents: &[&str] = if method == Method::Merge { &[self.base, self.head] } else { &[self.base] };
        let tip = commit(repository, &tree, parents, self.by, self.by, self.message)?;
        Ok(Some(Merged { tip, squashed: None }))
    }

    /// Squashes the branch, and merges the squashed commit with a commit of two parents, as GitLab does.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn write_squash_and_merge(&self, repository: &Repository) -> Result<Option<Merged>, GitError> {
        let Some(tree) = merged_tree(repository, None, self.base, self.head)? else { return Ok(None) };
        let squashed = commit(repository, &tree, &[self.base], self.by, self.by, self.message)?;
        let message = format!("Merge commit {squashed}\n\n{}", self.message);
        let tip = commit(repository, &tree, &[self.base, &squashed], self.by, self.by, &message)?;
        Ok(Some(Merged { tip, squashed: Some(squashed) }))
    }

    /// Returns `true` if there are no conflicts.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn fits(repository: &Repository, base: &str, head: &str) -> Result<bool, GitError> {
        Ok(merged_tree(repository, None, base, head)?.is_some())
    }

    fn rebase(&self, repository: &Repository) -> Result<Option<Merged>, GitError> {
        let mut tip = self.base.to_owned();
        for one in repository.commits_between(self.base, self.head)? {
            // As `git rebase` does by default, merges in the branch are left out.
            let [parent] = one.parents.as_slice() else { continue };
            let Some(tree) = merged_tree(repository, Some(parent), &tip, &one.sha)? else { return Ok(None) };
            tip = commit(repository, &tree, &[&tip], &one.author, self.by, &one.message)?;
        }
        Ok(Some(Merged { tip, squashed: None }))
    }
}

fn merged_tree(
    repository: &Repository,
    base_commit: Option<&str>,
    ours: &str,
    theirs: &str,
) -> Result<Option<String>, GitError> {
    // What only one side has changed needs no process.
    let common = match base_commit {
        Some(base) => Some(base.to_owned()),
        None => repository.merge_base(ours, theirs)?,
    };
    if let Some(common) = common {
        let [base, ours, theirs] =
            [repository.tree_of(&common)?, repository.tree_of(ours)?, repository.tree_of(theirs)?];
        if base == ours || ours == theirs {
            return Ok(Some(theirs));
        }
        if base == theirs {
            return Ok(Some(ours));
        }
    }
    let base = base_commit.map(|base| format!("--merge-base={base}"));
    let mut arguments = vec!["merge-tree", "--write-tree"];
    arguments.extend(base.as_deref());
    arguments.extend([ours, theirs]);
    let about: Vec<&str> = base_commit.into_iter().chain([ours, theirs]).collect();
    let printed = repository.ask(&about, &arguments)?;
    Ok(printed.and_then(|printed| printed.lines().next().map(str::to_owned)))
}

fn commit(
    repository: &Repository,
    tree: &str,
    parents: &[&str],
    author: &Identity,
    committer: &Identity,
    message: &str,
) -> Result<String, GitError> {
    let mut arguments = vec!["commit-tree", tree];
    for parent in parents {
        arguments.extend(["-p", parent]);
    }
    program::run_as(repository.directory(), &arguments, author, committer, message)
}
