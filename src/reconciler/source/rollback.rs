//! Rollbacks: an add-on whose digest was rejected is followed as it was at its last good revision.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::poll::{Followed, Source};
use super::revision;
use super::trust::{Rewrites, is_signed};
use tidegate_core::plan::report::Report;
use tidegate_core::repository::{self, Repository, roll_back};
use tidegate_git::Ancestry;
use tidegate_model::followed::{LastGood, Rejection};
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;

/// The rejected digests by add-on.
pub(crate) type Rejections = BTreeMap<AddonName, Rejection>;

/// Returns the digests that a report rejects.
pub(crate) fn rejections(report: &Report) -> Rejections {
    report.addons.iter().filter_map(|(name, addon)| Some((name.clone(), addon.rejected.clone()?))).collect()
}

impl Source {
    /// Sets the rejected digests. Returns what is in force now, if that changes.
    ///
    /// # Errors
    /// [`tidegate_git::Error`] if the followed revision cannot be read.
    pub(crate) fn reject(&mut self, rejections: Rejections) -> Result<Option<Followed>, tidegate_git::Error> {
        if self.rejections == rejections {
            return Ok(None);
        }
        self.rejections = rejections;
        let Some(repository) = self.in_force.clone() else { return Ok(None) };
        Ok(Some(self.with_facts(repository)))
    }

    /// Puts the add-ons back whose digest was rejected.
    pub(super) fn rolled_back(&mut self, repository: Arc<Repository>) -> Arc<Repository> {
        let is_rejected =
            |(name, rejection): &(&AddonName, &Rejection)| repository.digest(name) == Some(&rejection.digest);
        let rejected: Vec<_> =
            self.rejections.iter().filter(is_rejected).map(|(n, r)| (n.clone(), r.clone())).collect();
        if rejected.is_empty() {
            return repository;
        }
        let mut result = (*repository).clone();
        for (name, rejection) in rejected {
            let good = rejection.good.as_ref().and_then(|good| self.good_revision(good));
            roll_back(&mut result, &name, &rejection, good.as_deref());
            let back = result.rollbacks.get(&name).is_some_and(|rollback| rollback.refused.is_empty());
            if let Some(LastGood { commit, .. }) = rejection.good.filter(|_| back)
                && let Ok(info) = self.mirror.commit_info(&commit)
            {
                self.facts.held.insert(name, revision::of(&commit, &info));
            }
        }
        Arc::new(result)
    }

    /// Returns the repository of a good revision; `None` if it is not available or not trusted.
    fn good_revision(&mut self, good: &LastGood) -> Option<Arc<Repository>> {
        if let Some(known) = self.good_revisions.get(&good.commit) {
            return Some(known.clone());
        }
        let read = self.read_good(&good.commit);
        let repository = read.unwrap_or_else(|error| {
            tracing::warn!(commit = good.commit.short(), %error, "failed to read the last good revision");
            None
        })?;
        self.good_revisions.insert(good.commit.clone(), repository.clone());
        Some(repository)
    }

    fn read_good(&self, commit: &CommitId) -> Result<Option<Arc<Repository>>, tidegate_git::Error> {
        if !self.mirror.obtain(commit)? || !self.may_return_to(commit)? {
            return Ok(None);
        }
        let loaded = repository::load_with(&self.mirror.tree(commit, "")?, &self.follow.path, &self.follow.operator);
        Ok(Some(Arc::new(repository::hold(loaded, &BTreeMap::new(), None))))
    }

    /// Returns `true` if a revision that the journal names may be followed again: if permission to push is not enough to decide what is
    /// followed, it must be in the history of the followed revision, and signed if signatures are required.
    fn may_return_to(&self, commit: &CommitId) -> Result<bool, tidegate_git::Error> {
        let policy = &self.follow.policy;
        if policy.commits.is_none() && policy.rewrites == Rewrites::Accept {
            return Ok(true);
        }
        let Some(followed) = &self.followed_commit else { return Ok(false) };
        let is_in_history = matches!(self.mirror.ancestry(commit, followed)?, Ancestry::Same | Ancestry::Ahead);
        let is_signed = || -> Result<bool, tidegate_git::Error> {
            let Ok(store) = policy.store() else { return Ok(false) };
            Ok(policy.commits.is_none() || is_signed(&store, &self.mirror.commit_info(commit)?))
        };
        Ok(is_in_history && is_signed()?)
    }
}
