//! The config repository, and how the daemon follows it: the part of the daemon that reads Git, without Git.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use tidegate_consent::{Approvals, Arrival, Authors, Basis, Change, Fact, Ledger};
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_plan::report::Report;
use tidegate_repository::{Archive, Complaint, Loaded, Repository, basis, hold, load};

use super::content::Content;
use super::votes::Person;

/// A commit. It has one parent at most: a merge has the commits of both sides one after the other.
#[derive(Debug, Clone)]
pub(super) struct Commit {
    pub(super) parent: Option<usize>,
    pub(super) by: Person,
    pub(super) content: Rc<Content>,
    /// The approvals in its tree.
    pub(super) facts: Rc<Vec<Fact>>,
    /// Whether it only approves or controls something. Its maker is no author.
    pub(super) is_decision: bool,
}

/// What is journaled of the followed revisions.
#[derive(Debug, Clone, Default)]
pub(super) struct Followed {
    pub(super) seen: Option<CommitId>,
    pub(super) applied: Option<CommitId>,
    pub(super) addons: BTreeMap<UnitName, CommitId>,
    pub(super) changes: BTreeMap<UnitName, Vec<DigestChange>>,
}

/// The repository with all commits that were ever pushed, and what the daemon knows of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    pub(super) commits: Vec<Commit>,
    /// The commit to which the branch points.
    pub(super) tip: usize,
    /// The commit whose content is followed.
    followed: Option<usize>,
    pub(super) seen: Option<CommitId>,
    applied: Option<CommitId>,
    good: BTreeMap<UnitName, (CommitId, Arc<Repository>)>,
    pub(super) in_force: Arc<Repository>,
    pub(super) archive: Archive,
    ledger: Ledger,
    bases: BTreeMap<CommitId, Arc<Basis>>,
    pub(super) approvals: Arc<Approvals>,
    loaded: Rc<std::cell::RefCell<BTreeMap<Content, Rc<Loaded>>>>,
}

/// Returns the id of a commit.
pub(super) fn id(commit: usize) -> CommitId {
    format!("{commit:040x}").parse().unwrap()
}

fn index(commit: &CommitId) -> usize {
    usize::from_str_radix(commit.as_str(), 16).unwrap()
}

impl Source {
    pub(super) fn newest(&self) -> &Commit {
        &self.commits[self.tip]
    }

    /// Adds a commit to the branch.
    pub(super) fn push(&mut self, commit: Commit) {
        self.tip = self.commits.len();
        self.commits.push(commit);
    }

    /// Loads what a commit declares.
    pub(super) fn load(&self, commit: usize) -> Rc<Loaded> {
        let content = &self.commits[commit].content;
        let known = self.loaded.borrow().get(&**content).cloned();
        known.unwrap_or_else(|| {
            let loaded = Rc::new(load(&content.tree(), ""));
            self.loaded.borrow_mut().insert(Content::clone(content), Rc::clone(&loaded));
            loaded
        })
    }

    /// Records the rules in force and the add-ons in the report of the last tick.
    fn accept(&mut self, last: &Report) {
        let rules = last.rules.as_ref().map(|rules| rules.digest.clone());
        self.ledger.accept(rules, last.addons.keys().cloned().collect());
    }

    /// Follows the tip of the branch. `last` is the report of the last tick.
    pub(super) fn poll(&mut self, last: &Report) {
        self.accept(last);
        if self.followed == Some(self.tip) {
            return;
        }
        let is_same = self.followed.is_some_and(|known| self.commits[known].content == self.newest().content);
        if !is_same {
            self.follow(self.tip);
        }
        self.followed = Some(self.tip);
        self.collect();
    }

    fn follow(&mut self, tip: usize) {
        let (commit, loaded) = (id(tip), Loaded::clone(&self.load(tip)));
        let applied = self.applied.clone();
        if !loaded.complaints.iter().any(Complaint::is_about_declarations) {
            self.applied = Some(commit.clone());
        }
        let good = self.good.iter().map(|(name, (_, good))| (name.clone(), Arc::clone(good))).collect();
        let last = self.seen.is_some().then_some(&*self.in_force);
        let declared = basis(&loaded.repository).rules;
        let repository = Arc::new(hold(loaded, &good, last));
        self.record(&commit, &repository, (applied.as_ref(), &declared));
        self.good.retain(|name, _| repository.addons.contains_key(name));
        for name in repository.addons.keys().filter(|name| !repository.held.contains_key(*name)) {
            self.good.insert(name.clone(), (commit.clone(), Arc::clone(&repository)));
        }
        self.archive.add(&repository);
        self.seen = Some(commit);
        self.in_force = repository;
    }

