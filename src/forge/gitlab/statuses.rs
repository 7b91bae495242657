//! Statuses of commits of GitLab.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::revision::CommitId;

use super::objects::User;
use super::project::{GitLab, PAGE};
use crate::error::{Error, Result};
use crate::values::{CommitStatus, State};
use crate::wire::{Call, Operation, nullable};

#[derive(Deserialize)]
struct Status {
    id: u64,
    status: String,
    name: String,
    #[serde(deserialize_with = "nullable")]
    description: Option<String>,
    #[serde(deserialize_with = "nullable")]
    author: Option<User>,
}

impl GitLab {
    /// Writes a status.
    pub(crate) async fn status(
        &self,
        commit: &CommitId,
        context: &str,
        state: State,
        text: &str,
        link: Option<&str>,
        branch: Option<&str>,
    ) -> Result<()> {
        let state = match state {
            State::Pending => "pending",
            State::Running => "running",
            State::Success => "success",
            State::Failure | State::Error => "failed",
        };
        let mut body = json!({ "state": state, "name": context, "description": text });
        if let Some(link) = link {
            body["target_url"] = json!(link);
        }
        if let Some(branch) = branch {
            body["ref"] = json!(branch);
        }
        let call = Call::post(Operation::Status, self.at(&["statuses", commit.as_str()]), body);
        match self.client.ask(&call).await {
            // The state is reached already, and GitLab does not change the text without the state.
            // Source: gitlabhq, `Ci::CreateCommitStatusService`.
            Err(Error::Invalid { why, .. }) if why.contains("Cannot transition status via") => Ok(()),
            answer => answer.map(|_| ()),
        }
    }

    /// Returns the latest status of each name.
    pub(crate) async fn statuses(&self, commit: &CommitId) -> Result<Vec<CommitStatus>> {
        let url = self.with(&["repository", "commits", commit.as_str(), "statuses"], &[PAGE]);
        let mut found: Vec<Status> = self.client.linked(&Call::get(Operation::Statuses, url)).await?;
        found.sort_by_key(|status| std::cmp::Reverse(status.id));
        let statuses = found.into_iter().map(|status| CommitStatus {
            state: match status.status.as_str() {
                "running" => State::Running,
                "success" => State::Success,
                "failed" => State::Failure,
                "canceled" | "canceling" | "skipped" => State::Error,
                _ => State::Pending,
            },
            context: status.name,
            text: status.description.unwrap_or_default(),
            creator: status.author.map(|author| author.id),
        });
        Ok(CommitStatus::latest(statuses, str::eq))
    }
}
