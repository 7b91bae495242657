//! Collects the approvals in the history of the followed revision. What was found out about a commit is remembered, so that a poll
//! costs what has changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::authors::{Vouchers, of_change};
use super::collected::Collected;
use super::evidence::evidence;
use super::replaced::replace;
use crate::reconciler::clock::Clock;
use crate::reconciler::source::poll::{Good, Source};
use tidegate_consent::file::{self, DIRECTORY, Trail};
use tidegate_consent::{Approvals, Arrival, Authors, Basis, Change, Fact};
use tidegate_git::Reference;
use tidegate_model::digest::Digest;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;
use tidegate_repository::{Complaint, Repository};
use tidegate_signature::Store;

/// Maximum number of commits in which approvals are looked for.
const MAX_COMMITS: usize = 50_000;

impl Source {
    /// Records the changes of digests that a revision brings. Call it before the revision counts as the last good one.
    ///
    /// `applied` is the last revision before it without complaints, and `declared` the digest of the rules that the revision declares by
    /// itself.
    pub(in crate::reconciler::source) fn record_changes(
        &mut self,
        repository: &Repository,
        commit: &CommitId,
        (applied, declared): (Option<&CommitId>, &Digest),
    ) {
        let good = |(name, good): (&UnitName, &Good)| {
            Some((name.clone(), (good.repository.digest(name)?.clone(), good.revision.commit.clone())))
        };
        let seen = self.facts.seen.as_ref().map(|seen| seen.commit.clone());
        let before = seen.as_ref().zip(self.in_force.clone()).map(|(seen, in_force)| {
            let known = self.collected.bases.get(seen).cloned();
            (
                seen.clone(),
                known.unwrap_or_else(|| Arc::new(self.judge.floor.over(tidegate_repository::basis(&in_force)))),
            )
        });
        let basis = Arc::new(self.judge.floor.over(tidegate_repository::basis(repository)));
        self.collected.ledger.record(Arrival {
            commit,
            rules: &basis.rules,
            is_readable: basis.rules == *declared,
            digests: repository.addons.iter().map(|(name, addon)| (name.clone(), addon.digest.clone())).collect(),
            good: self.good.iter().filter_map(good).collect(),
            applied,
            seen: seen.as_ref(),
            rules_seen: before.as_ref().map(|(_, before)| &before.rules),
        });
        self.collected.bases.extend(before);
        self.collected.bases.insert(commit.clone(), basis);
        self.collected.forget_bases(commit);
    }

    /// Returns the digest of each add-on at its last good revision.
    pub(in crate::reconciler::source) fn good_digests(&self) -> BTreeMap<UnitName, Digest> {
        let digest = |(name, good): (&UnitName, &Good)| Some((name.clone(), good.repository.digest(name)?.clone()));
        self.good.iter().filter_map(digest).collect()
    }

    /// Records which digests have left force. Call it with each repository that comes into force.
    pub(in crate::reconciler::source) fn record_replaced(&mut self, in_force: &Repository) {
        let of_rules = self.facts.seen.as_ref().and_then(|seen| self.collected.bases.get(&seen.commit));
        let of_rules = of_rules.map(|basis| (Approvals::rules(), basis.rules.clone()));
        let digests = in_force.addons.iter().map(|(name, addon)| (name.clone(), addon.digest.clone()));
        let digests: BTreeMap<UnitName, Digest> = digests.chain(of_rules).collect();
        replace(&mut self.collected.replaced, &self.collected.digests, &digests, self.judge.clock.now());
        self.collected.digests = digests;
    }

    /// Returns `true` if the repository may use approvals: if changes are reviewed on a forge, or it has people, policies or files of
    /// approvals, or had them when a change was recorded.
    fn uses_approvals(&self, facts: &[Fact]) -> bool {
        let has_people =
            |repository: &Repository| !repository.settings.people.is_empty() || !repository.policies.is_empty();
        self.follow.has_forge
            || !facts.is_empty()
            || !self.facts.changes.is_empty()
            || !self.judge.floor.operator.policies.is_empty()
            || self.in_force.as_deref().is_some_and(has_people)
    }

    /// Returns `true` if approvals have to be collected although the files are the same: because of commits that withdraw an approval and
    /// bring its file back, because trusted keys have changed, or because something failed.
    pub(in crate::reconciler::source) fn must_collect(&self) -> bool {
        let has_moved = self.collected.tip.is_some() && self.collected.tip != self.followed_commit;
        has_moved || self.collected.is_stale || self.collected.keys != self.read_keys()
    }

    /// Collects the approvals at the followed revision. If that fails, no approval counts until it succeeds.
    pub(in crate::reconciler::source) fn collect(&mut self) {
        let seen = self.facts.seen.as_ref().map(|seen| seen.commit.clone());
        let Some(commit) = self.followed_commit.clone().or(seen) else { return };
        self.collected.is_stale = false;
        let keys = self.read_keys();
        if keys != self.collected.keys {
            self.collected.evidence.clear();
            self.collected.authors.clear();
            self.collected.keys = keys;
        }
        let store = self.follow.policy.approvers();
        let facts = self.facts_at(&commit, &store).unwrap_or_else(|error| {
            tracing::warn!(error = %ErrorChain(&error), "failed to read the approvals; none counts until they can be read");
            self.collected.is_stale = true;
            Vec::new()
        });
        let is_used = self.uses_approvals(&facts);
        self.facts.changes = if is_used { self.collected.ledger.changes().clone() } else { BTreeMap::new() };
        self.facts.replaced = if is_used { self.collected.replaced.clone() } else { BTreeMap::new() };
        let changes = self.facts.changes.clone();
        let changes = changes
            .into_iter()
            .map(|(addon, changes)| (addon, changes.into_iter().map(|change| self.judged(change, &store)).collect()));
        let changes = changes.collect();
        let (operator, replaced) = (self.judge.floor.operator.clone(), self.facts.replaced.clone());
        let approvals = Approvals { changes, replaced, facts, pulls: Arc::default(), operator };
        if *self.collected.current != approvals {
            self.collected.current = Arc::new(approvals);
        }
    }

