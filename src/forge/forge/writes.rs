//! What is published on a forge.

use tidegate_model::forge::Pull;
use tidegate_model::line::cut;
use tidegate_model::revision::CommitId;

use super::api::{Api, Forge, call};
use crate::error::Result;
use crate::publish::check_body;
use crate::values::{CheckRun, Deployment, NewPull, State};

impl Forge {
    /// Writes the own comment on a pull request: it is found by a marker that its text contains, and by the account. It is changed if
    /// it exists and its text differs, and otherwise created. `hint` is the ID that an earlier call returned. Returns the ID.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the text is too long, lacks the marker, or contains a command of GitLab. See [`Error`](crate::Error) for others.
    pub async fn comment(&self, pull: &Pull, marker: &str, hint: Option<u64>, body: &str) -> Result<u64> {
        check_body(self.kind(), self.limits(), marker, body)?;
        let me = self.me().await?;
        call!(self, api => api.comment(&me, pull, marker, hint, body))
    }

    /// Writes the status of a commit in a context. The text is cut to the limit of the forge. GitLab needs the branch if it is not
    /// the only one with the commit.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the commit has too many statuses in this context. See [`Error`](crate::Error) for others.
    pub async fn status(
        &self,
        commit: &CommitId,
        context: &str,
        state: State,
        text: &str,
        link: Option<&str>,
        branch: Option<&str>,
    ) -> Result<()> {
        let text = cut(text, self.limits().status_text);
        match &*self.0 {
            Api::GitHub(api) => api.status(commit, context, state, &text, link).await,
            Api::GitLab(api) => api.status(commit, context, state, &text, link, branch).await,
            Api::Gitea(api) => api.status(commit, context, state, &text, link).await,
        }
        .map_err(|error| self.client().scrubbed(error))
    }

    /// Writes a check run, and returns its ID. `previous` is the ID that an earlier call returned; it is changed unless it is
    /// completed and the new state is not, because a completed run cannot be opened again.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) unless requests are made by a GitHub App. See [`Error`](crate::Error) for others.
    pub async fn check_run(&self, previous: Option<u64>, run: &CheckRun) -> Result<u64> {
        call!(self, api => api.check_run(previous, run))
    }

    /// Creates a deployment, and returns its ID.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) on Gitea. See [`Error`](crate::Error) for others.
    pub async fn deployment(&self, deployment: &Deployment) -> Result<u64> {
        call!(self, api => api.deployment(deployment))
    }

    /// Changes the state of a deployment.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) on Gitea. See [`Error`](crate::Error) for others.
    pub async fn deployment_state(
        &self,
        id: u64,
        environment: &str,
        state: State,
        text: &str,
        link: Option<&str>,
    ) -> Result<()> {
        let text = cut(text, self.limits().status_text);
        call!(self, api => api.deployment_state(id, environment, state, &text, link))
    }

    /// Ends a deployment because another one takes its place: `inactive` on GitHub, `canceled` on GitLab.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) on Gitea. See [`Error`](crate::Error) for others.
    pub async fn replace_deployment(&self, id: u64, environment: &str) -> Result<()> {
        call!(self, api => api.replace_deployment(id, environment))
    }

    /// Opens a pull request between two branches of the project.
    ///
    /// # Errors
    /// [`Error::Conflict`](crate::Error::Conflict) or [`Error::Invalid`](crate::Error::Invalid) if it exists, or if the branches are equal. See [`Error`](crate::Error) for others.
    pub async fn open_pull(&self, new: &NewPull) -> Result<Pull> {
        call!(self, api => api.open_pull(new))
    }

    /// Closes a pull request.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn close_pull(&self, number: u64) -> Result<()> {
        call!(self, api => api.close_pull(number))
    }
}
