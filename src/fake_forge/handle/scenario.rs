//! What people do on a forge, by its handle: pull requests, reviews and merges; and what a client wrote.

use super::super::act::{NewPull, Refusal};
use super::super::git::Method;
use super::super::instance::Instance;
use super::super::state::{
    CheckRunRecord, CommentRecord, DeploymentRecord, PullRecord, PushRecord, ReviewRecord, StatusRecord, Verdict,
};
use super::error::ForgeError;
use super::people::find;
use super::sandbox::ForgeSandbox;

impl ForgeSandbox {
    /// Creates a branch at the tip of the default branch.
    ///
    /// # Errors
    /// If the repository is empty, or git fails.
    pub fn add_branch(&self, name: &str) -> Result<(), ForgeError> {
        let default = self.shared.instance.lock().options.default_branch.clone();
        self.set_branch(name, &format!("refs/heads/{default}"))
    }

    /// Moves a branch to a commit that the repository has, or creates it, as a forced push does.
    ///
    /// # Errors
    /// If the commit does not exist, or git fails.
    pub fn set_branch(&self, name: &str, commit: &str) -> Result<(), ForgeError> {
        self.shared.act(|forge| {
            let commit = forge.main.resolve(commit)?.ok_or_else(|| ForgeError::Missing(format!("commit {commit}")))?;
            Ok(forge.main.set(&format!("refs/heads/{name}"), &commit)?)
        })
    }

    /// Lets an account be the one that pushed the tip of a branch.
    ///
    /// # Errors
    /// If the account or the branch does not exist.
    pub fn pushed(&self, login: &str, branch: &str) -> Result<(), ForgeError> {
        self.by(login, |forge, by| {
            let commit = forge.main.branch(branch)?.ok_or(Refusal::Missing("branch"))?;
            let (id, at) = (forge.store.next_id(), forge.now);
            forge.store.pushes.push(PushRecord { id, branch: branch.to_owned(), commit, by, at });
            Ok(())
        })
    }

    /// Removes a branch.
    ///
    /// # Errors
    /// If it does not exist, or git fails.
    pub fn remove_branch(&self, name: &str) -> Result<(), ForgeError> {
        self.shared.act(|forge| Ok(forge.main.remove(&format!("refs/heads/{name}"))?))
    }

    /// Opens a pull request, and returns its number. The branch `owner:branch` is in the fork of this owner.
    ///
    /// # Errors
    /// If a branch or the account does not exist, or there is nothing to merge.
    pub fn open_pull(&self, author: &str, head: &str, base: &str, title: &str) -> Result<u64, ForgeError> {
        self.by(author, |forge, author| {
            let owner = forge.owner().to_owned();
            let (head_owner, head_branch) = head.split_once(':').unwrap_or((&owner, head));
            let (title, body) = (title, "");
            let new = NewPull { author, head_owner, head_branch, base_branch: base, title, body, is_draft: false };
            forge.open_pull(&new)
        })
    }

