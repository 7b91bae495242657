//! Why a forge does not do something. Each forge has its own answers for it.

use super::super::git::GitError;

/// Why something is not done.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The thing of this kind does not exist.
    Missing(&'static str),
    /// The account may not do it.
    Forbidden,
    /// An author may not review the own pull request; `true` for an approval.
    OwnPull(bool),
    /// The pull request is closed or merged.
    Closed,
    /// The pull request is open, or was merged.
    NotClosed,
    /// The changes do not fit together.
    Conflict,
    /// The branch has another commit than the client named.
    HeadMoved,
    /// There is an open pull request of these branches.
    AlreadyOpen,
    /// The head has no commit that the base does not have.
    NoCommits,
    /// The protection of the branch does not allow the merge.
    Protected(String),
    /// Git failed.
    Git(GitError),
}

impl From<GitError> for Refusal {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}
