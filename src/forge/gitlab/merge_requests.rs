//! Merge requests, which are the pull requests of GitLab.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::forge::{Account, ForgeKind, Pull};
use tidegate_model::revision::CommitId;

use super::objects::MergeRequest;
use super::project::{GitLab, PAGE};
use crate::error::{Error, Result};
use crate::publish::check_commands;
use crate::values::{Answer, CommitAuthor, ListedCommit, ListedCommits, NewPull};
use crate::wire::{Call, Operation, garbage};

/// A commit.
#[derive(Deserialize)]
struct Commit {
    id: String,
    author_email: String,
    committer_email: String,
}

impl GitLab {
    /// Reads a list of merge requests. Those without a commit are left out.
    async fn list(&self, call: &Call) -> Result<Vec<Pull>> {
        let found: Vec<MergeRequest> = self.client.linked(call).await?;
        let mut pulls = Vec::new();
        for merge_request in found {
            if merge_request.is_lost() {
                tracing::warn!(pull = merge_request.number(), "a merge request has no commit, and is left out");
                continue;
            }
            pulls.push(merge_request.pull(call)?);
        }
        Ok(pulls)
    }

    async fn one(&self, call: &Call) -> Result<Pull> {
        let found: MergeRequest = self.client.json(call).await?;
        found.pull(call)
    }

    /// Returns an address of a merge request.
    pub(super) fn of(&self, pull: &Pull, parts: &[&str]) -> reqwest::Url {
        let number = pull.number.to_string();
        let all: Vec<&str> = ["merge_requests", &number].into_iter().chain(parts.iter().copied()).collect();
        self.at(&all)
    }

    /// Returns the open merge requests into a branch.
    pub(crate) async fn open_pulls(&self, base: &str) -> Result<Answer<Vec<Pull>>> {
        let query = [("state", "opened"), ("target_branch", base), ("order_by", "created_at"), ("sort", "asc"), PAGE];
        let mut pulls = self.list(&Call::get(Operation::Pulls, self.with(&["merge_requests"], &query))).await?;
        pulls.retain(|pull| pull.base_branch == base);
        Ok(Answer::New(pulls))
    }

    /// Returns a merge request.
    pub(crate) async fn pull(&self, number: u64) -> Result<Pull> {
        self.one(&Call::get(Operation::Pull, self.at(&["merge_requests", &number.to_string()]))).await
    }

    /// Returns the merge requests with a commit, also with the commit that merged them.
    pub(crate) async fn pulls_of(&self, commit: &CommitId) -> Result<Vec<Pull>> {
        let parts = ["repository", "commits", commit.as_str(), "merge_requests"];
        match self.list(&Call::get(Operation::PullsOfCommit, self.with(&parts, &[PAGE]))).await {
            Err(Error::NotFound(_)) => Ok(Vec::new()),
            answer => answer,
        }
    }

    /// Returns the commits of a merge request. GitLab shows no accounts.
    pub(crate) async fn commits(&self, pull: &Pull) -> Result<ListedCommits> {
        let mut url = self.of(pull, &["commits"]);
        url.query_pairs_mut().append_pair(PAGE.0, PAGE.1);
        let call = Call::get(Operation::Commits, url);
        let found: Vec<Commit> = self.client.linked(&call).await?;
        let person = |email: String| CommitAuthor { account: None, email };
        let listed = |Commit { id, author_email, committer_email }: Commit| {
            let listed = ListedCommit::new(&id, person(author_email), person(committer_email));
            listed.map_err(|why| garbage(&call, &why))
        };
        let commits = found.into_iter().map(listed).collect::<Result<_>>()?;
        Ok(ListedCommits { commits, is_complete: true })
    }

    /// Opens a merge request.
    pub(crate) async fn open_pull(&self, new: &NewPull) -> Result<Pull> {
        let NewPull { title, body, head_branch, base_branch } = new;
        check_commands(ForgeKind::GitLab, "cannot open a merge request", body)?;
        let body =
            json!({ "title": title, "description": body, "source_branch": head_branch, "target_branch": base_branch });
        self.one(&Call::post(Operation::OpenPull, self.at(&["merge_requests"]), body)).await
    }

    /// Closes a merge request.
    pub(crate) async fn close_pull(&self, number: u64) -> Result<()> {
        let url = self.at(&["merge_requests", &number.to_string()]);
        self.client.ask(&Call::put(Operation::ClosePull, url, json!({ "state_event": "close" }))).await?;
        Ok(())
    }

    /// Returns the newest own merge request between two branches of the project.
    pub(crate) async fn find_pull(&self, me: &Account, head_branch: &str, base: &str) -> Result<Option<Pull>> {
        let id = me.id.to_string();
        let query =
            [("state", "all"), ("source_branch", head_branch), ("target_branch", base), ("author_id", &id), PAGE];
        let pulls = self.list(&Call::get(Operation::Pulls, self.with(&["merge_requests"], &query))).await?;
        let is_it = |pull: &Pull| {
            let is_own = pull.author.as_ref().is_some_and(|author| author.id == me.id);
            is_own && !pull.is_fork && pull.head_branch == head_branch && pull.base_branch == base
        };
        Ok(pulls.into_iter().filter(is_it).max_by_key(|pull| pull.number))
    }
}
