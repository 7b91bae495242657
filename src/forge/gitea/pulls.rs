//! Pull requests of Gitea.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::forge::{Account, Pull};
use tidegate_model::revision::CommitId;

use super::objects::{PullRequest, User};
use super::project::Gitea;
use crate::client::parsed;
use crate::error::Result;
use crate::values::{Answer, CommitAuthor, ListedCommit, ListedCommits, NewPull};
use crate::wire::{Call, Operation, failure, garbage};

/// How the router of Gitea and Forgejo answers if it does not know an address. Everything that is not found at a known address is
/// reported as JSON.
const NO_ROUTE: &[u8] = b"404 page not found";

/// A commit. The accounts are those with the e-mail addresses of the commit.
#[derive(Deserialize)]
struct Commit {
    sha: String,
    author: Option<User>,
    committer: Option<User>,
    commit: Inner,
}

#[derive(Deserialize)]
struct Inner {
    author: Signature,
    committer: Signature,
}

#[derive(Deserialize)]
struct Signature {
    email: String,
}

impl Gitea {
    /// Returns the open pull requests into a branch.
    pub(crate) async fn open_pulls(&self, base: &str) -> Result<Answer<Vec<Pull>>> {
        // Forgejo ignores `base_branch`. The oldest come first, so that new ones do not move others to another page.
        let query = [("state", "open"), ("sort", "oldest"), ("base_branch", base)];
        let call = Call::get(Operation::Pulls, self.with(&["pulls"], &query));
        let found: Vec<PullRequest> = self.list(call.clone()).await?;
        let mut pulls = Vec::new();
        for pull in found {
            if pull.is_lost() {
                tracing::warn!(pull = pull.number(), "the forge lost the branch of a pull request, which is left out");
                continue;
            }
            let pull = pull.pull(&call)?;
            if pull.base_branch == base {
                pulls.push(pull);
            }
        }
        Ok(Answer::New(pulls))
    }

    /// Returns a pull request.
    pub(crate) async fn pull(&self, number: u64) -> Result<Pull> {
        let call = Call::get(Operation::Pull, self.at(&["pulls", &number.to_string()]));
        let found: PullRequest = self.client.json(&call).await?;
        found.pull(&call)
    }

    /// Returns the pull request that was merged as a commit. Gitea does not find pull requests by their other commits.
    pub(crate) async fn pulls_of(&self, commit: &CommitId) -> Result<Vec<Pull>> {
        let call = Call::get(Operation::PullsOfCommit, self.at(&["commits", commit.as_str(), "pull"]));
        let reply = self.client.send(&call, None).await?;
        let found = match reply.status {
            // The router of a version without this address answers in plain text.
            404 if reply.body.starts_with(NO_ROUTE) => self.closed_pull_of(commit).await?,
            404 | 410 => None,
            _ if reply.is_success() => Some(parsed(&call, &reply.body)?),
            _ => return Err(failure(&call, &reply)),
        };
        found.map(|pull| pull.pull(&call)).into_iter().collect()
    }

    /// Returns the pull request that was merged as a commit, among the closed ones that changed last.
    async fn closed_pull_of(&self, commit: &CommitId) -> Result<Option<PullRequest>> {
        let query = [("state", "closed"), ("sort", "recentupdate")];
        let call = Call::get(Operation::Pulls, self.with(&["pulls"], &query));
        // One page is enough: a commit is looked up when it is followed, soon after its pull request was merged.
        let found: Vec<PullRequest> = self.list_until(call, |_| true).await?;
        Ok(found.into_iter().find(|pull| pull.is_merged_as(commit)))
    }

    /// Returns the commits of a pull request.
    pub(crate) async fn commits(&self, pull: &Pull) -> Result<ListedCommits> {
        let query = [("files", "false"), ("verification", "false")];
        let url = self.with(&["pulls", &pull.number.to_string(), "commits"], &query);
        let call = Call::get(Operation::Commits, url);
        let found: Vec<Commit> = self.list(call.clone()).await?;
        let known =
            |user: Option<User>, Signature { email }| CommitAuthor { account: user.and_then(User::account), email };
        let listed = |Commit { sha, author, committer, commit }: Commit| {
            let (author, committer) = (known(author, commit.author), known(committer, commit.committer));
            ListedCommit::new(&sha, author, committer).map_err(|why| garbage(&call, &why))
        };
        let commits = found.into_iter().map(listed).collect::<Result<_>>()?;
        Ok(ListedCommits { commits, is_complete: true })
    }

    /// Opens a pull request.
    pub(crate) async fn open_pull(&self, new: &NewPull) -> Result<Pull> {
        let NewPull { title, body, head_branch, base_branch } = new;
        let body = json!({ "title": title, "body": body, "head": head_branch, "base": base_branch });
        let call = Call::post(Operation::OpenPull, self.at(&["pulls"]), body);
        let opened: PullRequest = self.client.json(&call).await?;
        opened.pull(&call)
    }

    /// Closes a pull request.
    pub(crate) async fn close_pull(&self, number: u64) -> Result<()> {
        let url = self.at(&["pulls", &number.to_string()]);
        self.client.ask(&Call::patch(Operation::ClosePull, url, json!({ "state": "closed" }))).await?;
        Ok(())
    }

    /// Returns the newest own pull request between two branches of the project.
    pub(crate) async fn find_pull(&self, me: &Account, head_branch: &str, base: &str) -> Result<Option<Pull>> {
        // Without `sort`, the newest come first. Versions that do not know the other parameters ignore them.
        let query = [("state", "all"), ("base_branch", base), ("poster", me.login.as_str())];
        let call = Call::get(Operation::Pulls, self.with(&["pulls"], &query));
        let is_it = |found: &PullRequest| found.is_between(me.id, head_branch, base);
        let found: Vec<PullRequest> = self.list_until(call.clone(), is_it).await?;
        let newest = found.into_iter().filter(|pull| is_it(pull) && !pull.is_lost()).max_by_key(PullRequest::number);
        newest.map(|pull| pull.pull(&call)).transpose()
    }
}
