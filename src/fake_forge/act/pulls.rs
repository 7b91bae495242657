//! Pull requests are opened, closed and reopened, and follow the pushes to their branches.

use std::collections::BTreeMap;

use super::super::instance::{EventKind, Instance};
use super::super::state::{PullRecord, PullStatus, ReviewRecord, Role, Verdict, VersionRecord};
use super::refusal::Refusal;
use tidegate_model::forge::ForgeKind;

/// A pull request that is opened.
pub(crate) struct NewPull<'a> {
    pub(crate) author: u64,
    pub(crate) head_owner: &'a str,
    pub(crate) head_branch: &'a str,
    pub(crate) base_branch: &'a str,
    pub(crate) title: &'a str,
    pub(crate) body: &'a str,
    pub(crate) is_draft: bool,
}

impl Instance {
    /// Opens a pull request, and returns its number.
    ///
    /// # Errors
    /// If a branch does not exist, or there is nothing to merge.
    pub(crate) fn open_pull(&mut self, new: &NewPull<'_>) -> Result<u64, Refusal> {
        let is_same = |pull: &PullRecord| {
            pull.is_open()
                && (&*pull.head_owner, &*pull.head_branch, &*pull.base_branch)
                    == (new.head_owner, new.head_branch, new.base_branch)
        };
        if self.store.pulls.values().any(is_same) {
            return Err(Refusal::AlreadyOpen);
        }
        let base = self.main.branch(new.base_branch)?.ok_or(Refusal::Missing("base"))?;
        let source = self.repository_of(new.head_owner).ok_or(Refusal::Missing("head"))?;
        let head = source.branch(new.head_branch)?.ok_or(Refusal::Missing("head"))?;
        let number = self.store.next_number();
        self.keep_head(number, new.head_owner, new.head_branch, &head)?;
        if self.main.is_ancestor(&head, &base)? {
            return Err(Refusal::NoCommits);
        }
        let version = self.version(&base, &head)?;
        let pull = PullRecord {
            number,
            title: new.title.to_owned(),
            body: new.body.to_owned(),
            author: new.author,
            head_owner: new.head_owner.to_owned(),
            head_branch: new.head_branch.to_owned(),
            head,
            base_branch: new.base_branch.to_owned(),
            base,
            state: PullStatus::Open,
            is_draft: new.is_draft,
            created: self.now,
            updated: self.now,
            versions: vec![version],
            reviews: Vec::new(),
            is_mergeable_known: false,
            queued: None,
        };
        self.store.pulls.insert(number, pull);
        self.happened(EventKind::Opened { pull: number }, new.author);
        Ok(number)
    }

    /// Closes or reopens a pull request.
    ///
    /// # Errors
    /// If it does not exist or was merged.
    pub(crate) fn set_open(&mut self, by: u64, number: u64, is_open: bool) -> Result<(), Refusal> {
        let now = self.now;
        let pull = self.store.pulls.get_mut(&number).ok_or(Refusal::Missing("pull"))?;
        match (&pull.state, is_open) {
            (PullStatus::Merged { .. }, _) => return Err(Refusal::NotClosed),
            (PullStatus::Open, true) | (PullStatus::Closed { .. }, false) => return Ok(()),
            (PullStatus::Open, false) => pull.state = PullStatus::Closed { at: now },
            (PullStatus::Closed { .. }, true) => pull.state = PullStatus::Open,
        }
        pull.updated = now;
        let kind = if is_open { EventKind::Reopened { pull: number } } else { EventKind::Closed { pull: number } };
        self.happened(kind, by);
        Ok(())
    }

