//! Objects of the API of Gitea.

use serde::Deserialize;
use tidegate_model::forge::{Account, Pull, PullState};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use crate::error::Result;
use crate::wire::{Call, garbage};

/// An account. The ID of a deleted account is -1, and those of built-in ones are below.
#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: i64,
    login: String,
}

impl User {
    /// Returns the account, or `None` if it is gone.
    pub(super) fn account(self) -> Option<Account> {
        let id = u64::try_from(self.id).ok().filter(|id| *id > 0)?;
        Some(Account { id, login: self.login, is_bot: false })
    }
}

/// A pull request.
#[derive(Debug, Deserialize)]
pub(super) struct PullRequest {
    number: u64,
    state: String,
    #[serde(default)]
    draft: Option<bool>,
    title: String,
    user: Option<User>,
    head: Branch,
    base: Branch,
    merged: bool,
    merged_at: Option<Timestamp>,
    merged_by: Option<User>,
    #[serde(default)]
    merge_commit_sha: Option<String>,
    updated_at: Timestamp,
    html_url: String,
}

/// A branch of a pull request.
#[derive(Debug, Deserialize)]
struct Branch {
    /// The name of the branch, also after it was deleted. It is empty for a push to `refs/for`.
    label: String,
    /// The name of the branch, or `refs/pull/N/head` if the branch is gone.
    #[serde(rename = "ref")]
    name: String,
    sha: String,
    repo_id: i64,
}

impl Branch {
    /// Returns the name of the branch.
    fn branch(&self) -> &str {
        if self.label.is_empty() { &self.name } else { &self.label }
    }
}

impl PullRequest {
    /// Returns `true` if its branch has no commit, because the repository lost it.
    pub(super) fn is_lost(&self) -> bool {
        self.head.sha.is_empty()
    }

    /// Returns its number.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns `true` if it was merged as a commit.
    pub(super) fn is_merged_as(&self, commit: &CommitId) -> bool {
        self.merged && self.merge_commit_sha.as_deref() == Some(commit.as_str())
    }

    /// Returns `true` if an account opened it between two branches of the project.
    pub(super) fn is_between(&self, author: u64, head_branch: &str, base: &str) -> bool {
        let is_own = self.user.as_ref().is_some_and(|user| u64::try_from(user.id) == Ok(author));
        is_own && self.head.repo_id == self.base.repo_id && self.head.branch() == head_branch && self.base.name == base
    }

    /// Returns the pull request.
    ///
    /// # Errors
    /// [`Error::Garbage`](crate::Error::Garbage)
    pub(super) fn pull(self, call: &Call) -> Result<Pull> {
        let about = |why: &str| garbage(call, format_args!("pull request {}: {why}", self.number));
        let state = match (self.merged, self.state.as_str()) {
            (true, _) => PullState::Merged { by: self.merged_by.and_then(User::account), at: self.merged_at },
            (false, "open") => PullState::Open,
            (false, "closed") => PullState::Closed,
            (false, state) => return Err(about(&format!("its state {state:?} is unknown"))),
        };
        let head: CommitId = self.head.sha.parse().map_err(|error| about(&format!("head: {error}")))?;
        Ok(Pull {
            number: self.number,
            is_draft: self.draft.unwrap_or_else(|| is_draft(&self.title)),
            title: self.title,
            url: self.html_url,
            author: self.user.and_then(User::account),
            head,
            head_branch: self.head.branch().to_owned(),
            base_branch: self.base.name,
            is_fork: self.head.repo_id != self.base.repo_id,
            state,
            updated: self.updated_at,
        })
    }
}

/// Versions without the field `draft` show a draft by its title only.
fn is_draft(title: &str) -> bool {
    let title = title.to_lowercase();
    title.starts_with("wip:") || title.starts_with("[wip]")
}
