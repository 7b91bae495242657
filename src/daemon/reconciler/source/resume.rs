//! Restores the followed revisions after a restart, and decides how far the records of them are trusted.
//!
//! The journal records what was followed. But anyone who may push to it could name any commit there. So its record is trusted only as far
//! as it is proven: by the daemon's own signature on the journal or the record on this machine, or for each commit by the history of the
//! followed reference and, if signatures are required, a trusted signature. This machine also records what was followed last.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::local_record::LocalRecord;
use super::poll::{Good, Source};
use super::revision;
use super::trust::{Policy, Rewrites, is_signed};
use tidegate_consent::Ledger;
use tidegate_git::Ancestry;
use tidegate_journal::Journal;
use tidegate_journal::record::Sync;
use tidegate_model::followed::Judgement;
use tidegate_model::revision::CommitId;
use tidegate_repository::{Archive, PlanPolicy, Repository};

/// Returns the revisions that introduced the current and last configurations of clusters, according to the journal. Empty
/// if `is_strict`: then the journal alone is not trusted, and the configurations of waiting clusters are not repaired after
/// a restart.
fn introduced(journal: &Journal, is_strict: bool) -> BTreeSet<CommitId> {
    let configs = journal.addons.values().flat_map(|addon| &addon.placements).flat_map(|placement| &placement.configs);
    let versions =
        configs.flat_map(|c| [Some(&c.desired), c.last_applied.as_ref(), c.last_known_good.as_ref()]).flatten();
    let commits = versions.filter_map(|version| version.commit.clone());
    if is_strict { BTreeSet::new() } else { commits.collect() }
}

impl Policy {
    /// Returns `true` if permission to push is not enough to decide what is followed.
    fn is_strict(&self) -> bool {
        self.commits.is_some() || self.rewrites != Rewrites::Accept
    }
}

impl Source {
    /// Restores the state from before a restart: which revision each add-on followed, and what was trusted. `is_proven` is
    /// `true` if the daemon's own key, this machine or the operator vouches for the journal.
    ///
    /// # Errors
    /// [`tidegate_git::Error`] if a commit cannot be fetched or read.
    pub fn resume(&mut self, journal: &Journal, is_proven: bool) -> Result<(), tidegate_git::Error> {
        let is_strict = self.follow.policy.is_strict();
        let own = LocalRecord::read(&self.follow.state_dir, &self.follow.reference);
        if is_strict && own.is_none() && !is_proven {
            let what =
                if journal.sync.is_some() { "the journal is not signed by this daemon" } else { "there is no journal" };
            tracing::warn!(
                "{what}, and the state directory has no record of the followed revision: earlier revisions are trusted only as far as \
                 signatures prove them; sign the journal ([journal] signing_key_file), or keep --state-dir"
            );
        }
        if let Some(sync) = &journal.sync {
            let trusted = if is_proven { sync.clone() } else { self.trusted(sync, own.as_ref())? };
            self.restore(&trusted, &introduced(journal, is_strict), !is_strict || is_proven)?;
        }
        if let Some(LocalRecord { seen, verified }) = own.filter(|_| !is_proven) {
            if self.facts.seen.as_ref().is_none_or(|journaled| journaled.commit != seen) && self.mirror.obtain(&seen)? {
                self.facts.seen = Some(revision::of(&seen, &self.mirror.commit_info(&seen)?));
            }
            self.facts.verified = verified.or(self.facts.verified.take());
        }
        let seen = self.facts.seen.as_ref().map(|seen| seen.commit.clone());
        let changes = self.facts.changes.clone();
        let declared = |commit: &CommitId| Some(self.basis_of(commit)?.rules.clone());
        self.collected.ledger = Ledger::of(changes, seen.as_ref(), declared);
        Ok(())
    }

