//! People as a forge knows them.

use tidegate_model::forge::Account;

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

/// The author of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitAuthor {
    /// The account with this e-mail address; `None` if the forge does not know one.
    pub account: Option<Account>,
    /// The e-mail address in the commit.
    pub email: String,
}

/// The authors and committers of the commits of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitAuthors {
    /// Each author and committer once, in the order of their first commit.
    pub authors: Vec<CommitAuthor>,
    /// Whether all commits were looked at. GitHub lists at most 250.
    pub is_complete: bool,
}

impl CommitAuthors {
    /// Removes repetitions.
    pub(crate) fn new(found: impl IntoIterator<Item = CommitAuthor>, is_complete: bool) -> Self {
        let mut authors = Vec::new();
        for author in found {
            if !authors.contains(&author) {
                authors.push(author);
            }
        }
        Self { authors, is_complete }
    }
}
