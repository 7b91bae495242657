//! Reviews are submitted and dismissed.

use super::super::instance::{EventKind, Instance};
use super::super::state::{PullRecord, ReviewRecord, Role, Verdict};
use super::refusal::Refusal;
use tidegate_model::forge::ForgeKind;

impl Instance {
    /// Submits a review of a commit, or of the head, and returns its number.
    ///
    /// # Errors
    /// If the account may not, or the commit does not exist.
    pub(crate) fn review(
        &mut self,
        by: u64,
        number: u64,
        verdict: Verdict,
        commit: Option<&str>,
        body: &str,
    ) -> Result<u64, Refusal> {
        let pull = self.pull(number)?;
        if pull.author == by && verdict != Verdict::Comment && !self.author_may_review() {
            return Err(Refusal::OwnPull(verdict == Verdict::Approve));
        }
        let commit = commit.filter(|commit| !commit.is_empty()).unwrap_or(&pull.head).to_owned();
        let (head, base) = (pull.head.clone(), pull.base.clone());
        let resolved = self.main.resolve(&commit)?.ok_or(Refusal::Missing("commit"))?;
        let (id, now) = (self.store.next_id(), self.now);
        let is_official = self.role(by) >= Role::Write && verdict != Verdict::Comment;
        let is_stale = resolved != head && self.main.patch_id(&base, &resolved)? != self.main.patch_id(&base, &head)?;
        let pull = self.pull_mut(number)?;
        if is_official {
            // Only the newest approval or refusal of a person is official.
            pull.reviews.iter_mut().filter(|review| review.by == by).for_each(|review| review.is_official = false);
        }
        pull.reviews.push(ReviewRecord {
            id,
            by,
            verdict,
            commit,
            base,
            body: body.to_owned(),
            at: now,
            updated: now,
            is_dismissed: false,
            is_stale,
            is_official,
        });
        pull.updated = now;
        self.happened(EventKind::Reviewed { pull: number, review: id }, by);
        Ok(id)
    }

    /// Dismisses a review, or takes that back.
    ///
    /// # Errors
    /// If the account may not, or the pull request or the review does not exist; on Gitea also if the pull request is closed.
    pub(crate) fn set_dismissed(&mut self, by: u64, number: u64, review: u64, dismissed: bool) -> Result<(), Refusal> {
        let is_gitea = self.kind == ForgeKind::Gitea;
        let (role, now) = (self.role(by), self.now);
        let pull = self.pull_mut(number)?;
        let is_open = pull.is_open();
        let found = pull.reviews.iter_mut().find(|one| one.id == review).ok_or(Refusal::Missing("review"))?;
        if role < Role::Write {
            return Err(Refusal::Forbidden);
        }
        if is_gitea && !is_open {
            return Err(Refusal::Closed);
        }
        found.is_dismissed = dismissed;
        found.updated = now;
        pull.updated = now;
        self.happened(EventKind::Dismissed { pull: number, review }, by);
        Ok(())
    }

    /// Takes the approvals of an account back, as GitLab does, and returns how many there were.
    ///
    /// # Errors
    /// If the pull request does not exist.
    pub(crate) fn remove_approvals(&mut self, number: u64, by: Option<u64>) -> Result<usize, Refusal> {
        let now = self.now;
        let pull = self.pull_mut(number)?;
        let before = pull.reviews.len();
        pull.reviews.retain(|review| review.verdict != Verdict::Approve || by.is_some_and(|by| review.by != by));
        let removed = before - pull.reviews.len();
        if removed > 0 {
            pull.updated = now;
        }
        Ok(removed)
    }

    /// Returns how many people approve, by their newest approval or refusal.
    pub(crate) fn approvals(&self, pull: &PullRecord) -> u64 {
        let counts = |review: &&ReviewRecord| review.verdict != Verdict::Comment && self.role(review.by) >= Role::Write;
        let mut newest: Vec<&ReviewRecord> = Vec::new();
        for review in pull.reviews.iter().filter(counts) {
            newest.retain(|other| other.by != review.by);
            newest.push(review);
        }
        let approvals = newest.iter().filter(|review| review.verdict == Verdict::Approve && !review.is_dismissed);
        u64::try_from(approvals.count()).unwrap_or(u64::MAX)
    }

    /// Returns a pull request.
    ///
    /// # Errors
    /// If it does not exist.
    pub(crate) fn pull(&self, number: u64) -> Result<&PullRecord, Refusal> {
        self.store.pulls.get(&number).ok_or(Refusal::Missing("pull"))
    }

    /// Returns a pull request to be changed.
    ///
    /// # Errors
    /// If it does not exist.
    pub(crate) fn pull_mut(&mut self, number: u64) -> Result<&mut PullRecord, Refusal> {
        self.store.pulls.get_mut(&number).ok_or(Refusal::Missing("pull"))
    }

    /// Returns `true` if the author may approve, which only GitLab can allow.
    fn author_may_review(&self) -> bool {
        self.kind == ForgeKind::GitLab && (self.options.protection.author_may_approve || !self.options.behavior.is_paid)
    }
}
