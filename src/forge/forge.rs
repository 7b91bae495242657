//! A forge, whatever API it has.

use std::sync::Arc;

use reqwest::ClientBuilder;
use tidegate_model::forge::{Account, ForgeKind, Membership, Opinion, Pull};
use tidegate_model::line::cut;
use tidegate_model::revision::CommitId;

use crate::auth::TokenSource;
use crate::client::Client;
use crate::error::{Error, Result};
use crate::gitea::Gitea;
use crate::github::GitHub;
use crate::gitlab::GitLab;
use crate::publish::check_body;
use crate::settings::{Auth, Settings};
use crate::values::{
    Access, Answer, CheckRun, CommitAuthors, CommitStatus, Deployment, Limits, NewPull, Protection, Role, State,
};
use crate::wire::{Address, Usage, Wire, http_client};

/// One project on a forge. Clones share one queue of requests, one budget and one cache.
///
/// # Guarantees
/// Requests are sent one at a time, and only to the origin in the settings. Each request is sent once: retries are a decision of
/// the caller. A list is complete, or there is an error. While the forge refuses requests, each call fails at once with
/// [`Error::Limited`].
#[derive(Clone)]
pub struct Forge(Arc<Api>);

/// The API that the forge has.
enum Api {
    GitHub(GitHub),
    GitLab(GitLab),
    Gitea(Gitea),
}

/// Calls the same method of any API. Its error is freed of tokens.
macro_rules! call {
    ($forge:expr, $api:ident => $call:expr) => {
        match &*$forge.0 {
            Api::GitHub($api) => $call.await,
            Api::GitLab($api) => $call.await,
            Api::Gitea($api) => $call.await,
        }
        .map_err(|error| $forge.client().scrubbed(error))
    };
}

impl Forge {
    /// Creates the client for a project. The caller has installed a TLS provider, and `builder` has its settings for certificates
    /// and proxies. No request is sent.
    ///
    /// # Errors
    /// [`Error::Settings`] if the settings do not fit together.
    pub fn new(settings: Settings, builder: ClientBuilder) -> Result<Self> {
        let Settings { kind, url, project, auth, budget, write_gap, clock } = settings;
        if kind != ForgeKind::GitHub && matches!(auth, Auth::App { .. }) {
            return Err(Error::Settings(format!("only GitHub has Apps; write a token file for {kind}")));
        }
        let wire = Wire::new(kind, Address::new(&url)?, http_client(builder)?, budget, clock);
        let client = Client::new(wire, TokenSource::new(auth, &project), write_gap);
        let api = match kind {
            ForgeKind::GitHub => {
                let (owner, name) = owner_and_name(&project)?;
                Api::GitHub(GitHub::new(client, owner, name))
            }
            ForgeKind::GitLab => Api::GitLab(GitLab::new(client, &project)?),
            ForgeKind::Gitea => {
                let (owner, name) = owner_and_name(&project)?;
                Api::Gitea(Gitea::new(client, owner, name))
            }
        };
        Ok(Self(Arc::new(api)))
    }

    fn client(&self) -> &Client {
        match &*self.0 {
            Api::GitHub(api) => &api.client,
            Api::GitLab(api) => &api.client,
            Api::Gitea(api) => &api.client,
        }
    }

    /// Returns the API that the forge has.
    pub fn kind(&self) -> ForgeKind {
        self.client().kind()
    }

