//! What is taken up after a restart, and how far it is believed.
//!
//! The journal remembers what was followed. But whoever may push to it could name any commit there, so where signatures or unbroken
//! history are asked for, its memory counts only as far as it is proven: by the daemon's own signature on the journal, or commit by commit
//! by a trusted signature and the history of what is followed. What was followed last is remembered on this machine, too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::source::{Follow, Good, Source};
use super::trust::{Policy, Rewrites, is_signed};
use tidegate_core::journal::Journal;
use tidegate_core::journal::record::Sync;
use tidegate_core::plan::ownership::Proof;
use tidegate_core::repository::{self, Archive, Repository};
use tidegate_git::Ancestry;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// The file of this machine's own memory, in the state directory.
const FILE: &str = "followed";

/// What this machine remembers itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    /// The revision that was followed last.
    pub(super) seen: CommitId,
    /// The last one whose signatures were good.
    pub(super) verified: Option<CommitId>,
}

impl Own {
    fn path(follow: &Follow) -> PathBuf {
        follow.state_dir.join(FILE)
    }

    /// Remembers it. A machine that cannot write forgets, and says so.
    pub(super) fn keep(&self, follow: &Follow) {
        let verified = self.verified.as_ref().map(|commit| format!("verified {commit}\n")).unwrap_or_default();
        let text = format!("ref {}\nseen {}\n{verified}", follow.reference, self.seen);
        let aside = follow.state_dir.join(format!("{FILE}.new"));
        let written = std::fs::write(&aside, text).and_then(|()| std::fs::rename(&aside, Self::path(follow)));
        if let Err(error) = written {
            tracing::warn!(%error, directory = %follow.state_dir.display(), "what is followed cannot be remembered on this machine");
        }
    }

    /// Returns what was remembered of the same reference.
    fn recall(follow: &Follow) -> Option<Self> {
        let text = std::fs::read_to_string(Self::path(follow)).ok()?;
        let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let is_same = value("ref") == Some(follow.reference.to_string().as_str());
        is_same.then(|| {
            Some(Self { seen: value("seen")?.parse().ok()?, verified: value("verified").and_then(|v| v.parse().ok()) })
        })?
    }
}

/// Returns the revisions that brought what clusters have or had last, by the journal. Where signatures are asked for, the journal alone is
/// not believed, and what clusters that wait have is not repaired after a restart.
fn brought(journal: &Journal, is_strict: bool) -> BTreeSet<CommitId> {
    let configs = journal.addons.values().flat_map(|addon| &addon.placements).flat_map(|placement| &placement.configs);
    let versions =
        configs.flat_map(|c| [Some(&c.desired), c.last_applied.as_ref(), c.last_known_good.as_ref()]).flatten();
    let commits = versions.filter_map(|version| version.commit.clone());
    if is_strict { BTreeSet::new() } else { commits.collect() }
}

impl Policy {
    /// Returns `true` if somebody who may push, and no more, must not decide what is followed.
    fn is_strict(&self) -> bool {
        self.commits.is_some() || self.rewrites != Rewrites::Accept
    }
}

impl Source {
    /// Takes up what was known before a restart: which revision each add-on followed, and what was trusted. `is_proven` is `true` if
    /// the journal bears the daemon's own signature.
    ///
    /// # Errors
    /// [`tidegate_git::Error`] if a commit cannot be fetched or read.
    pub fn resume(&mut self, journal: &Journal, is_proven: bool) -> Result<(), tidegate_git::Error> {
        let is_strict = self.follow.policy.is_strict();
        let own = Own::recall(&self.follow);
        if is_strict && own.is_none() && !is_proven {
            let what =
                if journal.sync.is_some() { "the journal is not signed by this daemon" } else { "there is no journal" };
            tracing::warn!(
                "{what}, and this machine remembers nothing in its state directory: what was followed before is believed only as far as \
                 signatures prove it; sign the journal ([journal] signing_key_file), or keep --state-dir"
            );
        }
        if let Some(sync) = &journal.sync {
            let believed = if is_strict && !is_proven { self.believed(sync, own.as_ref())? } else { sync.clone() };
            self.take_up(&believed, &brought(journal, is_strict))?;
        }
        if let Some(Own { seen, verified }) = own.filter(|_| !is_proven) {
            if self.facts.seen.as_ref().is_none_or(|told| told.commit != seen) && self.mirror.obtain(&seen)? {
                self.facts.seen = Some(super::revision::of(&seen, &self.mirror.commit_info(&seen)?));
            }
            self.facts.verified = verified.or(self.facts.verified.take());
        }
        Ok(())
    }

