//! What requests are for.

use std::fmt;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    Access,
    CheckRun,
    Comments,
    Comment,
    Commits,
    Deployment,
    Deployments,
    Me,
    Membership,
    OpenPull,
    ClosePull,
    Opinions,
    Protection,
    Pull,
    Pulls,
    PullsOfCommit,
    Pushers,
    Role,
    Status,
    Statuses,
    Token,
}

impl Operation {
    /// Returns its name in metrics.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::CheckRun => "check_run",
            Self::Comments => "comments",
            Self::Comment => "comment",
            Self::Commits => "commits",
            Self::Deployment => "deployment",
            Self::Deployments => "deployments",
            Self::Me => "me",
            Self::Membership => "membership",
            Self::OpenPull => "open_pull",
            Self::ClosePull => "close_pull",
            Self::Opinions => "opinions",
            Self::Protection => "protection",
            Self::Pull => "pull",
            Self::Pulls => "pulls",
            Self::PullsOfCommit => "pulls_of_commit",
            Self::Pushers => "pushers",
            Self::Role => "role",
            Self::Status => "status",
            Self::Statuses => "statuses",
            Self::Token => "token",
        }
    }

    /// Returns `true` if approvals depend on it, so that it may use the reserved part of the budget.
    pub(crate) fn is_reserved(self) -> bool {
        matches!(
            self,
            Self::Opinions
                | Self::Membership
                | Self::Role
                | Self::Commits
                | Self::PullsOfCommit
                | Self::Pushers
                | Self::Me
                | Self::Token
        )
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Access => "read what the token may do",
            Self::CheckRun => "write a check run",
            Self::Comments => "list the comments of a pull request",
            Self::Comment => "write a comment",
            Self::Commits => "list the commits of a pull request",
            Self::Deployment => "write a deployment",
            Self::Deployments => "list deployments",
            Self::Me => "read the account of the token",
            Self::Membership => "read the members of a team",
            Self::OpenPull => "open a pull request",
            Self::ClosePull => "close a pull request",
            Self::Opinions => "list the reviews of a pull request",
            Self::Protection => "read the protection of a branch",
            Self::Pull => "read a pull request",
            Self::Pulls => "list pull requests",
            Self::PullsOfCommit => "list the pull requests of a commit",
            Self::Pushers => "list the pushes to the branch of a pull request",
            Self::Role => "read the role of an account",
            Self::Status => "write a commit status",
            Self::Statuses => "list the statuses of a commit",
            Self::Token => "get a token for the installation of the App",
        })
    }
}