    fn record(
        &mut self,
        commit: &CommitId,
        repository: &Repository,
        (applied, declared): (Option<&CommitId>, &Digest),
    ) {
        let good = |(name, (commit, good)): (&UnitName, &(CommitId, Arc<Repository>))| {
            Some((name.clone(), (good.digest(name)?.clone(), commit.clone())))
        };
        let before = self.seen.clone().map(|seen| {
            let known = self.bases.get(&seen).cloned();
            (seen, known.unwrap_or_else(|| Arc::new(basis(&self.in_force))))
        });
        let now = Arc::new(basis(repository));
        self.ledger.record(Arrival {
            commit,
            rules: &now.rules,
            is_readable: now.rules == *declared,
            digests: repository.addons.iter().map(|(name, addon)| (name.clone(), addon.digest.clone())).collect(),
            good: self.good.iter().filter_map(good).collect(),
            applied,
            seen: self.seen.as_ref(),
            rules_seen: before.as_ref().map(|(_, before)| &before.rules),
        });
        self.bases.extend(before);
        self.bases.insert(commit.clone(), now);
    }

    fn collect(&mut self) {
        let recorded = self.ledger.changes().clone();
        let changes = recorded.into_iter().map(|(name, changes)| {
            let changes = changes.into_iter().map(|change| {
                let authors = self.authors(&change);
                Change::of(change, authors, |commit| Some(self.basis_of(commit)))
            });
            (name, changes.collect())
        });
        let changes = changes.collect();
        let facts = Vec::clone(&self.newest().facts);
        self.approvals = Arc::new(Approvals { changes, facts, ..Approvals::default() });
    }

    fn basis_of(&mut self, commit: &CommitId) -> Arc<Basis> {
        let known = self.bases.get(commit).cloned();
        known.unwrap_or_else(|| {
            let loaded = self.load(index(commit));
            let has_errors = loaded.complaints.iter().any(Complaint::is_about_declarations);
            let basis = Arc::new(Basis { has_errors, ..basis(&loaded.repository) });
            self.bases.insert(commit.clone(), Arc::clone(&basis));
            basis
        })
    }

    /// Returns the authors of a change: of all commits that its base does not have.
    fn authors(&self, change: &DigestChange) -> Authors {
        let line = |from: usize| std::iter::successors(Some(from), |commit| self.commits[*commit].parent);
        let newest = index(&change.commit);
        let Some(base) = &change.base else { return Authors::Known(vec![self.commits[newest].by.author()]) };
        let before: BTreeSet<usize> = line(index(base)).collect();
        let after: BTreeSet<usize> = line(newest).collect();
        if before.difference(&after).any(|gone| !self.commits[*gone].is_decision) {
            return Authors::Unknown("commits are gone, and no one is named for it".to_owned());
        }
        let between = line(newest).take_while(|commit| !before.contains(commit)).map(|commit| &self.commits[commit]);
        Authors::known(between.filter(|commit| !commit.is_decision).map(|commit| commit.by.author()).collect())
    }

    /// Returns what is journaled.
    pub(super) fn journaled(&self) -> Followed {
        Followed {
            seen: self.seen.clone(),
            applied: self.applied.clone(),
            addons: self.good.iter().map(|(name, (commit, _))| (name.clone(), commit.clone())).collect(),
            changes: self.ledger.changes().clone(),
        }
    }

    /// Forgets everything that is not journaled, as a new process does. `last` is the journaled report.
    pub(super) fn restart(&mut self, journaled: Followed, last: &Report) {
        let Followed { seen, applied, addons, changes } = journaled;
        let read = |commit: &CommitId| Arc::new(hold(Loaded::clone(&self.load(index(commit))), &BTreeMap::new(), None));
        let good = addons.iter().map(|(name, commit)| (name.clone(), (commit.clone(), read(commit)))).collect();
        let applied_one = applied.as_ref().map(read).unwrap_or_default();
        let controls = seen.as_ref().map(|seen| read(seen).controls.clone()).unwrap_or_default();
        self.in_force = Arc::new(Repository { controls, ..Repository::clone(&applied_one) });
        (self.good, self.seen, self.applied, self.followed) = (good, seen, applied, None);
        self.archive = Archive::default();
        self.bases.clear();
        let seen = self.seen.clone();
        self.ledger = Ledger::of(changes, seen.as_ref(), |commit| Some(self.basis_of(commit).rules.clone()));
        self.accept(last);
    }
}
