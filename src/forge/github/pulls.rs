//! Pull requests of GitHub.

use serde::Deserialize;
use serde_json::json;
use tidegate_model::forge::{Account, Pull};
use tidegate_model::revision::CommitId;

use super::objects::{PullRequest, User};
use super::project::{GitHub, PAGE};
use crate::error::{Error, Result};
use crate::values::{Answer, CommitAuthor, ListedCommit, ListedCommits, NewPull};
use crate::wire::{Call, Operation, garbage, nullable};

/// The most commits of a pull request that GitHub lists.
const COMMITS: usize = 250;

#[derive(Deserialize)]
struct Commit {
    sha: String,
    #[serde(deserialize_with = "nullable")]
    author: Option<Person>,
    #[serde(deserialize_with = "nullable")]
    committer: Option<Person>,
    commit: Inner,
}

/// The account with the e-mail address of a commit. GitHub describes it as an account or an empty object.
#[derive(Deserialize)]
#[serde(untagged)]
enum Person {
    Known(User),
    Unknown(Empty),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

#[derive(Deserialize)]
struct Inner {
    author: Option<Signature>,
    committer: Option<Signature>,
}

#[derive(Deserialize)]
struct Signature {
    #[serde(default)]
    email: String,
}

/// What someone did with a branch.
#[derive(Deserialize)]
struct Activity {
    #[serde(rename = "activity_type")]
    kind: String,
    #[serde(deserialize_with = "nullable")]
    actor: Option<User>,
}

impl GitHub {
    /// Converts pull requests of an answer.
    fn pulls(&self, call: &Call, found: Vec<PullRequest>) -> Result<Vec<Pull>> {
        let pull = |pull: PullRequest| pull.pull(call, &self.owner, &self.name);
        found.into_iter().map(pull).collect()
    }

    /// Returns the open pull requests into a branch, or that they have not changed.
    pub(crate) async fn open_pulls(&self, base: &str) -> Result<Answer<Vec<Pull>>> {
        let query = [("state", "open"), ("base", base), ("sort", "created"), ("direction", "asc"), PAGE];
        let call = Call::get(Operation::Pulls, self.with(&["pulls"], &query));
        let accept = |found: Vec<PullRequest>| {
            let mut pulls = self.pulls(&call, found)?;
            pulls.retain(|pull| pull.base_branch == base);
            Ok(pulls)
        };
        Ok(self.client.watched(&call, accept).await?.map_or(Answer::Unchanged, Answer::New))
    }

    /// Returns a pull request.
    pub(crate) async fn pull(&self, number: u64) -> Result<Pull> {
        let call = Call::get(Operation::Pull, self.at(&["pulls", &number.to_string()]));
        self.one(&call).await
    }

    async fn one(&self, call: &Call) -> Result<Pull> {
        let found: PullRequest = self.client.json(call).await?;
        found.pull(call, &self.owner, &self.name)
    }

    /// Returns the pull requests with a commit.
    pub(crate) async fn pulls_of(&self, commit: &CommitId) -> Result<Vec<Pull>> {
        let call = Call::get(Operation::PullsOfCommit, self.with(&["commits", commit.as_str(), "pulls"], &[PAGE]));
        match self.client.linked(&call).await {
            Ok(found) => self.pulls(&call, found),
            Err(Error::NotFound(_)) => Ok(Vec::new()),
            // GitHub answers so for a commit that it does not have.
            Err(Error::Invalid { why, .. }) if why.contains("No commit found") => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Returns the commits of a pull request.
    pub(crate) async fn commits(&self, pull: &Pull) -> Result<ListedCommits> {
        let call = Call::get(Operation::Commits, self.with(&["pulls", &pull.number.to_string(), "commits"], &[PAGE]));
        let found: Vec<Commit> = self.client.linked(&call).await?;
        let is_complete = found.len() < COMMITS;
        let known = |(person, signature): (Option<Person>, Option<Signature>)| {
            let account = match person {
                Some(Person::Known(user)) => user.account(),
                Some(Person::Unknown(Empty {})) | None => None,
            };
            CommitAuthor { account, email: signature.map(|signature| signature.email).unwrap_or_default() }
        };
        let listed = |Commit { sha, author, committer, commit }: Commit| {
            let (author, committer) = (known((author, commit.author)), known((committer, commit.committer)));
            ListedCommit::new(&sha, author, committer).map_err(|why| garbage(&call, &why))
        };
        let commits = found.into_iter().map(listed).collect::<Result<_>>()?;
        Ok(ListedCommits { commits, is_complete })
    }

    /// Returns the accounts that pushed to the branch of a pull request since it was created. For a branch of another project, they are not
    /// known.
    pub(crate) async fn pushers(&self, pull: &Pull) -> Result<Vec<Account>> {
        if pull.is_fork {
            return Ok(Vec::new());
        }
        let reference = format!("refs/heads/{}", pull.head_branch);
        let url = self.with(&["activity"], &[("ref", reference.as_str()), ("direction", "desc"), PAGE]);
        let found: Vec<Activity> = self.client.linked(&Call::get(Operation::Pushers, url)).await?;
        // What happened before is of another branch with the same name.
        let created = found.iter().position(|activity| activity.kind == "branch_creation");
        let own = found.into_iter().take(created.map_or(usize::MAX, |created| created + 1));
        let pushes = own.filter(|activity| activity.kind != "branch_deletion");
        let mut pushers: Vec<Account> = pushes.filter_map(|activity| activity.actor?.account()).collect();
        pushers.sort();
        pushers.dedup();
        Ok(pushers)
    }

    /// Opens a pull request.
    pub(crate) async fn open_pull(&self, new: &NewPull) -> Result<Pull> {
        let NewPull { title, body, head_branch, base_branch } = new;
        let body = json!({ "title": title, "body": body, "head": head_branch, "base": base_branch });
        self.one(&Call::post(Operation::OpenPull, self.at(&["pulls"]), body)).await
    }

    /// Closes a pull request.
    pub(crate) async fn close_pull(&self, number: u64) -> Result<()> {
        let url = self.at(&["pulls", &number.to_string()]);
        self.client.ask(&Call::patch(Operation::ClosePull, url, json!({ "state": "closed" }))).await?;
        Ok(())
    }

    /// Returns the newest own pull request between two branches of the project.
    pub(crate) async fn find_pull(&self, me: &Account, head_branch: &str, base: &str) -> Result<Option<Pull>> {
        let head = format!("{}:{head_branch}", self.owner);
        let query = [("state", "all"), ("head", &head), ("base", base), PAGE];
        let call = Call::get(Operation::Pulls, self.with(&["pulls"], &query));
        let found = self.client.linked(&call).await?;
        let is_it = |pull: &Pull| {
            let is_own = pull.author.as_ref().is_some_and(|author| author.id == me.id);
            is_own && !pull.is_fork && pull.head_branch == head_branch && pull.base_branch == base
        };
        Ok(self.pulls(&call, found)?.into_iter().filter(is_it).max_by_key(|pull| pull.number))
    }
}
