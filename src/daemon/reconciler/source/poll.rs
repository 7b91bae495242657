//! Follows the config repository: from the commit of a reference to the repository that is in force.
//!
//! A revision with complaints does not replace the add-ons that have them: a blocked add-on stays on the last revision in
//! which it was good. That revision is kept in memory; after a restart, it is read from the commit that the journal names.
//! A revision that is not trusted replaces nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::approvals::Collected;
use super::distrust::Distrust;
use super::error::Error;
use super::journal_location::files_below;
use super::judgement::{InForce, Judge};
use super::local_record::LocalRecord;
use super::revision;
use super::trust::{Arrival, Policy, TrustDecision, decide};
use crate::reconciler::clock::Clock;
use tidegate_consent::Approvals;
use tidegate_git::{Ancestry, Mirror, Reference, Tip};
use tidegate_journal::Journal;
use tidegate_model::digest::Digest;
use tidegate_model::followed::{RefusedRevision, Rejection, Revision, RevisionFacts, Rewrite, SignedBy};
use tidegate_model::instance::InstanceId;
use tidegate_model::line::one_line;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;
use tidegate_repository::{Archive, Complaint, HubPermission, Loaded, OperatorRules, Repository, SETTINGS_FILE};

/// The number of complaints of a revision that are logged and journaled. Once these are fixed, the next ones are shown.
const MAX_COMPLAINTS: usize = 100;

/// The repository that is in force, and the facts to report about it.
#[derive(Debug, Clone)]
pub struct Followed {
    /// The repository.
    pub repository: Arc<Repository>,
    /// The facts to report.
    pub facts: Arc<RevisionFacts>,
    /// The configurations of this and earlier revisions.
    pub archive: Arc<Archive>,
    /// The approvals of what is in force.
    pub approvals: Arc<Approvals>,
}

/// The reference that a source follows, and how.
#[derive(Debug, Clone)]
pub struct Follow {
    /// The branch, tag or range of versions.
    pub reference: Reference,
    /// The directory of declarations; empty to use the one in `tidegate.toml`.
    pub path: String,
    /// What the operator lets the repository do on the hub.
    pub operator: Arc<OperatorRules>,
    /// Which revisions are trusted.
    pub policy: Policy,
    /// Whether changes are reviewed on a forge.
    pub has_forge: bool,
    /// Whether the journal is on the same branch.
    pub shares_journal: bool,
    /// The directory on this machine that records the followed revision.
    pub state_dir: PathBuf,
    /// The journal of this instance, which is in the same repository.
    pub journal: OwnJournal,
}

/// The location of this instance's journal, and the instance that it belongs to.
#[derive(Debug, Clone)]
pub struct OwnJournal {
    /// Its branch.
    pub branch: String,
    /// Whether the operator named the branch. Then the one in `tidegate.toml` means nothing.
    pub is_named_by_operator: bool,
    /// The directory on the branch, ending with `/`; empty if the journal has its own branch.
    pub prefix: &'static str,
    /// The identity in the journal.
    pub instance: InstanceId,
}

/// Follows one reference. Its methods block: call them only where blocking is allowed.
pub struct Source {
    pub(super) mirror: Arc<Mirror>,
    pub(super) follow: Follow,
    /// The tip that was polled last, whether it was followed or not.
    tip: Option<Tip>,
    /// The last commit whose files are in force, or a later one without relevant differences.
    pub(super) followed_commit: Option<CommitId>,
    pub(super) facts: RevisionFacts,
    pub(super) good: BTreeMap<UnitName, Good>,
    pub(super) in_force: Option<Arc<Repository>>,
    pub(super) archive: Arc<Archive>,
    /// The digests that were rejected because their rollouts failed.
    pub(super) rejections: Rejections,
    /// The digest of the rules that wait for an approval, according to the last tick.
    pub(super) waiting_rules: Option<Digest>,
    /// The revisions that were in force since the daemon started.
    pub(super) was_in_force: BTreeSet<CommitId>,
    /// The revisions that add-ons were put back to.
    pub(super) good_revisions: BTreeMap<CommitId, Arc<Repository>>,
    pub(super) collected: Collected,
    pub(super) judge: Judge,
    /// The policies that judge revisions.
    pub(super) policies: InForce,
    /// The hub permissions of the last revision.
    pub(super) hub_permissions: Vec<HubPermission>,
}

/// The last revision in which an add-on was good.
#[derive(Debug, Clone)]
pub(super) struct Good {
    pub(super) revision: Revision,
    pub(super) repository: Arc<Repository>,
}

impl Source {
    /// Creates a source that follows a reference of a mirror's remote.
    pub fn new(mirror: Arc<Mirror>, follow: Follow, judge: Judge) -> Self {
        let facts = RevisionFacts::default();
        Self {
            mirror,
            follow,
            tip: None,
            followed_commit: None,
            facts,
            good: BTreeMap::new(),
            in_force: None,
            archive: Arc::default(),
            rejections: Rejections::new(),
            waiting_rules: None,
            was_in_force: BTreeSet::new(),
            good_revisions: BTreeMap::new(),
            collected: Collected::default(),
            judge,
            policies: InForce::default(),
            hub_permissions: Vec::new(),
        }
    }

