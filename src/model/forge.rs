//! Values of forges (GitHub, GitLab, Gitea, Forgejo): accounts, pull requests, and what people say about them.
//!
//! GitLab calls a pull request a merge request. The names of the serialized fields are part of the journal's format.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::revision::CommitId;
use crate::time::{Rfc3339, Timestamp};

/// The API that a forge has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ForgeKind {
    /// github.com and GitHub Enterprise Server.
    GitHub,
    /// gitlab.com and self-managed GitLab.
    GitLab,
    /// Gitea and Forgejo.
    Gitea,
}

impl ForgeKind {
    /// Returns what the forge calls a pull request.
    pub fn pull_request(self) -> &'static str {
        match self {
            Self::GitHub | Self::Gitea => "pull request",
            Self::GitLab => "merge request",
        }
    }
}

/// An unknown name of a forge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a forge; write github, gitlab or gitea (also for Forgejo)")]
pub struct UnknownForge(String);

impl FromStr for ForgeKind {
    type Err = UnknownForge;

    fn from_str(text: &str) -> Result<Self, UnknownForge> {
        match text {
            "github" => Ok(Self::GitHub),
            "gitlab" => Ok(Self::GitLab),
            "gitea" | "forgejo" => Ok(Self::Gitea),
            _ => Err(UnknownForge(text.to_owned())),
        }
    }
}

impl fmt::Display for ForgeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Gitea => "gitea",
        })
    }
}

/// An account on a forge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The number of the account, which stays the same when the account is renamed.
    pub id: u64,
    /// The current login.
    pub login: String,
    /// Whether a program uses it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bot: bool,
}

/// A pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pull {
    /// Its number in the project.
    pub number: u64,
    /// Its title, which its author chose.
    pub title: String,
    /// Its page.
    pub url: String,
    /// Who opened it; `None` if the account is gone.
    pub author: Option<Account>,
    /// The newest commit of its branch.
    pub head: CommitId,
    /// The name of its branch, without `refs/heads/`.
    pub head_branch: String,
    /// The branch that it is to be merged into, without `refs/heads/`.
    pub base_branch: String,
    /// Whether its branch is in another project, or whether that project is gone.
    pub is_fork: bool,
    /// Whether it is a draft.
    pub is_draft: bool,
    /// Whether it is open, closed or merged.
    pub state: PullState,
    /// When it was changed last, by the clock of the forge.
    pub updated: Timestamp,
}

/// Whether a pull request is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullState {
    /// It is open.
    Open,
    /// It was closed without being merged.
    Closed,
    /// It was merged.
    Merged {
        /// Who merged it; `None` if the forge does not tell.
        by: Option<Account>,
        /// When; `None` if the forge does not tell.
        at: Option<Timestamp>,
    },
}

/// What an account said about a pull request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Opinion {
    /// Whose opinion it is; absent if the account is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Account>,
    /// What was said.
    pub says: Says,
    /// The commit that was reviewed; absent if the forge does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
    /// When, by the clock of the forge; absent if the forge does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub at: Option<Timestamp>,
    /// Whether someone dismissed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_dismissed: bool,
    /// Where it can be read.
    pub url: String,
}

/// What an account said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Says {
    /// The change may be merged.
    Approved,
    /// The change must not be merged as it is.
    Refused,
}

/// Whether an account is a member of a team, or has a role.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Membership {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// The forge does not tell. Contains the reason.
    Unknown(String),
}
