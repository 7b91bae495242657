//! Objects of the API of GitHub.

use serde::Deserialize;
use tidegate_model::forge::{Account, Pull, PullState};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use crate::error::Result;
use crate::wire::{Call, garbage, nullable};

/// The account that GitHub shows instead of one that was deleted.
const GHOST: u64 = 10_137;
/// The account of GitHub itself, which is the committer of what people commit on its pages.
const WEB_FLOW: u64 = 19_864_447;

/// An account.
#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: u64,
    pub(super) login: String,
    #[serde(rename = "type", default)]
    kind: String,
}

impl User {
    /// Returns the account, or `None` if it is gone.
    pub(super) fn account(self) -> Option<Account> {
        let is_bot = self.kind == "Bot" || self.id == WEB_FLOW;
        (self.id != GHOST).then_some(Account { id: self.id, login: self.login, is_bot })
    }
}

/// A pull request, in a list or alone.
#[derive(Debug, Deserialize)]
pub(super) struct PullRequest {
    number: u64,
    state: String,
    #[serde(default)]
    draft: bool,
    title: String,
    #[serde(deserialize_with = "nullable")]
    user: Option<User>,
    head: Branch,
    base: Branch,
    /// The field `merged` is not in lists.
    #[serde(deserialize_with = "nullable")]
    merged_at: Option<Timestamp>,
    merged_by: Option<User>,
    updated_at: Timestamp,
    html_url: String,
}

/// A branch of a pull request.
#[derive(Debug, Deserialize)]
struct Branch {
    #[serde(rename = "ref")]
    name: String,
    sha: String,
    /// Its repository; `None` if that is gone.
    repo: Option<Repository>,
}

#[derive(Debug, Deserialize)]
struct Repository {
    full_name: String,
}

impl PullRequest {
    /// Returns the pull request of a project.
    ///
    /// # Errors
    /// [`Error::Garbage`](crate::Error::Garbage)
    pub(super) fn pull(self, call: &Call, owner: &str, name: &str) -> Result<Pull> {
        let about = |why: &str| garbage(call, format_args!("pull request {}: {why}", self.number));
        let state = match (self.merged_at, self.state.as_str()) {
            (Some(at), _) => PullState::Merged { by: self.merged_by.and_then(User::account), at: Some(at) },
            (None, "open") => PullState::Open,
            (None, "closed") => PullState::Closed,
            (None, state) => return Err(about(&format!("its state {state:?} is unknown"))),
        };
        let head: CommitId = self.head.sha.parse().map_err(|error| about(&format!("head: {error}")))?;
        // The project may have been renamed, so that the answer is the better source.
        let base = self.base.repo.map_or_else(|| format!("{owner}/{name}"), |repo| repo.full_name);
        let is_fork = self.head.repo.is_none_or(|repo| !repo.full_name.eq_ignore_ascii_case(&base));
        Ok(Pull {
            number: self.number,
            title: self.title,
            url: self.html_url,
            author: self.user.and_then(User::account),
            head,
            head_branch: self.head.name,
            base_branch: self.base.name,
            is_fork,
            is_draft: self.draft,
            state,
            updated: self.updated_at,
        })
    }
}
