//! Objects of the API of GitLab.

use serde::Deserialize;
use tidegate_model::forge::{Account, Pull, PullState};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use crate::error::Result;
use crate::wire::{Call, garbage, nullable};

/// An account.
#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: u64,
    username: String,
    #[serde(default)]
    state: Option<String>,
    #[serde(default)]
    bot: Option<bool>,
}

impl User {
    /// Returns the account.
    pub(super) fn account(self) -> Account {
        let is_bot = self.bot.unwrap_or_else(|| is_bot(&self.username));
        Account { id: self.id, login: self.username, is_bot }
    }

    /// Returns `true` unless the account was blocked or deactivated.
    pub(super) fn is_active(&self) -> bool {
        self.state.as_deref().is_none_or(|state| state == "active")
    }
}

/// Returns `true` for the names of accounts that GitLab creates for tokens of projects and groups: `project_6_bot` and
/// `group_4_bot_3f0c8d0a`.
fn is_bot(username: &str) -> bool {
    let rest = username.strip_prefix("project_").or_else(|| username.strip_prefix("group_"));
    let rest = rest.map(|rest| (rest, rest.trim_start_matches(|c: char| c.is_ascii_digit())));
    rest.is_some_and(|(all, rest)| {
        all.len() > rest.len() && (rest == "_bot" || rest.starts_with("_bot_") || is_numbered(rest))
    })
}

/// Returns `true` for `_bot2`, which was the second token of a project in older versions.
fn is_numbered(rest: &str) -> bool {
    rest.strip_prefix("_bot").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A merge request.
#[derive(Debug, Deserialize)]
pub(super) struct MergeRequest {
    iid: u64,
    title: String,
    state: String,
    #[serde(default)]
    draft: Option<bool>,
    #[serde(deserialize_with = "nullable")]
    author: Option<User>,
    source_branch: String,
    target_branch: String,
    /// It is null if the fork is gone.
    #[serde(deserialize_with = "nullable")]
    source_project_id: Option<u64>,
    target_project_id: u64,
    /// The head. It is null if the source branch has no commit any more.
    #[serde(deserialize_with = "nullable")]
    sha: Option<String>,
    merged_at: Option<Timestamp>,
    merge_user: Option<User>,
    merged_by: Option<User>,
    updated_at: Timestamp,
    web_url: String,
}

impl MergeRequest {
    /// Returns `true` if its branch has no commit.
    pub(super) fn is_lost(&self) -> bool {
        self.sha.is_none()
    }

    /// Returns its number.
    pub(super) fn number(&self) -> u64 {
        self.iid
    }

    /// Returns it as a pull request.
    ///
    /// # Errors
    /// [`Error::Garbage`](crate::Error::Garbage)
    pub(super) fn pull(self, call: &Call) -> Result<Pull> {
        let about = |why: &str| garbage(call, format_args!("merge request {}: {why}", self.iid));
        let state = match self.state.as_str() {
            // While it is merged, it is locked.
            "opened" | "locked" => PullState::Open,
            "closed" => PullState::Closed,
            "merged" => {
                let by = self.merge_user.or(self.merged_by).map(User::account);
                PullState::Merged { by, at: self.merged_at }
            }
            state => return Err(about(&format!("its state {state:?} is unknown"))),
        };
        let head = self.sha.ok_or_else(|| about("its branch has no commit"))?;
        let head: CommitId = head.parse().map_err(|error| about(&format!("sha: {error}")))?;
        Ok(Pull {
            number: self.iid,
            title: self.title,
            url: self.web_url,
            author: self.author.map(User::account),
            head,
            head_branch: self.source_branch,
            base_branch: self.target_branch,
            is_fork: self.source_project_id != Some(self.target_project_id),
            is_draft: self.draft.unwrap_or_default(),
            state,
            updated: self.updated_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::is_bot;

    #[test]
    fn accounts_of_tokens_are_bots() {
        for name in ["project_6_bot", "project_6_bot2", "group_12_bot_3f0c8d0a", "project_6_bot_"] {
            assert!(is_bot(name), "{name}");
        }
        for name in ["ada", "project_bot", "project_6_bottle", "group_x_bot", "my_project_6_bot", "project_6"] {
            assert!(!is_bot(name), "{name}");
        }
    }
}