    /// Looks at the branches, and updates the pull requests whose branches were pushed.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn follow_pushes(&mut self) -> Result<(), Refusal> {
        let branches = self.main.branches()?;
        let before = std::mem::replace(&mut self.store.branches, branches.clone());
        for (branch, after) in &branches {
            let old = before.get(branch);
            if old != Some(after) {
                let before = old.cloned().unwrap_or_else(|| "0".repeat(40));
                self.happened(EventKind::Push { branch: branch.clone(), before, after: after.clone() }, 0);
            }
        }
        // Each repository is read once, whatever number of pull requests it has.
        let mut heads = BTreeMap::from([(self.owner().to_owned(), branches)]);
        let open: Vec<u64> = self.store.pulls.values().filter(|pull| pull.is_open()).map(|pull| pull.number).collect();
        for number in open {
            self.follow_push(number, &mut heads)?;
            self.follow_base(number, &before)?;
        }
        Ok(())
    }

    /// Closes a pull request as merged if someone pushed its commits to its base.
    fn follow_base(&mut self, number: u64, before: &BTreeMap<String, String>) -> Result<(), Refusal> {
        let pull = self.pull(number)?;
        let (old, new) = (before.get(&pull.base_branch), self.store.branches.get(&pull.base_branch));
        let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
        if old == new || !pull.is_open() || !self.main.is_ancestor(&pull.head, new)? {
            return Ok(());
        }
        let (by, from, commit, at) = (pull.author, old.clone(), pull.head.clone(), self.now);
        let pull = self.pull_mut(number)?;
        pull.state = PullStatus::Merged { by, at, commit, from, squashed: None, is_merge_commit: false };
        pull.updated = at;
        self.happened(EventKind::Closed { pull: number }, by);
        Ok(())
    }

    /// Updates a pull request if its branch was pushed. `heads` are the branches of the repositories that were read.
    fn follow_push(
        &mut self,
        number: u64,
        heads: &mut BTreeMap<String, BTreeMap<String, String>>,
    ) -> Result<(), Refusal> {
        let pull = self.pull(number)?;
        // The pull request of a removed fork keeps its head.
        let Some(source) = self.repository_of(&pull.head_owner) else { return Ok(()) };
        if !heads.contains_key(&pull.head_owner) {
            heads.insert(pull.head_owner.clone(), source.branches()?);
        }
        let head = heads.get(&pull.head_owner).and_then(|branches| branches.get(&pull.head_branch)).cloned();
        let Some(head) = head else {
            // GitLab keeps merge requests open whose branch was removed.
            let author = pull.author;
            return if self.kind == ForgeKind::GitLab { Ok(()) } else { self.set_open(author, number, false) };
        };
        if head == pull.head {
            return Ok(());
        }
        let pull = pull.clone();
        self.keep_head(number, &pull.head_owner, &pull.head_branch, &head)?;
        let base = self.main.branch(&pull.base_branch)?.unwrap_or(pull.base);
        let version = self.version(&base, &head)?;
        let reviews = self.reviews_after_push(&pull.reviews, &version)?;
        let (now, author, before) = (self.now, pull.author, pull.head);
        if let Some(pull) = self.store.pulls.get_mut(&number) {
            pull.head = head;
            pull.base = base;
            pull.versions.push(version);
            pull.reviews = reviews;
            pull.is_mergeable_known = false;
            pull.updated = now;
        }
        self.happened(EventKind::Synchronized { pull: number, before }, author);
        Ok(())
    }

    /// Applies a push to reviews: they become stale, and the protection may dismiss them.
    fn reviews_after_push(
        &self,
        reviews: &[ReviewRecord],
        pushed: &VersionRecord,
    ) -> Result<Vec<ReviewRecord>, Refusal> {
        let mut after = reviews.to_vec();
        for review in &mut after {
            review.is_stale = review.commit != pushed.head
                && self.main.patch_id(&review.base, &review.commit)?
                    != self.main.patch_id(&pushed.base, &pushed.head)?;
            let role = self.role(review.by);
            review.is_official = review.is_official && role >= Role::Write;
            if review.is_stale && review.verdict == Verdict::Approve && self.options.protection.dismisses_stale {
                review.is_dismissed = true;
            }
        }
        if self.kind == ForgeKind::GitLab {
            after.retain(|review| !review.is_dismissed);
        }
        Ok(after)
    }

    fn version(&mut self, base: &str, head: &str) -> Result<VersionRecord, Refusal> {
        let start = self.main.merge_base(base, head)?.unwrap_or_else(|| base.to_owned());
        let id = self.store.next_id();
        Ok(VersionRecord { id, head: head.to_owned(), base: start, start: base.to_owned(), at: self.now })
    }

    /// Sets the ref of the pull request in the project, after the commits of a fork were copied.
    fn keep_head(&self, number: u64, owner: &str, branch: &str, head: &str) -> Result<(), Refusal> {
        let folder = if self.kind == ForgeKind::GitLab { "merge-requests" } else { "pull" };
        let name = format!("refs/{folder}/{number}/head");
        if let Some(fork) = self.repository_of(owner).filter(|_| owner != self.owner()) {
            self.main.fetch(fork, &format!("+refs/heads/{branch}:{name}"))?;
        }
        Ok(self.main.set(&name, head)?)
    }
}
