//! The ledger of changes: which revision brought a digest, which one was followed before it, and whose rules were in force then.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::basis::Basis;
use super::change::{Approvals, Change, RULES};
use super::subject::Authors;
use super::voucher::{RulesVoucher, Vouched};
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;

/// Maximum number of changes that are recorded for one add-on. Beyond that, two old ones become one, so that no author and no rule is
/// forgotten.
pub const MAX_CHANGES: usize = 16;

/// The last changes of the digests of add-ons and of the rules, and which rules are in force.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    changes: BTreeMap<UnitName, Vec<DigestChange>>,
    /// The digest of the rules in force, according to the last tick; `None` before the first one.
    accepted: Option<Digest>,
    /// The add-ons that the last tick reported. Those that left the repository may still be on clusters.
    reported: BTreeSet<UnitName>,
    /// The last revision whose rules could all be read, with their digest, whether they are in force or wait; `None` if none is known.
    readable: Option<(CommitId, Digest)>,
    /// The revisions of recorded changes of the rules that declare their rules by themselves.
    declaring: BTreeSet<CommitId>,
}

/// A revision that is followed from now on.
#[derive(Debug, Clone)]
pub struct Arrival<'a> {
    /// The commit.
    pub commit: &'a CommitId,
    /// The digest of its rules, as they are followed.
    pub rules: &'a Digest,
    /// Whether all of them can be read. Otherwise, some are those of an earlier revision.
    pub is_readable: bool,
    /// The digests of its add-ons.
    pub digests: BTreeMap<UnitName, Digest>,
    /// The digest of each add-on at the last revision in which it was good, and that revision.
    pub good: BTreeMap<UnitName, (Digest, CommitId)>,
    /// The last revision without complaints.
    pub applied: Option<&'a CommitId>,
    /// The revision that was seen last.
    pub seen: Option<&'a CommitId>,
    /// The digest of the rules of that revision, for a ledger without changes; `None` if nothing of it is in force.
    pub rules_seen: Option<&'a Digest>,
}

impl Ledger {
    /// Returns the ledger with the changes that a journal records, newest first, after a revision was seen last. `declared` returns the
    /// digest of the rules that a revision declares by itself.
    ///
    /// A revision whose rules could not be read was followed with rules of an earlier one, which its files do not have. It vouches for none.
    pub fn of(
        changes: BTreeMap<UnitName, Vec<DigestChange>>,
        seen: Option<&CommitId>,
        mut declared: impl FnMut(&CommitId) -> Option<Digest>,
    ) -> Self {
        let mut ledger = Self { changes, ..Self::default() };
        let readable = ledger.of_rules().first().and_then(|newest| {
            let mut candidates = seen.into_iter().chain([&newest.commit]);
            let found = candidates.find(|commit| declared(commit).as_ref() == Some(&newest.digest));
            found.map(|commit| (commit.clone(), newest.digest.clone()))
        });
        let declares = |change: &&DigestChange| declared(&change.commit).as_ref() == Some(&change.digest);
        ledger.declaring = ledger.of_rules().iter().filter(declares).map(|change| change.commit.clone()).collect();
        Self { readable, ..ledger }
    }

    /// Returns the digest of the rules in force, according to the last tick; `None` before the first one.
    pub fn accepted(&self) -> Option<&Digest> {
        self.accepted.as_ref()
    }

    /// Returns the add-ons that the last tick reported.
    pub fn reported(&self) -> &BTreeSet<UnitName> {
        &self.reported
    }

    /// Returns the recorded changes, newest first.
    pub fn changes(&self) -> &BTreeMap<UnitName, Vec<DigestChange>> {
        &self.changes
    }

