//! Pull requests are merged, at once or through a merge queue.

use super::super::git::{Merge, Merged, Method};
use super::super::instance::{EventKind, Instance};
use super::super::state::{PullRecord, PullStatus, Role};
use super::refusal::Refusal;
use tidegate_model::forge::ForgeKind;

impl Instance {
    /// Merges a pull request, and returns the commit to which the base branch moved.
    ///
    /// # Errors
    /// If the account may not, the protection does not allow it, or there are conflicts.
    pub(crate) fn merge(&mut self, by: u64, number: u64, method: Method, message: &str) -> Result<String, Refusal> {
        let (pull, base) = self.mergeable(by, number)?;
        let merged = self.write_merge(by, &pull, &base, method, message)?;
        self.complete(by, &pull, &base, merged, method == Method::Merge)
    }

    /// Puts a pull request into the merge queue, and returns the branch with its merge.
    ///
    /// # Errors
    /// Those of [`Self::merge`].
    pub(crate) fn enqueue(&mut self, by: u64, number: u64) -> Result<String, Refusal> {
        let (pull, base) = self.mergeable(by, number)?;
        let merged = self.write_merge(by, &pull, &base, Method::Merge, "")?;
        let branch = format!("gh-readonly-queue/{}/pr-{number}-{base}", pull.base_branch);
        self.main.set(&format!("refs/heads/{branch}"), &merged.tip)?;
        self.pull_mut(number)?.queued = Some(branch.clone());
        Ok(branch)
    }

    /// Merges what a branch of the merge queue contains, and removes the branch.
    ///
    /// # Errors
    /// If the pull request is not in the queue, or its base moved.
    pub(crate) fn merge_queued(&mut self, by: u64, number: u64) -> Result<String, Refusal> {
        let (pull, base) = self.mergeable(by, number)?;
        let branch = pull.queued.clone().ok_or(Refusal::Missing("queue"))?;
        let name = format!("refs/heads/{branch}");
        let tip = self.main.resolve(&name)?.ok_or(Refusal::Missing("queue"))?;
        if !self.main.is_ancestor(&base, &tip)? {
            return Err(Refusal::HeadMoved);
        }
        let commit = self.complete(by, &pull, &base, Merged { tip, squashed: None }, true)?;
        self.main.remove(&name)?;
        Ok(commit)
    }

    /// Returns a pull request that may be merged, and the tip of its base branch.
    fn mergeable(&self, by: u64, number: u64) -> Result<(PullRecord, String), Refusal> {
        let pull = self.pull(number)?.clone();
        if !pull.is_open() || pull.is_draft {
            return Err(Refusal::Closed);
        }
        if self.role(by) < Role::Write {
            return Err(Refusal::Forbidden);
        }
        let protection = &self.options.protection;
        if self.approvals(&pull) < protection.required_approvals {
            let needed = protection.required_approvals;
            return Err(Refusal::Protected(format!("At least {needed} approving review is required.")));
        }
        let latest = self.store.latest_statuses(&pull.head);
        for context in &protection.required_contexts {
            if !latest.iter().any(|status| status.context == *context && status.state == "success") {
                return Err(Refusal::Protected(format!("Required status check \"{context}\" is expected.")));
            }
        }
        let base = self.main.branch(&pull.base_branch)?.ok_or(Refusal::Missing("base"))?;
        Ok((pull, base))
    }

    /// Returns `true` if the branch of a pull request can be merged without conflicts.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn fits(&self, pull: &PullRecord) -> Result<bool, Refusal> {
        let base = self.main.branch(&pull.base_branch)?.ok_or(Refusal::Missing("base"))?;
        Ok(Merge::fits(&self.main, &base, &pull.head)?)
    }

    /// Writes the merge that a pull request would have now, as GitHub does to find conflicts, and returns its commit.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn write_test_merge(&self, pull: &PullRecord) -> Result<String, Refusal> {
        let base = self.main.branch(&pull.base_branch)?.ok_or(Refusal::Missing("base"))?;
        let merged = self.write_merge(pull.author, pull, &base, Method::Merge, "")?;
        self.main.set(&format!("refs/pull/{}/merge", pull.number), &merged.tip)?;
        Ok(merged.tip)
    }

    /// Returns the pull requests that brought or would bring a commit, as GitHub and GitLab find them.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn pulls_with(&self, sha: &str) -> Result<Vec<&PullRecord>, Refusal> {
        let mut found = Vec::new();
        for pull in self.store.pulls.values() {
            let base = pull.versions.last().map_or(&pull.base, |version| &version.base);
            let mut commits = self.main.commits_between(base, &pull.head)?;
            if let PullStatus::Merged { commit, from, .. } = &pull.state {
                commits.extend(self.main.commits_between(from, commit)?);
            }
            if commits.iter().any(|commit| commit.sha == sha) {
                found.push(pull);
            }
        }
        Ok(found)
    }

    fn write_merge(
        &self,
        by: u64,
        pull: &PullRecord,
        base: &str,
        method: Method,
        message: &str,
    ) -> Result<Merged, Refusal> {
        let default = match (self.kind, method) {
            (_, Method::Squash) => format!("{} (#{})", pull.title, pull.number),
            (ForgeKind::GitLab, _) => {
                format!("Merge branch '{}' into '{}'\n\n{}", pull.head_branch, pull.base_branch, pull.title)
            }
            _ => {
                let head = format!("{}/{}", pull.head_owner, pull.head_branch);
                format!("Merge pull request #{} from {head}\n\n{}", pull.number, pull.title)
            }
        };
        let message = if message.is_empty() { &default } else { message };
        let by = self.identity(by);
        let merge = Merge { base, head: &pull.head, message, by: &by };
        let merged = match (self.kind, method) {
            (ForgeKind::GitLab, Method::Squash) => merge.write_squash_and_merge(&self.main)?,
            _ => merge.write(&self.main, method)?,
        };
        merged.ok_or(Refusal::Conflict)
    }

    /// Moves the base branch, and closes the pull request as merged.
    fn complete(
        &mut self,
        by: u64,
        pull: &PullRecord,
        base: &str,
        merged: Merged,
        is_merge_commit: bool,
    ) -> Result<String, Refusal> {
        let Merged { tip, squashed } = merged;
        self.main.advance(&format!("refs/heads/{}", pull.base_branch), &tip, base)?;
        let now = self.now;
        let is_merge_commit = is_merge_commit || squashed.is_some();
        let merged = self.pull_mut(pull.number)?;
        merged.state =
            PullStatus::Merged { by, at: now, commit: tip.clone(), from: base.to_owned(), squashed, is_merge_commit };
        merged.updated = now;
        merged.queued = None;
        self.happened(EventKind::Closed { pull: pull.number }, by);
        Ok(tip)
    }
}
