//! Rollbacks: an add-on whose digest was rejected is followed as it was at its last good revision.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::poll::{Followed, Rejections, Source};
use super::revision;
use super::trust::is_signed;
use tidegate_consent::Approvals;
use tidegate_git::Ancestry;
use tidegate_model::digest::Digest;
use tidegate_model::followed::{LastGood, Rejection};
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::shared::Shared;
use tidegate_plan::report::{AddonReport, Report};
use tidegate_repository::{Repository, roll_back};

/// What a tick decided that changes what is followed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decisions {
    /// The rejected digests.
    pub(super) rejections: Rejections,
    /// The digest of the rules in force; `None` if no change of them was ever recorded.
    pub(super) rules: Option<Digest>,
    /// The add-ons in the report. Those that left the repository may still be on clusters.
    pub(super) reported: BTreeSet<UnitName>,
    /// The digest of the rules that wait for an approval; `None` if none do.
    pub(super) waiting: Option<Digest>,
}

impl Decisions {
    /// Returns the decisions in a report.
    pub fn of(report: &Report) -> Self {
        let rejected = |(name, addon): (&UnitName, &Shared<AddonReport>)| Some((name.clone(), addon.rejected.clone()?));
        let waiting = report.rules.as_ref().and_then(|rules| rules.waiting.as_ref());
        Self {
            rejections: report.addons.iter().filter_map(rejected).collect(),
            rules: report.rules.as_ref().map(|rules| rules.digest.clone()),
            reported: report.addons.keys().cloned().collect(),
            waiting: waiting.map(|waiting| waiting.digest.clone()),
        }
    }
}

impl Source {
    /// Returns the decisions that were applied last.
    pub(super) fn decisions(&self) -> Decisions {
        Decisions {
            rejections: self.rejections.clone(),
            rules: self.collected.ledger.accepted().cloned(),
            reported: self.collected.ledger.reported().clone(),
            waiting: self.waiting_rules.clone(),
        }
    }

    /// Returns `true` if the followed revision changed the rules, and no tick has decided yet whether they are in force. Until then, it is
    /// not known which rules judge the next revision.
    pub(super) fn has_undecided_rules(&self) -> bool {
        let changes = self.facts.changes.get(&Approvals::rules()).map(Vec::as_slice).unwrap_or_default();
        let decided = [self.collected.ledger.accepted(), self.waiting_rules.as_ref()];
        changes.first().is_some_and(|newest| newest.from.is_some() && !decided.contains(&Some(&newest.digest)))
    }

    /// Applies what a tick decided. Returns what is in force now, if that changes.
    ///
    /// # Errors
    /// [`tidegate_git::Error`] if the followed revision cannot be read.
    pub fn apply(&mut self, decisions: Decisions) -> Result<Option<Followed>, tidegate_git::Error> {
        let Decisions { rejections, rules, reported, waiting } = decisions;
        self.accept(rules, reported);
        self.waiting_rules = waiting;
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
            |(name, rejection): &(&UnitName, &Rejection)| repository.digest(name) == Some(&rejection.digest);
        let rejected: Vec<_> =
            self.rejections.iter().filter(is_rejected).map(|(n, r)| (n.clone(), r.clone())).collect();
        if rejected.is_empty() {
            return repository;
        }
        let mut result = (*repository).clone();
        self.take_back(&mut result);
        for (name, rejection) in rejected {
            let back = result.rollbacks.get(&name).is_some_and(|rollback| rollback.refused.is_empty());
            if let Some(LastGood { commit, .. }) = rejection.good.filter(|_| back)
                && let Ok(info) = self.mirror.commit_info(&commit)
            {
                self.facts.held.insert(name, revision::of(&commit, &info));
            }
        }
        Arc::new(result)
    }

    /// Puts the add-ons of a repository back whose digest was rejected.
    pub(super) fn take_back(&mut self, repository: &mut Repository) {
        for (name, rejection) in self.rejections.clone() {
            if repository.digest(&name) == Some(&rejection.digest) {
                let good = rejection.good.as_ref().and_then(|good| self.good_revision(good));
                roll_back(repository, &name, &rejection, good.as_deref());
            }
        }
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
        let loaded =
            tidegate_repository::load_with(&self.mirror.tree(commit, "")?, &self.follow.path, &self.follow.operator);
        Ok(Some(Arc::new(tidegate_repository::hold(loaded, &BTreeMap::new(), None))))
    }

    /// Returns `true` if a revision that the journal names may be followed again: it was in force in this process, or it is in the history of
    /// the followed revision, and signed if signatures are required.
    fn may_return_to(&self, commit: &CommitId) -> Result<bool, tidegate_git::Error> {
        let policy = &self.follow.policy;
        if self.was_in_force.contains(commit) {
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