    /// Returns what a journal proves that this instance wrote before it had an identity, once [`Source::resume`] has read its revisions.
    pub(super) fn proof(&self, journal: &Journal, until: Option<Timestamp>) -> Proof {
        let applied = self.in_force.iter().chain(self.good.values().map(|good| &good.repository));
        let names = |name: &AddonName| (name.clone(), journal.clusters(name).into_keys().collect());
        Proof::of(applied.map(|repository| &**repository), journal.addons.keys().map(names).collect(), until)
    }

    /// Leaves of the journal's memory what is proven: commits in the history of what is followed, or of what this machine remembers to
    /// have followed, each with a good signature where signatures are asked for. What it says was seen last is kept for the comparison of
    /// histories, and for nothing else.
    fn believed(&self, sync: &Sync, own: Option<&Own>) -> Result<Sync, tidegate_git::Error> {
        let tip = self.mirror.follow(&self.follow.reference)?.map(|tip| tip.commit);
        let ends: Vec<CommitId> = tip.into_iter().chain(own.map(|own| own.seen.clone())).collect();
        let store = self.follow.policy.store().unwrap_or_default();
        let mut judged: BTreeMap<CommitId, bool> = BTreeMap::new();
        let mut is_proven = |commit: &CommitId| -> Result<bool, tidegate_git::Error> {
            if let Some(judged) = judged.get(commit) {
                return Ok(*judged);
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
                    "the journal names a commit that is not trusted, or not in the history of what is followed; it is not taken up"
                );
            }
            judged.insert(commit.clone(), is_good);
            Ok(is_good)
        };
        let mut believed = sync.clone();
        believed.addons.clear();
        for (name, commit) in &sync.addons {
            if is_proven(commit)? {
                believed.addons.insert(name.clone(), commit.clone());
            }
        }
        for named in [&mut believed.applied, &mut believed.verified] {
            if let Some(commit) = named.clone()
                && !is_proven(&commit)?
            {
                *named = None;
            }
        }
        Ok(believed)
    }

    fn take_up(&mut self, sync: &Sync, brought: &BTreeSet<CommitId>) -> Result<(), tidegate_git::Error> {
        let Sync { seen, applied, addons, verified, refused, rewritten, .. } = sync;
        let mut loaded: BTreeMap<CommitId, Arc<Repository>> = BTreeMap::new();
        let mut load = |commit: &CommitId| -> Result<Option<Arc<Repository>>, tidegate_git::Error> {
            if let Some(repository) = loaded.get(commit) {
                return Ok(Some(repository.clone()));
            }
            // A rewritten branch may have lost the commit; then there is nothing to hold on to.
            if !self.mirror.obtain(commit)? {
                return Ok(None);
            }
            let tree = self.mirror.tree(commit, "")?;
            let read = repository::load(&tree, &self.follow.path);
            let repository = Arc::new(repository::hold(read, &BTreeMap::new(), None));
            loaded.insert(commit.clone(), repository.clone());
            Ok(Some(repository))
        };
        let mut archive = Archive::default();
        for commit in brought {
            if let Some(repository) = load(commit)? {
                archive.add(&repository);
            }
        }
        self.archive = Arc::new(archive);
        for (name, commit) in addons {
            if let Some(repository) = load(commit)? {
                let revision = super::revision::of(commit, &self.mirror.commit_info(commit)?);
                self.good.insert(name.clone(), Good { revision, repository });
            }
        }
        if let Some(commit) = applied
            && let Some(repository) = load(commit)?
        {
            self.facts.applied = Some(commit.clone());
            self.in_force = Some(repository);
        }
        self.facts.seen.clone_from(seen);
        self.facts.verified.clone_from(verified);
        self.facts.refused.clone_from(refused);
        self.facts.rewritten.clone_from(rewritten);
        Ok(())
    }
}