    /// Returns the account of the token. It is asked for once. The account of an App is named `<slug>[bot]`.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn me(&self) -> Result<Account> {
        call!(self, api => api.me())
    }

    /// Returns the open pull requests into a branch, or that they are those of the last call for this branch.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn open_pulls(&self, base: &str) -> Result<Answer<Vec<Pull>>> {
        call!(self, api => api.open_pulls(base))
    }

    /// Returns a pull request.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn pull(&self, number: u64) -> Result<Pull> {
        call!(self, api => api.pull(number))
    }

    /// Returns all approvals and refusals of a pull request, oldest first, also those that were dismissed or replaced. Comments and
    /// requests for a review are left out.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn opinions(&self, pull: &Pull) -> Result<Vec<Opinion>> {
        call!(self, api => api.opinions(pull))
    }

    /// Returns the pull requests that the forge links to a commit. Gitea links only merge commits.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn pulls_of(&self, commit: &CommitId) -> Result<Vec<Pull>> {
        call!(self, api => api.pulls_of(commit))
    }

    /// Returns the authors and committers of the commits of a pull request, with their accounts as far as the forge knows them.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn authors(&self, pull: &Pull) -> Result<CommitAuthors> {
        call!(self, api => api.authors(pull))
    }

    /// Returns whether an account is in a team, such as `platform/leads`. On GitLab, a team is a group.
    ///
    /// # Errors
    /// See [`Error`]. A team that the token may not see is [`Membership::Unknown`].
    pub async fn membership(&self, who: &Account, team: &str) -> Result<Membership> {
        call!(self, api => api.membership(who, team))
    }

    /// Returns the role of an account in the project; `None` if it has none.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn role(&self, who: &Account) -> Result<Option<Role>> {
        call!(self, api => api.role(who))
    }

    /// Writes the own comment on a pull request: it is found by a marker that its text contains, and by the account. It is changed if
    /// it exists and its text differs, and otherwise created. `hint` is the ID that an earlier call returned. Returns the ID.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the text is too long, lacks the marker, or contains a command of GitLab. See [`Error`] for others.
    pub async fn comment(&self, pull: &Pull, marker: &str, hint: Option<u64>, body: &str) -> Result<u64> {
        check_body(self.kind(), self.limits(), marker, body)?;
        let me = self.me().await?;
        call!(self, api => api.comment(&me, pull, marker, hint, body))
    }

    /// Writes the status of a commit in a context. The text is cut to the limit of the forge. GitLab needs the branch if it is not
    /// the only one with the commit.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the commit has too many statuses in this context. See [`Error`] for others.
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

    /// Returns the latest status of a commit in each context.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn statuses(&self, commit: &CommitId) -> Result<Vec<CommitStatus>> {
        call!(self, api => api.statuses(commit))
    }

    /// Writes a check run, and returns its ID. `previous` is the ID that an earlier call returned; it is changed unless it is
    /// completed and the new state is not, because a completed run cannot be opened again.
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless requests are made by a GitHub App. See [`Error`] for others.
    pub async fn check_run(&self, previous: Option<u64>, run: &CheckRun) -> Result<u64> {
        call!(self, api => api.check_run(previous, run))
    }

    /// Creates a deployment, and returns its ID.
    ///
    /// # Errors
    /// [`Error::Unsupported`] on Gitea. See [`Error`] for others.
    pub async fn deployment(&self, deployment: &Deployment) -> Result<u64> {
        call!(self, api => api.deployment(deployment))
    }

    /// Changes the state of a deployment.
    ///
    /// # Errors
    /// [`Error::Unsupported`] on Gitea. See [`Error`] for others.
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

    /// Opens a pull request between two branches of the project.
    ///
    /// # Errors
    /// [`Error::Conflict`] or [`Error::Invalid`] if it exists, or if the branches are equal. See [`Error`] for others.
    pub async fn open_pull(&self, new: &NewPull) -> Result<Pull> {
        call!(self, api => api.open_pull(new))
    }

    /// Closes a pull request.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn close_pull(&self, number: u64) -> Result<()> {
        call!(self, api => api.close_pull(number))
    }

    /// Returns the newest own pull request between two branches of the project, open or not.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn find_pull(&self, head_branch: &str, base: &str) -> Result<Option<Pull>> {
        let me = self.me().await?;
        call!(self, api => api.find_pull(&me, head_branch, base))
    }

    /// Returns the protection of a branch, as far as the token may see it.
    ///
    /// # Errors
    /// See [`Error`]. What the token may not see is part of the answer.
    pub async fn protection(&self, branch: &str) -> Result<Protection> {
        call!(self, api => api.protection(branch))
    }

    /// Returns what the token may do.
    ///
    /// # Errors
    /// See [`Error`]. A token that the forge does not accept is part of the answer.
    pub async fn access(&self) -> Result<Access> {
        call!(self, api => api.access())
    }

    /// Returns the limits of the forge.
    ///
    /// # Source
    /// GitHub and GitLab check them. Gitea has none; its comments get GitHub's limit, and its status texts GitLab's.
    pub fn limits(&self) -> Limits {
        match self.kind() {
            ForgeKind::GitHub => Limits { comment: 65_536, status_text: 140 },
            ForgeKind::GitLab => Limits { comment: 1_000_000, status_text: 255 },
            ForgeKind::Gitea => Limits { comment: 65_536, status_text: 255 },
        }
    }

    /// Returns what was sent so far.
    pub fn usage(&self) -> Usage {
        self.client().usage()
    }
}

impl std::fmt::Debug for Forge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Forge({})", self.kind())
    }
}

/// Splits the path of a project that is not in a group.
fn owner_and_name(project: &str) -> Result<(String, String)> {
    match project.split('/').collect::<Vec<_>>()[..] {
        [owner, name] if !owner.is_empty() && !name.is_empty() => Ok((owner.to_owned(), name.to_owned())),
        _ => Err(Error::Settings(format!(
            "{project:?} is not the path of a project; write its owner and name, such as platform/fleet"
        ))),
    }
}