    /// Dates what is seen from now on with a clock.
    pub fn set_clock(&mut self, clock: Clock) {
        self.collected.clock = Some(clock);
    }

    /// Fetches, and returns the repository in force if it has changed or there is something new to report about it.
    ///
    /// # Errors
    /// [`Error`] if the remote cannot be reached or has nothing to follow.
    pub fn poll(&mut self) -> Result<Option<Followed>, Error> {
        self.mirror.ensure().map_err(Error::Git)?;
        match self.poll_once() {
            Err(Error::Git(error)) if self.mirror.recover(&error).map_err(Error::Git)? => self.poll_once(),
            polled => polled,
        }
    }

    /// Evaluates the tip again at the next poll.
    pub(super) fn look_again(&mut self) {
        self.tip = None;
    }

    /// Returns what is in force, without looking at the remote.
    pub fn current(&mut self) -> Followed {
        self.unchanged()
    }

    fn poll_once(&mut self) -> Result<Option<Followed>, Error> {
        let tip = self.mirror.follow(&self.follow.reference).map_err(Error::Git)?;
        let tip = tip.ok_or_else(|| Error::Nothing { reference: self.follow.reference.described() })?;
        // A revision that is not trusted is evaluated again: the trusted keys may have changed.
        let is_settled = self.facts.refused.is_none() && !self.is_waiting();
        if self.tip.as_ref() == Some(&tip) && is_settled {
            return Ok(self.with_other_approvals());
        }
        let commit = self.newest_of_people(&tip.commit).map_err(Error::Git)?;
        let is_known = self.followed_commit.is_some() && !self.is_relevant(&commit).map_err(Error::Git)?;
        // Policies judge any commit after one that broke them: it may be Monday.
        if is_known && is_settled && !self.facts.policies.holds() {
            (self.tip, self.followed_commit) = (Some(tip), Some(commit));
            return Ok(self.with_other_approvals());
        }
        let before = self.facts.clone();
        let followed = self.evaluate(&tip, commit)?;
        self.tip = Some(tip);
        let is_still_waiting = self.is_waiting() && self.facts == before;
        Ok(followed.filter(|_| !is_still_waiting))
    }

    /// Evaluates a new revision, and follows it or records why not.
    fn evaluate(&mut self, tip: &Tip, commit: CommitId) -> Result<Option<Followed>, Error> {
        let info = self.mirror.commit_info(&commit).map_err(Error::Git)?;
        let tag = tip.name.strip_prefix("refs/tags/");
        let revision = Revision { tag: tag.map(str::to_owned), ..revision::of(&commit, &info) };
        let before = self.facts.seen.clone();
        // Another tag of a range need not continue the previous one: releases have their own branches.
        let continued = before.as_ref().filter(|before| before.tag.as_deref() == tag);
        let ancestry =
            continued.map(|before| self.mirror.ancestry(&before.commit, &commit)).transpose().map_err(Error::Git)?;
        let is_unrelated = matches!(ancestry, Some(Ancestry::Diverged | Ancestry::Unknown));
        let decision = match self.follow.policy.store() {
            _ if is_unrelated && !self.holds_own_journal().map_err(Error::Git)? => {
                let instance = self.follow.journal.instance.clone();
                TrustDecision::Refuse { reason: Distrust::Replaced { instance }, is_rewrite: true }
            }
            Err(keys) => TrustDecision::Refuse { reason: Distrust::Keys(keys), is_rewrite: false },
            Ok(store) => match self.since_verified(&commit)? {
                Err(reason) => TrustDecision::Refuse { reason, is_rewrite: false },
                Ok(since) => {
                    let tag = tip.tag.as_ref().zip(tag);
                    decide(
                        &self.follow.policy,
                        &store,
                        &Arrival { commit: &commit, info: &info, tag, ancestry, since: &since },
                    )
                }
            },
        };
        let rewrite = |accepted| {
            let from = before.as_ref()?.commit.clone();
            Some(Rewrite { from, to: commit.clone(), accepted })
        };
        match decision {
            TrustDecision::Follow { signature, is_rewrite } => {
                if is_rewrite {
                    self.facts.rewritten = rewrite(true);
                }
                Ok(Some(self.followed(revision, signature)?))
            }
            TrustDecision::Refuse { reason, is_rewrite } => {
                let refused = Some(RefusedRevision { revision, reason: reason.to_string() });
                if self.facts.refused == refused && self.tip.is_some() {
                    return Ok(None);
                }
                self.facts.refused = refused;
                if is_rewrite {
                    self.facts.rewritten = rewrite(false);
                }
                Ok(Some(self.unchanged()))
            }
        }
    }

    /// Returns `true` if the repository still contains the journal of this instance. A repository that contains neither the
    /// followed history nor the journal is a different one at the same address.
    fn holds_own_journal(&self) -> Result<bool, tidegate_git::Error> {
        let OwnJournal { branch, prefix, instance, .. } = &self.follow.journal;
        let Some(tip) = self.mirror.fetch(&[branch])?.remove(branch) else { return Ok(false) };
        let journal = Journal::read(files_below(&self.mirror, &tip, prefix)?);
        Ok(journal.instance().is_some_and(|found| found.id == *instance))
    }

