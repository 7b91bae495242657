//! Deployments of GitLab.

use serde::Deserialize;
use serde_json::{Value, json};
use tidegate_model::revision::CommitId;

use super::project::GitLab;
use crate::error::{Error, Result};
use crate::values::{Deployment, FoundDeployment, State};
use crate::wire::{Call, Operation, garbage};

#[derive(Deserialize)]
struct Created {
    id: u64,
}

#[derive(Deserialize)]
struct Found {
    status: String,
}

#[derive(Deserialize)]
struct Listed {
    id: u64,
    sha: String,
    status: String,
}

impl GitLab {
    /// Returns the newest deployment of an environment.
    pub(crate) async fn latest_deployment(&self, environment: &str, _: &str) -> Result<Option<FoundDeployment>> {
        let query = [("environment", environment), ("order_by", "id"), ("sort", "desc"), ("per_page", "1")];
        let call = Call::get(Operation::Deployments, self.with(&["deployments"], &query));
        let found: Vec<Listed> = self.client.first_page(&call).await?;
        let Some(Listed { id, sha, status }) = found.into_iter().next() else { return Ok(None) };
        let commit: CommitId = sha.parse().map_err(|_| garbage(&call, "the commit of a deployment is not a hash"))?;
        let state = match status.as_str() {
            "success" => State::Success,
            "failed" | "canceled" => State::Failure,
            "running" => State::Running,
            _ => State::Pending,
        };
        let is_replaced = status == "canceled";
        Ok(Some(FoundDeployment { id, commit, payload: Value::Null, state: Some(state), is_replaced }))
    }

    /// Ends a deployment because another one takes its place.
    pub(crate) async fn replace_deployment(&self, id: u64, _: &str) -> Result<()> {
        self.deployment_becomes(id, "canceled").await
    }

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
        self.deployment_becomes(id, state).await
    }

    async fn deployment_becomes(&self, id: u64, state: &str) -> Result<()> {
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
