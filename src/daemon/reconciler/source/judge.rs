//! Judges revisions by policies before they are followed.
//!
//! The policies of the revision before judge a revision, together with those of the daemon's own file. An add-on that breaks one of them
//! stays on its last good revision, as one with errors does. The decision is journaled, so that it stays the same after a restart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::judgement::InForce;
use super::poll::Source;
use tidegate_model::digest::Digest;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::followed::{BrokenPolicy, Judgement, Revision};
use tidegate_model::name::UnitName;
use tidegate_model::time::to_seconds;
use tidegate_repository::{Complaint, Loaded, POLICIES, PlanPolicy, Repository, SETTINGS_FILE};
use tidegate_review::policy::{Circumstances, Rules, broken, complaints, records};
use tidegate_review::proposal::document::{self, Change};
use tidegate_review::proposal::{Request, Side, propose};

/// Why the add-ons that change wait while a revision cannot be judged.
const WAITING: &str = "the fleet is not known yet, because the hub has not been observed since the daemon started; the policies judge \
                       the revision as soon as it is";

impl Source {
    /// Returns `true` if the last revision has to be judged again.
    pub(super) fn is_waiting(&self) -> bool {
        self.facts.policies.waiting.is_some()
    }

    /// Judges a revision, and blocks the add-ons that break a policy.
    pub(super) fn judge(&mut self, loaded: &mut Loaded, seen: &Revision) {
        // Nothing of the revision is followed.
        if loaded.repository.unreadable_files.contains(SETTINGS_FILE) {
            return;
        }
        let is_again = self.facts.policies.judged.as_ref() == Some(&seen.commit);
        if !is_again {
            self.policies.by = std::mem::take(&mut self.policies.next);
            self.policies.next.clone_from(&self.policies.by);
            // While a change of the rules waits, those before it judge as well.
            let kept = self.policies_in_force();
            let is_new = |policy: &PlanPolicy| !self.policies.by.contains(policy);
            let kept: Vec<PlanPolicy> = kept.into_iter().filter(is_new).collect();
            self.policies.by.extend(kept);
            self.facts.policies.by = self.facts.policies.next.clone();
            self.policies.before = self.facts.seen.clone().filter(|before| before.commit != seen.commit);
        }
        if let Some(policies) = &loaded.repository.plan_policies {
            self.policies.next.clone_from(policies);
            self.facts.policies.next = Some(seen.commit.clone());
        }
        if !(is_again && self.policies.is_decided) {
            let decided = self.decided(loaded, seen);
            self.policies.is_decided = decided.is_ok();
            self.facts.policies.waiting = decided.as_ref().err().map(|_| WAITING.to_owned());
            self.facts.policies.broken = decided.unwrap_or_else(|waiting| waiting);
        }
        self.facts.policies.judged = Some(seen.commit.clone());
        let last = self.in_force.as_deref();
        let repositories: Vec<&Repository> = [&loaded.repository].into_iter().chain(last).collect();
        let found = complaints(&self.facts.policies.broken, &repositories);
        add(loaded, found);
        let InForce { by, next, .. } = &self.policies;
        if by.is_empty() && next.is_empty() && self.judge.floor.policies.is_empty() {
            self.facts.policies = Judgement::default();
        }
    }

    /// Returns the policies that a revision breaks.
    ///
    /// # Errors
    /// If the fleet is not known yet, everything that changes, as if it broke a policy.
    fn decided(&mut self, loaded: &Loaded, seen: &Revision) -> Result<Vec<BrokenPolicy>, Vec<BrokenPolicy>> {
        let rules = Rules::new(self.judge.floor.policies.iter().chain(&self.policies.by));
        if rules.is_empty() {
            return Ok(Vec::new());
        }
        let good: BTreeMap<UnitName, Arc<Repository>> =
            self.good.iter().map(|(name, good)| (name.clone(), Arc::clone(&good.repository))).collect();
        let mut base = tidegate_repository::in_force(self.in_force.as_deref(), &good);
        let mut head = tidegate_repository::hold(loaded.clone(), &good, self.in_force.as_deref());
        // The clusters have what they were taken back to.
        self.take_back(&mut base);
        self.take_back(&mut head);
        let fleet = (self.judge.fleet)();
        let is_known = fleet.is_some();
        let fleet = fleet.unwrap_or_default();
        let now = to_seconds(self.judge.clock.now());
        let before = self.policies.before.as_ref();
        let permissions = self.hub_permissions.clone();
        let base_loaded = Loaded { repository: base.clone(), complaints: Vec::new(), hub_permissions: permissions };
        let plan = propose(&Request {
            base: Side { revision: named(before), loaded: &base_loaded, repository: &base },
            head: Side { revision: named(Some(seen)), loaded, repository: &head },
            fleet: &fleet,
            source: "the hub",
            as_of: Some(now),
            instance: &self.judge.instance,
            latencies: &BTreeMap::new(),
            now,
            only: None,
        });
        if is_known {
            let circumstances = Circumstances { now, base: before, head: Some(seen) };
            return Ok(records(&broken(&plan, &rules, &circumstances)));
        }
        let changed = plan.addons.iter().filter(|addon| !matches!(addon.change, Change::Unchanged | Change::Blocked));
        let addons = changed.map(|addon| addon.name.clone()).collect();
        let waiting = BrokenPolicy { policy: String::new(), is_error: true, addons, message: WAITING.to_owned() };
        Err(if waiting.addons.is_empty() { Vec::new() } else { vec![waiting] })
    }
}

impl Source {
    /// Records which rules are in force, and which add-ons are reported. If a change of the rules no longer waits, its policies replace those
    /// before it.
    pub(super) fn accept(&mut self, rules: Option<Digest>, reported: BTreeSet<UnitName>) {
        if self.collected.ledger.accept(rules, reported) && self.facts.policies.holds() {
            self.policies.by.clone_from(&self.policies.next);
            self.facts.policies.by.clone_from(&self.facts.policies.next);
            self.policies.is_decided = false;
            self.look_again();
        }
    }

    /// Returns the policies of the revision whose rules are in force, if a later change of the rules waits.
    fn policies_in_force(&self) -> Vec<PlanPolicy> {
        let Some(seen) = self.facts.seen.as_ref().map(|seen| &seen.commit) else { return Vec::new() };
        let commit = self.collected.ledger.in_force(seen);
        if commit == seen {
            return Vec::new();
        }
        match self.mirror.tree(commit, "") {
            Ok(tree) => tidegate_repository::plan_policies(&tree, POLICIES).0,
            Err(error) => {
                tracing::warn!(commit = commit.short(), error = %ErrorChain(&error), "failed to read the policies in force");
                Vec::new()
            }
        }
    }
}

fn named(revision: Option<&Revision>) -> document::Revision {
    let commit = revision.map(|revision| revision.commit.clone());
    document::Revision { name: commit.as_ref().map(|commit| commit.short().to_owned()).unwrap_or_default(), commit }
}

/// Adds complaints to a revision. Errors block the add-ons that they are about.
fn add(loaded: &mut Loaded, found: Vec<Complaint>) {
    for complaint in &found {
        for addon in complaint.addons.iter().filter(|_| complaint.is_error()) {
            loaded.repository.blocked.entry(addon.clone()).or_default().push(complaint.clone());
            loaded.repository.may_prune = false;
        }
    }
    loaded.complaints.extend(found);
    loaded.complaints.sort();
}
