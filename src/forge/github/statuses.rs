//! Statuses of commits of GitHub.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::revision::CommitId;

use super::objects::User;
use super::project::{GitHub, PAGE};
use crate::error::Result;
use crate::values::{CommitStatus, State};
use crate::wire::{Call, Operation, nullable};

#[derive(Deserialize)]
struct Status {
    state: String,
    context: String,
    #[serde(deserialize_with = "nullable")]
    description: Option<String>,
    #[serde(deserialize_with = "nullable")]
    creator: Option<User>,
}

impl GitHub {
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
        let body = json!({ "state": state, "target_url": link, "description": text, "context": context });
        self.client.ask(&Call::post(Operation::Status, self.at(&["statuses", commit.as_str()]), body)).await?;
        Ok(())
    }

    /// Returns the latest status of each context.
    pub(crate) async fn statuses(&self, commit: &CommitId) -> Result<Vec<CommitStatus>> {
        let url = self.with(&["commits", commit.as_str(), "statuses"], &[PAGE]);
        let newest_first: Vec<Status> = self.client.linked(&Call::get(Operation::Statuses, url)).await?;
        let statuses = newest_first.into_iter().map(|status| CommitStatus {
            state: match status.state.as_str() {
                "pending" => State::Pending,
                "success" => State::Success,
                "failure" => State::Failure,
                _ => State::Error,
            },
            context: status.context,
            text: status.description.unwrap_or_default(),
            creator: status.creator.and_then(User::account).map(|account| account.id),
        });
        // GitHub ignores the case of contexts.
        Ok(CommitStatus::latest(statuses, str::eq_ignore_ascii_case))
    }
}
