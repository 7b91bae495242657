//! Deployments of GitHub.

use serde::Deserialize;
use serde_json::{Value, json};
use tidegate_model::line::cut;
use tidegate_model::revision::CommitId;

use super::project::GitHub;
use crate::client::parsed;
use crate::error::{Error, Result};
use crate::values::{Deployment, FoundDeployment, State};
use crate::wire::{Call, Operation, garbage};

/// Most characters of a description.
const LONGEST: usize = 140;

#[derive(Deserialize)]
struct Created {
    id: u64,
}

#[derive(Deserialize)]
struct Found {
    id: u64,
    sha: String,
    #[serde(default)]
    payload: Value,
}

#[derive(Deserialize)]
struct Status {
    state: String,
}

impl GitHub {
    /// Returns the newest deployment of an environment with a task.
    pub(crate) async fn latest_deployment(&self, environment: &str, task: &str) -> Result<Option<FoundDeployment>> {
        let query = [("environment", environment), ("task", task), ("per_page", "1")];
        let call = Call::get(Operation::Deployments, self.with(&["deployments"], &query));
        let found: Vec<Found> = self.client.first_page(&call).await?;
        let Some(Found { id, sha, payload }) = found.into_iter().next() else { return Ok(None) };
        let commit: CommitId = sha.parse().map_err(|_| garbage(&call, "the commit of a deployment is not a hash"))?;
        // Newest first.
        let parts = ["deployments", &id.to_string(), "statuses"];
        let call = Call::get(Operation::Deployments, self.with(&parts, &[("per_page", "1")]));
        let statuses: Vec<Status> = self.client.first_page(&call).await?;
        let state = statuses.first().map(|status| status.state.as_str());
        let is_replaced = state == Some("inactive");
        let state = match state {
            Some("success" | "inactive") => Some(State::Success),
            Some("failure") => Some(State::Failure),
            Some("error") => Some(State::Error),
            Some("in_progress") => Some(State::Running),
            Some(_) => Some(State::Pending),
            None => None,
        };
        Ok(Some(FoundDeployment { id, commit, payload, state, is_replaced }))
    }

    /// Ends a deployment because another one takes its place.
    pub(crate) async fn replace_deployment(&self, id: u64, environment: &str) -> Result<()> {
        let body = json!({ "state": "inactive", "environment": environment });
        let url = self.at(&["deployments", &id.to_string(), "statuses"]);
        self.client.ask(&Call::post(Operation::Deployment, url, body)).await?;
        Ok(())
    }

    /// Creates a deployment, and returns its ID.
    pub(crate) async fn deployment(&self, deployment: &Deployment) -> Result<u64> {
        let Deployment { commit, branch: _, environment, task, payload, description } = deployment;
        // Otherwise, GitHub merges the default branch into the commit, or waits for other checks.
        let body = json!({
            "ref": commit.as_str(),
            "task": task,
            "auto_merge": false,
            "required_contexts": [],
            "payload": payload,
            "environment": environment,
            "description": cut(description, LONGEST),
        });
        let call = Call::post(Operation::Deployment, self.at(&["deployments"]), body);
        let reply = self.client.ask(&call).await?;
        if reply.status != 201 {
            let why = format!("cannot {}: status {}, so that there is no deployment", call.operation, reply.status);
            return Err(Error::Garbage(why));
        }
        parsed::<Created>(&call, &reply.body).map(|created| created.id)
    }

    /// Changes the state of a deployment.
    pub(crate) async fn deployment_state(
        &self,
        id: u64,
        environment: &str,
        state: State,
        text: &str,
        link: Option<&str>,
    ) -> Result<()> {
        let state = match state {
            State::Pending => "pending",
            State::Running => "in_progress",
            State::Success => "success",
            State::Failure => "failure",
            State::Error => "error",
        };
        let mut body = json!({ "state": state, "description": text, "environment": environment });
        if let Some(link) = link {
            body["log_url"] = json!(link);
        }
        let url = self.at(&["deployments", &id.to_string(), "statuses"]);
        self.client.ask(&Call::post(Operation::Deployment, url, body)).await?;
        Ok(())
    }
}
