//! Changes of the rules that were followed since the last decision: each is judged by the rules before it.

use std::sync::Arc;

use super::basis::Basis;
use super::change::Change;
use super::rules_proposal::{Judged, RulesApproval};
use super::voucher::Vouched;
use tidegate_model::digest::Digest;

/// The rules in force, and the changes since then.
pub(super) struct Pending<'a> {
    /// The digest of the rules in force; `None` if it is not known.
    pub(super) good: Option<Digest>,
    /// Whether these rules were approved, and how.
    pub(super) before: (bool, Vec<RulesApproval>),
    /// These rules.
    pub(super) rules: Vouched<Arc<Basis>>,
    /// The changes since then, newest first; at least one.
    pub(super) changes: &'a [Change],
    /// Whether all of them are recorded.
    pub(super) is_whole: bool,
}

impl<'a> Pending<'a> {
    /// Returns the changes after the rules with the digest `good`. `all` has at least one change.
    pub(super) fn of(all: &'a [Change], good: Option<&Digest>, before: (bool, Vec<RulesApproval>)) -> Self {
        let is_first = |change: &Change| change.from.is_none() || change.from.as_ref() == good;
        let first = all.iter().position(is_first);
        let changes = first.map_or(all, |at| &all[..=at]);
        // The rules in force may be newer than those that were when the first change was recorded. Without rules before it, no one may approve.
        let newer = all.get(changes.len()).filter(|change| good == Some(&change.digest)).and_then(Change::brought);
        let recorded = || changes.last().and_then(|first| first.rules.first().cloned());
        let rules = newer.or_else(recorded).unwrap_or_else(Vouched::nothing);
        Self { good: good.cloned(), before, rules, changes, is_whole: first.is_some() }
    }

    /// Moves past the changes that a decision after each of them would have found in force, but not past the newest one. `judged` judges the
    /// first of some changes together with the others. If no rules were ever decided on, the oldest change is the first one.
    pub(super) fn advance(&mut self, is_undecided: bool, judged: impl Fn(&Vouched<Arc<Basis>>, &[Change]) -> Judged) {
        let is_known = self.is_whole || is_undecided;
        for at in (1..self.changes.len()).rev().filter(|_| is_known) {
            let Some(brought) = self.changes[at].brought() else { continue };
            let Judged { changes, approvals } = judged(&self.rules, &self.changes[at..]);
            if !changes.is_empty() {
                if !approvals.iter().all(|approval| approval.verdict.is_met()) {
                    continue;
                }
                self.before = (!approvals.is_empty(), approvals);
            }
            // The rules that it brings judge the changes after it.
            (self.good, self.rules) = (Some(self.changes[at].digest.clone()), brought);
            (self.changes, self.is_whole) = (&self.changes[..at], true);
        }
    }
}
