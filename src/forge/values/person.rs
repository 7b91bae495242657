//! People as a forge knows them.

use tidegate_model::forge::Account;
use tidegate_model::revision::{CommitId, InvalidCommitId};

/// What an account may do in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It may read. GitHub's role `triage` and GitLab's `Guest`, `Planner` and `Reporter` are this role.
    Read,
    /// It may push. GitLab calls it `Developer`.
    Write,
    /// It may change some settings. Gitea does not have this role.
    Maintain,
    /// It may change all settings. GitLab's `Owner` is this role.
    Admin,
}

/// The author or committer of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitAuthor {
    /// The account with this e-mail address; `None` if the forge does not know one.
    pub account: Option<Account>,
    /// The e-mail address in the commit.
    pub email: String,
}

/// A commit of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCommit {
    /// The commit.
    pub id: CommitId,
    /// Its author and its committer, once if they are the same.
    pub authors: Vec<CommitAuthor>,
}

/// An id that is not that of a commit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the commit {id:?}: {why}")]
pub(crate) struct NoCommit {
    id: String,
    why: InvalidCommitId,
}

impl ListedCommit {
    /// Creates a commit from its id in an answer.
    ///
    /// # Errors
    /// [`NoCommit`] if the id is not one.
    pub(crate) fn new(id: &str, author: CommitAuthor, committer: CommitAuthor) -> Result<Self, NoCommit> {
        let id = id.parse().map_err(|why| NoCommit { id: id.to_owned(), why })?;
        let mut authors = vec![author, committer];
        authors.dedup();
        Ok(Self { id, authors })
    }
}

/// The commits of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCommits {
    /// The commits.
    pub commits: Vec<ListedCommit>,
    /// Whether all commits were listed. GitHub lists at most 250.
    pub is_complete: bool,
}
