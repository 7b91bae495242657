//! Reads from a clone what the audit compares the journal with: revisions, approvals, and who made the commits.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::archive::History;
use crate::audit::proof::{Evidence, Given, Revision};
use tidegate_consent::file::{self, DIRECTORY, Trail};
use tidegate_consent::{Author, Authors, Fact, Operator, Voucher, Written};
use tidegate_daemon::reconciler::source::{Floor, author_of, is_decision, signature_of};
use tidegate_git::{CommitInfo, Error, LocalRepository};
use tidegate_model::error_chain::ErrorChain;
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
    claimed_authors: bool,
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
    /// Whether the operator lets claims of authors count.
    pub(crate) claimed_authors: bool,
}

impl<'h> Clone<'h> {
    /// Uses the clone that has a journal.
    pub(crate) fn new(history: &'h History, trusted: Trusted) -> Self {
        let Trusted { keys, floor, path, claimed_authors } = trusted;
        Self {
            archive: history.archive(),
            tip: history.followed(),
            path,
            keys,
            floor,
            claimed_authors,
            revisions: BTreeMap::new(),
            ancestors: BTreeMap::new(),
            authors: BTreeMap::new(),
            given: None,
        }
    }

    fn read(&self, commit: &CommitId) -> Option<Revision> {
        let loaded = tidegate_repository::load(&self.archive.tree(commit, "").ok()?, &self.path);
        let basis = tidegate_repository::basis(&loaded.repository);
        let basis = match &self.floor {
            Some(floor) => floor.over(basis),
            None => basis,
        };
        let addons = loaded.repository.addons.iter();
        let digests = addons.map(|(name, addon)| (name.clone(), addon.digest.clone())).collect();
        let is_sound = !loaded.complaints.iter().any(tidegate_repository::Complaint::is_error);
        Some(Revision { basis: Arc::new(basis), digests, is_sound })
    }

    fn made(&self, base: Option<&CommitId>, commit: &CommitId) -> Result<Authors, Error> {
        let store = self.keys.clone().unwrap_or_default();
        let Some(base) = base else {
            return Ok(Authors::Known(vec![self.author(&store, commit, &self.archive.commit_info(commit)?)]));
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
            let decides =
                |changed: BTreeSet<String>| !changed.is_empty() && changed.iter().all(|path| is_decision(path));
            if !changed.is_some_and(decides) {
                found.push(self.author(&store, &entry.id, &info));
            }
        }
        Ok(Authors::known(found))
    }

    /// Returns who made a commit. Only what the commit itself proves is known here.
    fn author(&self, store: &Store, commit: &CommitId, info: &CommitInfo) -> Author {
        let author = author_of(store, commit, info);
        let is_joined = author.voucher == Voucher::Nobody && info.parents.len() > 1;
        // Without the keys or the daemon's file, it is not known whether the claim of a commit counted, so the journal is believed.
        let is_believed = self.claimed_authors || self.keys.is_none() || self.floor.is_none();
        let voucher = if is_joined || is_believed { Voucher::Unneeded } else { author.voucher };
        Author { voucher, ..author }
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
            let changed = self.archive.changed_paths(info.parents.first()?, commit).ok()?;
            let written = Written {
                by: info.author.email.clone(),
                is_again: info.author.time != info.committer.time,
                has_only_approvals: info.parents.len() == 1 && changed.iter().all(|path| path.starts_with(DIRECTORY)),
            };
            Some((commit.clone(), file::Evidence { committed: info.committer.time, seen: None, signature, written }))
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

    fn operator(&self) -> Option<&Operator> {
        self.floor.as_ref().map(|floor| &*floor.operator)
    }

    fn has_keys(&self) -> bool {
        self.keys.is_some()
    }
}
