//! What a forge reports.

use tidegate_model::forge::{Account, Membership, Opinion, Pull};
use tidegate_model::revision::CommitId;

use super::api::{Api, Forge, call, is_path};
use crate::error::Result;
use crate::values::{Access, Answer, Comment, CommitStatus, FoundDeployment, ListedCommits, Protection, Role};

impl Forge {
    /// Returns the account of the token. It is asked for once. The account of an App is named `<slug>[bot]`.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn me(&self) -> Result<Account> {
        call!(self, api => api.me())
    }

    /// Returns the open pull requests into a branch, or that they are those of the last call for this branch.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn open_pulls(&self, base: &str) -> Result<Answer<Vec<Pull>>> {
        call!(self, api => api.open_pulls(base))
    }

    /// Returns a pull request.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn pull(&self, number: u64) -> Result<Pull> {
        call!(self, api => api.pull(number))
    }

    /// Returns all approvals and refusals of a pull request, oldest first, also those that were dismissed or replaced. Comments and
    /// requests for a review are left out.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn opinions(&self, pull: &Pull) -> Result<Vec<Opinion>> {
        call!(self, api => api.opinions(pull))
    }

    /// Returns all comments on a pull request, oldest first.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn comments(&self, pull: &Pull) -> Result<Vec<Comment>> {
        call!(self, api => api.comments(pull))
    }

    /// Returns the pull requests that the forge links to a commit. Gitea links only merge commits.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn pulls_of(&self, commit: &CommitId) -> Result<Vec<Pull>> {
        call!(self, api => api.pulls_of(commit))
    }

    /// Returns the commits of a pull request, with the accounts of their authors and committers as far as the forge has accounts with their
    /// addresses.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn commits(&self, pull: &Pull) -> Result<ListedCommits> {
        call!(self, api => api.commits(pull))
    }

    /// Returns the accounts that pushed to the branch of a pull request, as far as the forge reports them: GitHub since the branch was created, unless
    /// it is in another project; GitLab since the merge request was opened; Gitea never.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn pushers(&self, pull: &Pull) -> Result<Vec<Account>> {
        let found = match &*self.0 {
            Api::GitHub(api) => api.pushers(pull).await,
            Api::GitLab(api) => api.pushers(pull).await,
            Api::Gitea(_) => Ok(Vec::new()),
        };
        found.map_err(|error| self.client().scrubbed(error))
    }

    /// Returns whether an account is in a team, such as `platform/leads`. On GitLab, a team is a group.
    ///
    /// # Errors
    /// See [`Error`](crate::Error). A team that the token may not see is [`Membership::Unknown`].
    pub async fn membership(&self, who: &Account, team: &str) -> Result<Membership> {
        if !is_path(team) {
            let why = format!(
                "{team:?} is not the name of a team; write it with its organization or group, such as platform/leads"
            );
            return Ok(Membership::Unknown(why));
        }
        call!(self, api => api.membership(who, team))
    }

    /// Returns the role of an account in the project; `None` if it has none.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn role(&self, who: &Account) -> Result<Option<Role>> {
        call!(self, api => api.role(who))
    }

    /// Returns the latest status of a commit in each context.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn statuses(&self, commit: &CommitId) -> Result<Vec<CommitStatus>> {
        call!(self, api => api.statuses(commit))
    }

    /// Returns the newest deployment of an environment with a task. GitLab has no tasks, so that all deployments have this one.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) on Gitea. See [`Error`](crate::Error) for others.
    pub async fn latest_deployment(&self, environment: &str, task: &str) -> Result<Option<FoundDeployment>> {
        call!(self, api => api.latest_deployment(environment, task))
    }

    /// Returns the newest own pull request between two branches of the project, open or not.
    ///
    /// # Errors
    /// See [`Error`](crate::Error).
    pub async fn find_pull(&self, head_branch: &str, base: &str) -> Result<Option<Pull>> {
        let me = self.me().await?;
        call!(self, api => api.find_pull(&me, head_branch, base))
    }

    /// Returns the protection of a branch, as far as the token may see it.
    ///
    /// # Errors
    /// See [`Error`](crate::Error). What the token may not see is part of the answer.
    pub async fn protection(&self, branch: &str) -> Result<Protection> {
        call!(self, api => api.protection(branch))
    }

    /// Returns what the token may do.
    ///
    /// # Errors
    /// See [`Error`](crate::Error). A token that the forge does not accept is part of the answer.
    pub async fn access(&self) -> Result<Access> {
        call!(self, api => api.access())
    }
}