    fn of_rules(&self) -> &[DigestChange] {
        self.changes.get(&Approvals::rules()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Adds the changes that a revision brings, and forgets those of add-ons that are neither declared nor on clusters. Call it before the
    /// revision counts as the last good one.
    pub fn record(&mut self, arrival: Arrival<'_>) {
        let Arrival { commit, rules: digest, is_readable, digests, good, applied, seen, rules_seen } = arrival;
        let in_force = seen.map(|seen| self.in_force(seen).clone());
        self.keep_departed(&digests, &good, (in_force.as_ref(), seen));
        let mut before = good;
        let of_rules = Approvals::rules();
        let newest = self.of_rules().first();
        let known = newest.map(|newest| &newest.digest).or(rules_seen).cloned();
        let read = self.readable.as_ref().map(|(commit, _)| commit);
        let read = read.or_else(|| newest?.base.as_ref()).or(seen).cloned();
        before.extend(known.zip(read).filter(|_| seen.is_some()).map(|before| (of_rules.clone(), before)));
        for (addon, digest) in digests.into_iter().chain([(of_rules, digest.clone())]) {
            let (from, base) = before.get(&addon).cloned().unzip();
            if from.as_ref() == Some(&digest) {
                continue;
            }
            // An add-on that was held by an error is on an older revision than others, so that the person who made the error is an author of
            // what fixes it. A new add-on may have been in the revisions since the last one without complaints, with an error.
            let of_new = || seen.and(applied.or(seen)).cloned();
            let base = base.or_else(of_new).filter(|base| base != commit);
            let seen = seen.filter(|seen| in_force.as_ref() != Some(*seen)).cloned();
            let rules = in_force.clone().filter(|rules| base.as_ref() != Some(rules));
            let accepted = self.accepted.as_ref().filter(|_| addon.as_str() == RULES);
            let recorded = self.changes.entry(addon).or_default();
            recorded.insert(0, DigestChange { digest, from, commit: commit.clone(), base, rules, seen });
            join_oldest(recorded, accepted);
        }
        if is_readable || seen.is_none() {
            self.readable = Some((commit.clone(), digest.clone()));
        }
        if is_readable {
            self.declaring.insert(commit.clone());
        }
        let rules = self.changes.get(&Approvals::rules()).map(Vec::as_slice).unwrap_or_default();
        self.declaring.retain(|commit| rules.iter().any(|change| change.commit == *commit));
    }

    /// Keeps the changes of add-ons that left the repository and may still be on clusters: their rules apply to an add-on that takes over
    /// their objects. For one without recorded changes, the revision in which it was good last becomes one.
    fn keep_departed(
        &mut self,
        digests: &BTreeMap<UnitName, Digest>,
        good: &BTreeMap<UnitName, (Digest, CommitId)>,
        (in_force, seen): (Option<&CommitId>, Option<&CommitId>),
    ) {
        let (of_rules, reported) = (Approvals::rules(), &self.reported);
        let is_there = |addon: &UnitName| digests.contains_key(addon) || reported.contains(addon);
        self.changes.retain(|addon, changes| !changes.is_empty() && (*addon == of_rules || is_there(addon)));
        let departed = good.iter().filter(|(addon, _)| reported.contains(*addon) && !digests.contains_key(*addon));
        for (addon, (digest, commit)) in departed {
            let last = || DigestChange {
                digest: digest.clone(),
                from: Some(digest.clone()),
                commit: commit.clone(),
                base: Some(commit.clone()),
                rules: in_force.filter(|rules| *rules != commit).cloned(),
                seen: seen.filter(|seen| in_force != Some(*seen)).cloned(),
            };
            self.changes.entry(addon.clone()).or_insert_with(|| vec![last()]);
        }
    }

    /// Returns the revision whose rules are in force: the last one that declares them. While changes of the rules wait, or if the last change
    /// could not be read in full, it is the one whose rules were in force before.
    pub fn in_force<'s>(&'s self, seen: &'s CommitId) -> &'s CommitId {
        let is_settled =
            |change: &DigestChange| Some(&change.digest) == self.accepted.as_ref() || change.from.is_none();
        let waiting = self.of_rules().iter().take_while(|change| !is_settled(change)).count();
        let before = |change: &'s DigestChange| change.rules.as_ref().or(change.base.as_ref());
        if let Some(first) = self.of_rules()[..waiting].last() {
            // The rules in force may be newer than those that were when the first change was recorded.
            let settled = self.of_rules().get(waiting).map(|settled| &settled.commit);
            let settled = settled.filter(|commit| self.declaring.contains(*commit));
            return settled.or_else(|| before(first)).unwrap_or(seen);
        }
        match (self.of_rules().first(), &self.readable) {
            (Some(newest), Some((commit, rules))) if *rules == newest.digest => commit,
            (Some(newest), _) => before(newest).unwrap_or(&newest.commit),
            (None, Some((commit, _))) => commit,
            (None, None) => seen,
        }
    }

    /// Records which rules a tick found in force, and which add-ons it `reported`. Returns `true` if a change of the rules that waited no
    /// longer does.
    pub fn accept(&mut self, rules: Option<Digest>, reported: BTreeSet<UnitName>) -> bool {
        self.reported = reported;
        if self.accepted == rules {
            return false;
        }
        let had_known = self.accepted.is_some();
        self.accepted = rules;
        had_known && self.of_rules().first().map(|change| &change.digest) == self.accepted.as_ref()
    }

    /// Returns the revisions that it refers to.
    pub fn commits(&self) -> BTreeSet<&CommitId> {
        let changes = self.changes.values().flatten();
        let named = changes.flat_map(|change| {
            [Some(&change.commit), change.base.as_ref(), change.rules.as_ref(), change.seen.as_ref()]
        });
        named.flatten().chain(self.readable.as_ref().map(|(commit, _)| commit)).collect()
    }
}

impl Change {
    /// Completes a recorded change with its authors, and with what its revisions say. `basis_of` returns `None` for a revision that is not
    /// available.
    pub fn of(
        recorded: DigestChange,
        authors: Authors,
        mut basis_of: impl FnMut(&CommitId) -> Option<Arc<Basis>>,
    ) -> Self {
        let DigestChange { digest, from, commit, base, rules, seen } = recorded;
        let after = basis_of(&commit).unwrap_or_default();
        let rules = rules.or_else(|| base.clone());
        let before = base.map_or_else(|| Some(after.clone()), |base| basis_of(&base)).unwrap_or_default();
        let mut vouched = |commit: CommitId| match basis_of(&commit) {
            Some(basis) => Vouched::new(basis, RulesVoucher::InForce(commit)),
            None => Vouched::nothing(),
        };
        let first = || Vouched::new(after.clone(), RulesVoucher::First(commit.clone()));
        let rules =
            [Some(rules.map_or_else(first, &mut vouched)), seen.map(&mut vouched)].into_iter().flatten().collect();
        Self { digest, from, commit, authors, rules, before, after }
    }

    /// Returns the rules that a change of the rules brings, vouched for by its revision; `None` if that one does not declare them by itself.
    pub(super) fn brought(&self) -> Option<Vouched<Arc<Basis>>> {
        let is_declared = self.after.rules == self.digest;
        is_declared.then(|| Vouched::new(self.after.clone(), RulesVoucher::InForce(self.commit.clone())))
    }
}

/// Makes one change of two old ones if there are too many. `accepted` is the digest of the rules in force, for changes of the rules.
///
/// What was in force before the older one judges both. The first revision stays, because nothing was before it, and so does the change that
/// brought the rules in force, because they judge what comes after them. What was before these rules is forgotten.
fn join_oldest(recorded: &mut Vec<DigestChange>, accepted: Option<&Digest>) {
    if recorded.len() <= MAX_CHANGES {
        return;
    }
    let is_accepted = |change: &DigestChange| Some(&change.digest) == accepted;
    if let Some(at) = recorded.iter().position(is_accepted) {
        recorded.truncate(at + 1);
    }
    let stays = |change: &DigestChange| is_accepted(change) || (change.base.is_none() && change.rules.is_none());
    let older = recorded.len() - 1 - usize::from(recorded.last().is_some_and(stays));
    if recorded.len() <= MAX_CHANGES || older == 0 {
        return;
    }
    let DigestChange { from, base, rules, seen, .. } = recorded.remove(older);
    let newer = &mut recorded[older - 1];
    *newer = DigestChange { from, base, rules, seen, digest: newer.digest.clone(), commit: newer.commit.clone() };
}