    /// Returns the proven part of the journal's record: commits in the history of the followed reference, or of the
    /// revision that this machine recorded, each with a good signature if signatures are required. The revision seen last
    /// is kept, but only to compare histories.
    fn trusted(&self, sync: &Sync, own: Option<&LocalRecord>) -> Result<Sync, tidegate_git::Error> {
        let tip = self.mirror.follow(&self.follow.reference)?.map(|tip| tip.commit);
        let ends: Vec<CommitId> = tip.into_iter().chain(own.map(|own| own.seen.clone())).collect();
        let store = self.follow.policy.store().unwrap_or_default();
        let mut evaluated: BTreeMap<CommitId, bool> = BTreeMap::new();
        let mut is_proven = |commit: &CommitId| -> Result<bool, tidegate_git::Error> {
            if let Some(evaluated) = evaluated.get(commit) {
                return Ok(*evaluated);
            }
            let mut is_in_history = false;
            for end in &ends {
                is_in_history |= match self.mirror.ancestry(commit, end) {
                    Ok(ancestry) => matches!(ancestry, Ancestry::Same | Ancestry::Ahead),
                    Err(tidegate_git::Error::UnknownCommit { .. }) => false,
                    Err(error) => return Err(error),
                };
            }
            let is_good = is_in_history
                && (self.follow.policy.commits.is_none() || is_signed(&store, &self.mirror.commit_info(commit)?));
            if !is_good {
                tracing::warn!(
                    commit = commit.short(),
                    "ignored a commit named in the journal: it is not trusted, or not in the history of the followed reference"
                );
            }
            evaluated.insert(commit.clone(), is_good);
            Ok(is_good)
        };
        let mut trusted = sync.clone();
        trusted.addons.clear();
        for changes in trusted.changes.values_mut() {
            let mut proven = Vec::new();
            for change in changes.drain(..) {
                let is_base_proven = change.base.as_ref().map_or(Ok(true), &mut is_proven)?;
                // What is older than a change that is not proven is not known either.
                if !is_base_proven || !is_proven(&change.commit)? {
                    break;
                }
                proven.push(change);
            }
            *changes = proven;
        }
        for (name, commit) in &sync.addons {
            if is_proven(commit)? {
                trusted.addons.insert(name.clone(), commit.clone());
            }
        }
        // Anyone who may push to the journal could write that nothing breaks a policy. The revision is judged again.
        trusted.policies = Judgement::default();
        for named in [&mut trusted.applied, &mut trusted.verified] {
            if let Some(commit) = named.clone()
                && !is_proven(&commit)?
            {
                *named = None;
            }
        }
        Ok(trusted)
    }

    /// Restores what the journal records. The revision seen last may be wrong unless `trusts_seen`.
    fn restore(
        &mut self,
        sync: &Sync,
        introduced: &BTreeSet<CommitId>,
        trusts_seen: bool,
    ) -> Result<(), tidegate_git::Error> {
        let Sync { seen, applied, addons, policies, .. } = sync;
        let mut loaded: BTreeMap<CommitId, Arc<Repository>> = BTreeMap::new();
        let mut load = |commit: &CommitId| -> Result<Option<Arc<Repository>>, tidegate_git::Error> {
            if let Some(repository) = loaded.get(commit) {
                return Ok(Some(repository.clone()));
            }
            // A rewritten branch may have lost the commit; then there is nothing to restore.
            if !self.mirror.obtain(commit)? {
                return Ok(None);
            }
            let tree = self.mirror.tree(commit, "")?;
            let read = tidegate_repository::load_with(&tree, &self.follow.path, &self.follow.operator);
            if applied.as_ref() == Some(commit) {
                self.hub_permissions.clone_from(&read.hub_permissions);
            }
            let repository = Arc::new(tidegate_repository::hold(read, &BTreeMap::new(), None));
            loaded.insert(commit.clone(), repository.clone());
            Ok(Some(repository))
        };
        let mut archive = Archive::default();
        for commit in introduced {
            if let Some(repository) = load(commit)? {
                archive.add(&repository);
            }
        }
        self.archive = Arc::new(archive);
        for (name, commit) in addons {
            if let Some(repository) = load(commit)? {
                let revision = revision::of(commit, &self.mirror.commit_info(commit)?);
                self.good.insert(name.clone(), Good { revision, repository });
            }
        }
        if let Some(commit) = applied
            && let Some(repository) = load(commit)?
        {
            self.facts.applied = Some(commit.clone());
            self.in_force = Some(repository);
        }
        // The revision seen last may be newer than the one in force, and decisions about rollouts are always those of the newest.
        if let (Some(seen), Some(in_force)) = (seen.as_ref().filter(|_| trusts_seen), &self.in_force)
            && let Some(newest) = load(&seen.commit)?
        {
            let controls = newest.controls.clone();
            self.in_force = Some(Arc::new(Repository { controls, ..(**in_force).clone() }));
        }
        let mut of = |commit: &Option<CommitId>| -> Result<Option<Vec<PlanPolicy>>, tidegate_git::Error> {
            let Some(commit) = commit else { return Ok(None) };
            Ok(load(commit)?.and_then(|repository| repository.plan_policies.clone()))
        };
        self.policies.by = of(&policies.by)?.unwrap_or_default();
        self.policies.next = match &policies.next {
            // Nothing is recorded, or the record is not trusted: the last revision without complaints was accepted.
            None => of(applied)?.unwrap_or_default(),
            next => of(next)?.unwrap_or_default(),
        };
        self.policies.is_decided = policies.waiting.is_none();
        self.facts.policies.clone_from(policies);
        if policies.next.is_none() && !self.policies.next.is_empty() {
            self.facts.policies.next.clone_from(applied);
        }
        self.restore_facts(sync);
        Ok(())
    }

    /// Restores what the journal records about revisions, besides their content.
    fn restore_facts(&mut self, sync: &Sync) {
        self.facts.seen.clone_from(&sync.seen);
        self.facts.verified.clone_from(&sync.verified);
        self.facts.refused.clone_from(&sync.refused);
        self.facts.rewritten.clone_from(&sync.rewritten);
        self.facts.changes.clone_from(&sync.changes);
        self.collected.replaced.clone_from(&sync.replaced);
        // What was replaced while the daemon did not run has left force as well.
        self.collected.digests = self.good_digests();
    }
}
