//! Statuses of commits of Gitea.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::revision::CommitId;

use super::objects::User;
use super::project::Gitea;
use crate::error::Result;
use crate::values::{CommitStatus, State};
use crate::wire::{Call, Operation};

/// A status. Its state is in the field `status`.
#[derive(Deserialize)]
struct Status {
    status: String,
    context: String,
    description: String,
    creator: Option<User>,
}

impl Gitea {
    /// Writes a status.
    pub(crate) async fn status(
        &self,
        commit: &CommitId,
        context: &str,
        state: State,
        text: &str,
        link: Option<&str>,
    ) -> Result<()> {
        let state = match state {
            State::Pending | State::Running => "pending",
            State::Success => "success",
            State::Failure => "failure",
            State::Error => "error",
        };
        let body =
            json!({ "state": state, "target_url": link.unwrap_or_default(), "description": text, "context": context });
        self.client.ask(&Call::post(Operation::Status, self.at(&["statuses", commit.as_str()]), body)).await?;
        Ok(())
    }

    /// Returns the latest status of each context.
    pub(crate) async fn statuses(&self, commit: &CommitId) -> Result<Vec<CommitStatus>> {
        // Times have only seconds, but the index of a status grows with each one of the commit.
        let url = self.with(&["commits", commit.as_str(), "statuses"], &[("sort", "highestindex")]);
        let found: Vec<Status> = self.list(Call::get(Operation::Statuses, url)).await?;
        let statuses = found.into_iter().map(|status| CommitStatus {
            state: match status.status.as_str() {
                "pending" => State::Pending,
                "success" | "skipped" => State::Success,
                "failure" | "warning" => State::Failure,
                _ => State::Error,
            },
            context: status.context,
            text: status.description,
            creator: status.creator.and_then(User::account).map(|account| account.id),
        });
        Ok(CommitStatus::latest(statuses, str::eq))
    }
}
