//! Reads from a clone what the audit compares the journal with: revisions, approvals, and who made the commits.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::archive::History;
use crate::audit::proof::{Evidence, Given, Revision};
use crate::reconciler::source::{Floor, author_of, is_decision, signature_of, trailers_of};
use tidegate_core::consent::file::{self, DIRECTORY, Trail};
use tidegate_core::consent::{Authors, Fact, Operator};
use tidegate_core::repository;
use tidegate_git::{Error, LocalRepository};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;
use tidegate_signature::Store;

/// Maximum number of commits of one change, and of commits in which approvals are looked for.
const MAX_COMMITS: usize = 50_000;

/// A clone of the repository, as evidence. What was read is remembered.
pub(crate) struct Clone<'h> {
    archive: &'h LocalRepository,
    tip: Option<CommitId>,
    path: String,
    keys: Option<Store>,
    floor: Option<Floor>,
    revisions: BTreeMap<CommitId, Option<Arc<Revision>>>,
    ancestors: BTreeMap<(CommitId, CommitId), Option<bool>>,
    authors: BTreeMap<(Option<CommitId>, CommitId), Authors>,
    given: Option<Option<Arc<Vec<Given>>>>,
}

/// What the auditor knows besides the clone.
pub(crate) struct Trusted {
    /// The keys of those who approve; `None` if none were given.
    pub(crate) keys: Option<Store>,
    /// The rules of the daemon's file; `None` if it was not given.
    pub(crate) floor: Option<Floor>,
    /// The directory of declarations, if it is not the one in `tidegate.toml`.
    pub(crate) path: String,
}

impl<'h> Clone<'h> {
    /// Uses the clone that has a journal.
    pub(crate) fn new(history: &'h History, trusted: Trusted) -> Self {
        let Trusted { keys, floor, path } = trusted;
        Self {
            archive: history.archive(),
            tip: history.followed(),
            path,
            keys,
            floor,
            revisions: BTreeMap::new(),
            ancestors: BTreeMap::new(),
            authors: BTreeMap::new(),
            given: None,
        }
    }

    fn read(&self, commit: &CommitId) -> Option<Revision> {
        let loaded = repository::load(&self.archive.tree(commit, "").ok()?, &self.path);
        let basis = repository::basis(&loaded.repository);
        let basis = match &self.floor {
            Some(floor) => floor.over(basis),
            None => basis,
        };
        let addons = loaded.repository.addons.iter();
        let digests = addons.map(|(name, addon)| (name.clone(), addon.digest.clone())).collect();
        let is_sound = !loaded.complaints.iter().any(repository::Complaint::is_error);
        Some(Revision { basis: Arc::new(basis), digests, is_sound })
    }

    fn made(&self, base: Option<&CommitId>, commit: &CommitId) -> Result<Authors, Error> {
        let store = self.keys.clone().unwrap_or_default();
        let Some(base) = base else {
            return Ok(Authors::Known(vec![author_of(&store, &self.archive.commit_info(commit)?)]));
        };
        let between = self.archive.commits_between(base, commit, MAX_COMMITS)?;
        if between.len() >= MAX_COMMITS {
            return Ok(Authors::Unknown(format!("the change has {MAX_COMMITS} commits or more")));
        }
        let mut found = Vec::new();
        for entry in between {
            let info = self.archive.commit_info(&entry.id)?;
            let changed = match info.parents.as_slice() {
                [parent] => self.archive.changed_paths(parent, &entry.id).ok(),
                _ => None,
            };
            if !changed.is_some_and(|changed| is_decision(&changed)) {
                found.push(author_of(&store, &info));
            }
        }
        Ok(Authors::known(found))
    }

    fn approvals(&self) -> Option<Vec<Given>> {
        let tip = self.tip.as_ref()?;
        let tree = match self.archive.tree(tip, DIRECTORY) {
            Ok(tree) => tree,
            Err(Error::NoDirectory { .. }) => Tree::default(),
            Err(_) => return None,
        };
        let mut trail = Trail::default();
        let history = self.archive.directory_history(DIRECTORY, tip, MAX_COMMITS).ok()?;
        history.versions.iter().for_each(|version| trail.add(version));
        let store = self.keys.clone().unwrap_or_default();
        let evidence = |commit: &CommitId| {
            let info = self.archive.commit_info(commit).ok()?;
            let signature = signature_of(&store, &info);
            Some((commit.clone(), file::Evidence { committed: info.committer.time, seen: None, signature }))
        };
        let evidence = trail.commits().into_iter().filter_map(evidence).collect();
        let withdrawn = |fact: &Fact| Some(self.archive.commit_info(fact.withdrawn.as_ref()?).ok()?.committer.time);
        let facts = file::facts(&tree, &trail, &evidence);
        Some(facts.into_iter().map(|fact| Given { withdrawn: withdrawn(&fact), fact }).collect())
    }
}

impl Evidence for Clone<'_> {
    fn revision(&mut self, commit: &CommitId) -> Option<Arc<Revision>> {
        if let Some(known) = self.revisions.get(commit) {
            return known.clone();
        }
        let read = self.read(commit).map(Arc::new);
        self.revisions.insert(commit.clone(), read.clone());
        read
    }

    fn is_ancestor(&mut self, ancestor: &CommitId, descendant: &CommitId) -> Option<bool> {
        match self.ancestors.entry((ancestor.clone(), descendant.clone())) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => *free.insert(self.archive.is_ancestor(ancestor, descendant).ok()),
        }
    }

    fn is_followed(&mut self, commit: &CommitId) -> Option<bool> {
        let tip = self.tip.clone()?;
        self.is_ancestor(commit, &tip)
    }

    fn authors(&mut self, base: Option<&CommitId>, commit: &CommitId) -> Authors {
        let key = (base.cloned(), commit.clone());
        if let Some(known) = self.authors.get(&key) {
            return known.clone();
        }
        let made = self.made(base, commit).unwrap_or_else(|error| Authors::Unknown(ErrorChain(&error).to_string()));
        self.authors.insert(key, made.clone());
        made
    }

    fn given(&mut self) -> Option<Arc<Vec<Given>>> {
        if self.given.is_none() {
            self.given = Some(self.approvals().map(Arc::new));
        }
        self.given.clone().flatten()
    }

    fn trailers(&mut self, addon: &AddonName, change: &DigestChange) -> Vec<Fact> {
        let Ok(info) = self.archive.commit_info(&change.commit) else { return Vec::new() };
        let people = self.revision(change.base.as_ref().unwrap_or(&change.commit));
        if info.parents.len() < 2 || !people.is_some_and(|revision| revision.basis.people.has_forges()) {
            return Vec::new();
        }
        let store = self.keys.clone().unwrap_or_default();
        trailers_of(addon, change, &info, &signature_of(&store, &info))
    }

    fn operator(&self) -> Option<&Operator> {
        self.floor.as_ref().map(|floor| &*floor.operator)
    }

    fn has_keys(&self) -> bool {
        self.keys.is_some()
    }
}
