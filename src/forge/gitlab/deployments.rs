//! Deployments of GitLab.

use serde::Deserialize;
use serde_json::json;

use super::project::GitLab;
use crate::error::{Error, Result};
use crate::values::{Deployment, State};
use crate::wire::{Call, Operation};

#[derive(Deserialize)]
struct Created {
    id: u64,
}

#[derive(Deserialize)]
struct Found {
    status: String,
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
        let call = Call::put(Operation::Deployment, url.clone(), json!({ "status": state }));
        match self.client.ask(&call).await {
            // GitLab refuses a state that is reached already as it refuses one that cannot be reached.
            Err(Error::Invalid { what, why }) if why.contains("cannot transition") => {
                let found: Found = self.client.json(&Call::get(Operation::Deployment, url)).await?;
                if found.status == state { Ok(()) } else { Err(Error::Invalid { what, why }) }
            }
            answer => answer.map(|_| ()),
        }
    }
}
