//! Deployments of GitLab.

use serde::Deserialize;
use serde_json::json;

use super::gitlab::GitLab;
use super::statuses::already;
use crate::error::Result;
use crate::values::{Deployment, State};
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Created {
    id: u64,
}

impl GitLab {
    /// Creates a deployment, and returns its ID.
    pub(crate) async fn deployment(&self, deployment: &Deployment) -> Result<u64> {
        let Deployment { commit, branch, environment, task: _, payload: _, description: _ } = deployment;
        let body = json!({
            "environment": environment,
            "sha": commit.as_str(),
            "ref": branch,
            "tag": false,
            "status": "running",
        });
        let call = Call::post(Operation::Deployment, self.at(&["deployments"]), body);
        self.client.json::<Created>(&call).await.map(|created| created.id)
    }

    /// Changes the state of a deployment. GitLab has no place for a text or a link.
    pub(crate) async fn deployment_state(
        &self,
        id: u64,
        _: &str,
        state: State,
        _: &str,
        _: Option<&str>,
    ) -> Result<()> {
        let state = match state {
            State::Pending | State::Running => "running",
            State::Success => "success",
            State::Failure | State::Error => "failed",
        };
        let url = self.at(&["deployments", &id.to_string()]);
        already(self.client.ask(&Call::put(Operation::Deployment, url, json!({ "status": state }))).await)
    }
}