    fn followed(&mut self, revision: Revision, signature: Option<SignedBy>) -> Result<Followed, Error> {
        let commit = revision.commit.clone();
        let tree = self.mirror.tree(&commit, "").map_err(Error::Git)?;
        self.facts.refused = None;
        if signature.is_some() {
            self.facts.verified = Some(commit.clone());
        }
        self.followed_commit = Some(commit.clone());
        self.was_in_force.insert(commit.clone());
        LocalRecord { seen: commit, verified: self.facts.verified.clone() }
            .write(&self.follow.state_dir, &self.follow.reference);
        Ok(self.load(&tree, Revision { signature, ..revision }))
    }

    fn load(&mut self, tree: &Tree, seen: Revision) -> Followed {
        let mut loaded = tidegate_repository::load_with(tree, &self.follow.path, &self.follow.operator);
        self.judge(&mut loaded, &seen);
        self.hub_permissions.clone_from(&loaded.hub_permissions);
        let listed = loaded.complaints.iter().take(MAX_COMPLAINTS);
        self.facts.complaints = listed.map(|complaint| one_line(&complaint.to_string())).collect();
        self.facts.complaints.extend(self.other_journal(&loaded.repository));
        self.facts.unlisted_complaints = loaded.complaints.len().saturating_sub(MAX_COMPLAINTS);
        let applied = self.facts.applied.clone();
        if !loaded.complaints.iter().any(Complaint::is_about_declarations) {
            self.facts.applied = Some(seen.commit.clone());
        }
        let declared = tidegate_repository::basis(&loaded.repository).rules;
        let repository = Arc::new(self.held(loaded));
        self.record_changes(&repository, &seen.commit, (applied.as_ref(), &declared));
        let is_held = |name: &UnitName| repository.held.contains_key(name);
        self.good.retain(|name, _| repository.addons.contains_key(name));
        for name in repository.addons.keys().filter(|name| !is_held(name)) {
            self.good.insert(name.clone(), Good { revision: seen.clone(), repository: repository.clone() });
        }
        self.facts.adopts.clone_from(&repository.operator.adopt.instances);
        self.facts.seen = Some(seen);
        self.in_force = Some(repository.clone());
        self.with_facts(repository)
    }

    /// Returns a complaint if a revision names another branch for the journal.
    fn other_journal(&self, repository: &Repository) -> Option<String> {
        let OwnJournal { branch, is_named_by_operator, .. } = &self.follow.journal;
        let named = &repository.settings.journal_branch;
        (named != branch && !is_named_by_operator).then(|| {
            format!(
                "{SETTINGS_FILE}: journal.branch is {named:?}, but the journal stays on {branch:?}: a revision cannot move it; write the branch \
                 in section [journal] of the daemon's file and restart the daemon"
            )
        })
    }

    /// Returns the repository that is already in force, with the current facts.
    fn unchanged(&mut self) -> Followed {
        let repository = match &self.in_force {
            Some(repository) => repository.clone(),
            None => {
                // Nothing was ever followed. This must not be treated as a repository that declares nothing.
                let nothing =
                    Repository { unreadable_files: [SETTINGS_FILE.to_owned()].into(), ..Repository::default() };
                Arc::new(self.held(Loaded { repository: nothing, complaints: Vec::new(), hub_permissions: Vec::new() }))
            }
        };
        self.with_facts(repository)
    }

    /// Returns the repository that is in force, with the facts to report about it.
    pub(super) fn with_facts(&mut self, repository: Arc<Repository>) -> Followed {
        let is_held = |name: &UnitName| repository.held.contains_key(name);
        let held = self.good.iter().filter(|(name, _)| is_held(name));
        self.facts.held = held.map(|(name, good)| (name.clone(), good.revision.clone())).collect();
        let repository = self.rolled_back(repository);
        self.record_replaced(&repository);
        self.facts.addons = self.good.iter().map(|(name, good)| (name.clone(), good.revision.commit.clone())).collect();
        Arc::make_mut(&mut self.archive).add(&repository);
        self.collect();
        let facts = Arc::new(self.facts.clone());
        Followed { repository, facts, archive: self.archive.clone(), approvals: self.collected.current.clone() }
    }

    /// Returns the repository that is in force if other approvals count than at the last poll.
    fn with_other_approvals(&mut self) -> Option<Followed> {
        if !self.must_collect() {
            return None;
        }
        let before = self.collected.current.clone();
        self.collect();
        (self.collected.current != before).then(|| self.unchanged())
    }

    fn held(&self, loaded: Loaded) -> Repository {
        let good = self.good.iter().map(|(name, good)| (name.clone(), good.repository.clone())).collect();
        tidegate_repository::hold(loaded, &good, self.in_force.as_deref())
    }
}

/// The rejected digests by add-on.
pub(super) type Rejections = BTreeMap<UnitName, Rejection>;
