//! Deployments of GitHub.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::line::cut;

use super::project::GitHub;
use crate::client::parsed;
use crate::error::{Error, Result};
use crate::values::{Deployment, State};
use crate::wire::{Call, Operation};

/// Most characters of a description.
const LONGEST: usize = 140;

#[derive(Deserialize)]
struct Created {
    id: u64,
}

impl GitHub {
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