    fn read_keys(&self) -> Vec<Option<Vec<u8>>> {
        self.follow.policy.keys.iter().map(|file| std::fs::read(file).ok()).collect()
    }

    /// Returns the approvals at a commit.
    fn facts_at(&mut self, commit: &CommitId, store: &Store) -> Result<Vec<Fact>, tidegate_git::Error> {
        let tree = match self.mirror.tree(commit, DIRECTORY) {
            Ok(tree) => tree,
            Err(tidegate_git::Error::NoDirectory { .. }) => Tree::default(),
            Err(error) => return Err(error),
        };
        if tree.files.is_empty() {
            self.collected.tip = None;
            return Ok(Vec::new());
        }
        self.follow_trail(commit)?;
        let mut found = self.with_evidence(&tree, store)?;
        let is_unknown = |fact: &Fact| fact.added.is_empty() && fact.withdrawn.is_none();
        if !self.collected.is_complete && found.iter().any(is_unknown) && self.fetch_history()? {
            self.collected.tip = None;
            self.follow_trail(commit)?;
            found = self.with_evidence(&tree, store)?;
        }
        Ok(found)
    }

    /// Adds the history of a commit to the trail.
    fn follow_trail(&mut self, commit: &CommitId) -> Result<(), tidegate_git::Error> {
        let before = self.collected.tip.take();
        let mirror = &self.mirror;
        let is_ahead = |old: &CommitId| mirror.has(old).and_then(|has| Ok(has && mirror.is_ancestor(old, commit)?));
        let base = match before {
            Some(old) if is_ahead(&old)? => Some(old),
            _ => None,
        };
        if base.is_none() {
            (self.collected.trail, self.collected.is_complete) = (Trail::default(), true);
        }
        if base.as_ref() != Some(commit) {
            let history = self.mirror.directory_history(DIRECTORY, base.as_ref(), commit, MAX_COMMITS)?;
            let now = self.collected.clock.as_ref().map(Clock::now);
            self.collected.is_complete &= history.is_complete;
            for version in &history.versions {
                self.collected.trail.add(version);
                // Of the first walk, it is not known when its commits arrived.
                if let (Some(now), Some(_)) = (now, &base) {
                    self.collected.seen.entry(version.commit.clone()).or_insert(now);
                }
            }
        }
        self.collected.tip = Some(commit.clone());
        Ok(())
    }

    fn with_evidence(&mut self, tree: &Tree, store: &Store) -> Result<Vec<Fact>, tidegate_git::Error> {
        let Collected { trail, evidence: known, seen, clock, .. } = &mut self.collected;
        let now = clock.as_ref().map(Clock::now);
        for commit in trail.commits() {
            if !known.contains_key(commit) {
                let seen = seen.get(commit).copied();
                known.insert(commit.clone(), evidence(&self.mirror, store, commit, (seen, seen.or(now)))?);
            }
        }
        Ok(file::facts(tree, trail, known))
    }

    /// Fetches the whole history of the followed branch. Returns `false` if no branch is followed.
    fn fetch_history(&self) -> Result<bool, tidegate_git::Error> {
        match &self.follow.reference {
            Reference::Branch(name) | Reference::Named(name) => {
                Ok(!self.mirror.fetch_full_history(&[name])?.is_empty())
            }
            Reference::Tag(_) | Reference::Range(_) => Ok(false),
        }
    }

    /// Completes a change with the people of its base and with its authors.
    fn judged(&mut self, change: DigestChange, store: &Store) -> Change {
        let key = (change.base.clone(), change.commit.clone());
        let keys = Vouchers { store, claimed_authors: self.follow.policy.claimed_authors };
        let authors = match self.collected.authors.get(&key) {
            Some(known) => known.clone(),
            None => match of_change(&self.mirror, &keys, &change.commit, change.base.as_ref()) {
                Ok(found) => {
                    self.collected.authors.insert(key, found.clone());
                    found
                }
                Err(error) => {
                    self.collected.is_stale = true;
                    Authors::Unknown(ErrorChain(&error).to_string())
                }
            },
        };
        Change::of(change, authors, |commit| self.basis_of(commit))
    }

    /// Returns the rules of a revision, and what they select by; `None` if it is not available.
    pub(in crate::reconciler::source) fn basis_of(&mut self, commit: &CommitId) -> Option<Arc<Basis>> {
        if let Some(known) = self.collected.bases.get(commit) {
            return Some(known.clone());
        }
        let read = match self.mirror.obtain(commit) {
            Ok(true) => self.mirror.tree(commit, "").map(Some),
            // It is gone for good, as after a rewrite.
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        };
        let Ok(tree) = read else {
            self.collected.is_stale = true;
            return None;
        };
        let loaded = tidegate_repository::load_with(&tree?, &self.follow.path, &self.follow.operator);
        // What was followed instead of the parts with errors is not known.
        let has_errors = loaded.complaints.iter().any(Complaint::is_about_declarations);
        let basis = self.judge.floor.over(tidegate_repository::basis(&loaded.repository));
        let basis = Arc::new(Basis { has_errors, ..basis });
        self.collected.bases.insert(commit.clone(), basis.clone());
        Some(basis)
    }
}
