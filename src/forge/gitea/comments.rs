//! Comments on pull requests of Gitea.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::forge::{Account, Pull};
use tidegate_model::time::Timestamp;

use super::objects::User;
use super::project::Gitea;
use crate::error::Result;
use crate::publish::{Found, mine};
use crate::values;
use crate::wire::{Call, Operation};

/// A comment.
#[derive(Deserialize)]
struct Comment {
    id: u64,
    user: Option<User>,
    body: String,
    /// The page of its pull request. It is empty for a comment on an issue.
    #[serde(default)]
    pull_request_url: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    html_url: String,
}

impl Comment {
    fn found(self) -> Found {
        let author = self.user.and_then(User::account).map(|account| account.id);
        Found { id: self.id, author, body: self.body }
    }

    fn value(self) -> values::Comment {
        let (by, created, updated) = (self.user.and_then(User::account), self.created_at, self.updated_at);
        values::Comment { by, body: self.body, created, updated, url: self.html_url }
    }
}

impl Gitea {
    /// Writes the own comment on a pull request, and returns its ID.
    pub(crate) async fn comment(
        &self,
        me: &Account,
        pull: &Pull,
        marker: &str,
        hint: Option<u64>,
        body: &str,
    ) -> Result<u64> {
        let own = match self.hinted(me, pull, marker, hint).await? {
            Some(found) => Some(found),
            None => {
                let comments = self.all_comments(pull).await?;
                mine(comments.into_iter().map(Comment::found), marker, me.id)
            }
        };
        let content = json!({ "body": body });
        let call = match own {
            Some(found) if found.body == body => return Ok(found.id),
            Some(found) => {
                let url = self.at(&["issues", "comments", &found.id.to_string()]);
                Call::patch(Operation::Comment, url, content)
            }
            None => {
                let url = self.at(&["issues", &pull.number.to_string(), "comments"]);
                Call::post(Operation::Comment, url, content)
            }
        };
        let written: Comment = self.client.json(&call).await?;
        Ok(written.id)
    }

    /// Returns all comments on a pull request, oldest first.
    pub(crate) async fn comments(&self, pull: &Pull) -> Result<Vec<values::Comment>> {
        let mut comments = self.all_comments(pull).await?;
        comments.sort_by_key(|comment| comment.id);
        Ok(comments.into_iter().map(Comment::value).collect())
    }

    async fn all_comments(&self, pull: &Pull) -> Result<Vec<Comment>> {
        // All comments are on one page, but they are counted like those of other lists.
        let url = self.at(&["issues", &pull.number.to_string(), "comments"]);
        self.list(Call::get(Operation::Comments, url)).await
    }

    /// Returns the comment with an ID, if it is the own one on this pull request.
    async fn hinted(&self, me: &Account, pull: &Pull, marker: &str, hint: Option<u64>) -> Result<Option<Found>> {
        let Some(id) = hint else { return Ok(None) };
        let call = Call::get(Operation::Comments, self.at(&["issues", "comments", &id.to_string()]));
        let reply = self.client.send(&call, None).await?;
        // A 204 is an entry of the history that is not a comment.
        if matches!(reply.status, 204 | 404) {
            return Ok(None);
        }
        if !reply.is_success() {
            return Err(crate::wire::failure(&call, &reply));
        }
        let comment: Comment = crate::client::parsed(&call, &reply.body)?;
        let number = comment.pull_request_url.rsplit('/').next().unwrap_or_default();
        let is_here = number == pull.number.to_string();
        Ok(mine(is_here.then(|| comment.found()), marker, me.id))
    }
}