    /// Makes a pull request a draft, or ready for reviews.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn set_draft(&self, number: u64, is_draft: bool) -> Result<(), ForgeError> {
        self.shared.act(|forge| {
            let now = forge.now;
            let pull = forge.pull_mut(number)?;
            pull.is_draft = is_draft;
            pull.updated = now;
            Ok(())
        })
    }

    /// Reviews the head of a pull request, and returns the number of the review.
    ///
    /// # Errors
    /// If the account may not, or the pull request does not exist.
    pub fn review(&self, login: &str, number: u64, verdict: Verdict) -> Result<u64, ForgeError> {
        self.by(login, |forge, by| forge.review(by, number, verdict, None, ""))
    }

    /// Dismisses a review.
    ///
    /// # Errors
    /// If the account may not, or the review does not exist.
    pub fn dismiss(&self, login: &str, number: u64, review: u64) -> Result<(), ForgeError> {
        self.by(login, |forge, by| forge.set_dismissed(by, number, review, true))
    }

    /// Takes the approval of an account back.
    ///
    /// # Errors
    /// If the pull request does not exist.
    pub fn unapprove(&self, login: &str, number: u64) -> Result<(), ForgeError> {
        self.by(login, |forge, by| forge.remove_approvals(number, Some(by)).map(drop))
    }

    /// Merges a pull request, and returns the new commit of the base branch.
    ///
    /// # Errors
    /// If the account may not, or the pull request cannot be merged.
    pub fn merge(&self, login: &str, number: u64, method: Method) -> Result<String, ForgeError> {
        self.by(login, |forge, by| forge.merge(by, number, method, ""))
    }

    /// Puts a pull request into the merge queue, and returns the branch with its merge.
    ///
    /// # Errors
    /// Those of [`Self::merge`].
    pub fn enqueue(&self, login: &str, number: u64) -> Result<String, ForgeError> {
        self.by(login, |forge, by| forge.enqueue(by, number))
    }

    /// Merges what the merge queue has for a pull request.
    ///
    /// # Errors
    /// Those of [`Self::merge`]; also if the pull request is not in the queue.
    pub fn merge_queued(&self, login: &str, number: u64) -> Result<String, ForgeError> {
        self.by(login, |forge, by| forge.merge_queued(by, number))
    }

    /// Closes a pull request.
    ///
    /// # Errors
    /// If it does not exist or was merged.
    pub fn close(&self, login: &str, number: u64) -> Result<(), ForgeError> {
        self.by(login, |forge, by| forge.set_open(by, number, false))
    }

    /// Reopens a pull request.
    ///
    /// # Errors
    /// If it does not exist or was merged.
    pub fn reopen(&self, login: &str, number: u64) -> Result<(), ForgeError> {
        self.by(login, |forge, by| forge.set_open(by, number, true))
    }

    /// Comments on a pull request, and returns the number of the comment.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn comment(&self, login: &str, number: u64, body: &str) -> Result<u64, ForgeError> {
        self.by(login, |forge, by| forge.comment(by, number, body).map(|comment| comment.id))
    }

    /// Removes a comment, as an administrator can.
    pub fn remove_comment(&self, id: u64) {
        self.shared.act(|forge| forge.store.comments.retain(|comment| comment.id != id));
    }

    /// Returns the pull requests, after the last pushes.
    pub fn pulls(&self) -> Vec<PullRecord> {
        self.shared.act(|forge| {
            // If git fails, the requests of clients fail, too.
            forge.follow_pushes().ok();
            forge.store.pulls.values().cloned().collect()
        })
    }

    /// Returns the reviews of a pull request, oldest first.
    pub fn reviews(&self, number: u64) -> Vec<ReviewRecord> {
        self.pulls().into_iter().find(|pull| pull.number == number).map(|pull| pull.reviews).unwrap_or_default()
    }

    /// Returns the comments of a pull request, oldest first.
    pub fn comments(&self, number: u64) -> Vec<CommentRecord> {
        self.shared.act(|forge| forge.store.comments_of(number).cloned().collect())
    }

    /// Returns the statuses of a commit, oldest first.
    pub fn statuses(&self, commit: &str) -> Vec<StatusRecord> {
        self.shared.act(|forge| {
            let of_commit = forge.store.statuses.iter().filter(|status| status.commit == commit);
            of_commit.cloned().collect()
        })
    }

    /// Returns the check runs of a commit, oldest first.
    pub fn check_runs(&self, commit: &str) -> Vec<CheckRunRecord> {
        self.shared.act(|forge| forge.store.check_runs.iter().filter(|run| run.commit == commit).cloned().collect())
    }

    /// Returns the deployments, oldest first.
    pub fn deployments(&self) -> Vec<DeploymentRecord> {
        self.shared.act(|forge| forge.store.deployments.clone())
    }

    fn by<T>(&self, login: &str, act: impl FnOnce(&mut Instance, u64) -> Result<T, Refusal>) -> Result<T, ForgeError> {
        self.shared.act(|forge| {
            let by = find(forge, login)?;
            forge.follow_pushes()?;
            Ok(act(forge, by)?)
        })
    }
}
