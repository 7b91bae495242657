//! Comments on pull requests of GitHub.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::forge::{Account, Pull};
use tidegate_model::time::Timestamp;

use super::objects::User;
use super::project::{GitHub, PAGE};
use crate::error::Result;
use crate::publish::{Found, mine};
use crate::values;
use crate::wire::{Call, Operation, nullable};

#[derive(Deserialize)]
struct Comment {
    id: u64,
    #[serde(deserialize_with = "nullable")]
    user: Option<User>,
    #[serde(default)]
    body: String,
    /// The address of its pull request in the API.
    #[serde(default)]
    issue_url: String,
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

impl GitHub {
    /// Writes the own comment on a pull request, and returns its ID.
    pub(crate) async fn comment(
        &self,
        me: &Account,
        pull: &Pull,
        marker: &str,
        hint: Option<u64>,
        body: &str,
    ) -> Result<u64> {
        let number = pull.number.to_string();
        let own = match self.hinted(me, &number, marker, hint).await? {
            Some(found) => Some(found),
            None => {
                let comments = self.all_comments(&number).await?;
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
            None => Call::post(Operation::Comment, self.at(&["issues", &number, "comments"]), content),
        };
        let written: Comment = self.client.json(&call).await?;
        Ok(written.id)
    }

    /// Returns all comments on a pull request, oldest first.
    pub(crate) async fn comments(&self, pull: &Pull) -> Result<Vec<values::Comment>> {
        let mut comments = self.all_comments(&pull.number.to_string()).await?;
        comments.sort_by_key(|comment| comment.id);
        Ok(comments.into_iter().map(Comment::value).collect())
    }

    async fn all_comments(&self, number: &str) -> Result<Vec<Comment>> {
        let url = self.with(&["issues", number, "comments"], &[PAGE]);
        self.client.linked(&Call::get(Operation::Comments, url)).await
    }

    /// Returns the comment with an ID, if it is the own one on this pull request.
    async fn hinted(&self, me: &Account, number: &str, marker: &str, hint: Option<u64>) -> Result<Option<Found>> {
        let Some(id) = hint else { return Ok(None) };
        let call = Call::get(Operation::Comments, self.at(&["issues", "comments", &id.to_string()]));
        let found: Option<Comment> = self.client.find(&call).await?;
        let here = found.filter(|comment| comment.issue_url.rsplit('/').next() == Some(number));
        Ok(mine(here.map(Comment::found), marker, me.id))
    }
}
