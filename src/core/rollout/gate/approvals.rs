//! Approvals: which rules a rollout has to meet, and whether they are met.

use super::policies::{Policies, Policy, names, written};
use crate::{Barrier, Gate, GroupKey};
use tidegate_consent::{Approvals, Judges, Rule, Subject, Verdict};
use tidegate_model::digest::Digest;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::{NamespacedName, UnitName};
use tidegate_model::time::Timestamp;

/// The rollout whose approvals are judged.
#[derive(Debug, Clone, Copy)]
pub struct Approvable<'t> {
    /// The unit.
    pub unit: &'t UnitName,
    /// Its digest.
    pub digest: &'t Digest,
    /// The Placement; `None` for clusters chosen by hand.
    pub placement: Option<&'t NamespacedName>,
    /// The instance that rolls it out.
    pub instance: &'t InstanceId,
    /// The approvals.
    pub approvals: &'t Approvals,
    /// Who may approve, and who made the change.
    pub judges: &'t Judges,
    /// The time of the decision.
    pub now: Timestamp,
}

/// A rule with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The policy, such as `RolloutPolicy production`.
    pub source: String,
    /// Its position among the policies.
    pub(super) policy: usize,
    /// The group that needs the approval; `None` for the whole rollout.
    pub group: Option<GroupKey>,
    /// Whether approvals count only if they are given when it is the turn of the group.
    pub at_its_turn: bool,
    /// Whether the rule overrides windows and freezes instead of opening a gate.
    pub breaks_glass: bool,
    /// When it was the turn of the group; `None` if it is not its turn yet.
    pub reached: Option<Timestamp>,
    /// Whether the policy selects clusters by their labels: those that it does not select need no approval.
    pub selects_clusters: bool,
    /// The verdict.
    pub verdict: Verdict,
}

impl Judged {
    /// Returns the gate that the verdict closes; `None` if it is open.
    pub fn gate(&self) -> Option<Gate> {
        let Verdict { rule, have, need, missing, .. } = &self.verdict;
        if self.verdict.is_met() || self.breaks_glass {
            return None;
        }
        let missing = missing.as_ref().map(ToString::to_string).unwrap_or_default();
        let have = have.len();
        let need = usize::try_from(*need).unwrap_or(usize::MAX);
        let barrier = Barrier::Approval { rule: rule.clone(), group: self.group.clone(), have, need, missing };
        Some(Gate { source: self.source.clone(), barrier })
    }

    /// Returns who overrides windows and freezes, in words; `None` if no one does.
    pub fn overrides(&self, unit: &UnitName) -> Option<String> {
        let seats = self.verdict.have.iter().filter(|_| self.breaks_glass && self.verdict.is_met());
        let people: Vec<String> = seats.map(|seat| format!("{} ({})", seat.person, seat.reason)).collect();
        let people = people.join(", ");
        (!people.is_empty())
            .then(|| format!("BREAK GLASS: {people} overrode the windows and freezes of {} for {unit}", self.source))
    }
}

/// Judges all approvals that the clusters of some groups need. `reached` returns when it was the turn of the group of a rule.
pub(super) fn judged(
    policies: &Policies<'_>,
    subject: &Approvable<'_>,
    groups: &[GroupKey],
    reached: impl Fn(&Rule) -> Option<Timestamp>,
) -> Vec<Judged> {
    let judge = |index: usize, policy: &Policy<'_>, rule: Rule, group: Option<&GroupKey>| {
        let reached = reached(&rule);
        judge((index, policy), subject, rule, group, reached)
    };
    let mut found = Vec::new();
    for (index, policy) in policies.of(subject.unit, subject.placement) {
        for approval in &policy.spec.approvals {
            let rule = Rule::of(approval);
            if approval.before.is_empty() || policy.is_for_all_groups() {
                found.push(judge(index, policy, rule, None));
                continue;
            }
            for group in groups.iter().filter(|group| policy.selects_group(group) && names(&approval.before, group)) {
                let rule = Rule { group: Some(written(group)), ..rule.clone() };
                found.push(judge(index, policy, rule, Some(group)));
            }
        }
        if let Some(approval) = &policy.spec.break_glass {
            let rule = Rule { break_glass: true, ..Rule::of(approval) };
            found.push(judge(index, policy, rule, None));
        }
    }
    found
}

impl Policies<'_> {
    /// Judges all approvals that a rollout of some groups needs, before it is the turn of any of them.
    pub fn needed(&self, subject: &Approvable<'_>, groups: &[GroupKey]) -> Vec<Judged> {
        judged(self, subject, groups, |_| None)
    }
}

fn judge(
    (index, policy): (usize, &Policy<'_>),
    subject: &Approvable<'_>,
    rule: Rule,
    group: Option<&GroupKey>,
    reached: Option<Timestamp>,
) -> Judged {
    let Approvable { unit, digest, instance, approvals, judges, now, .. } = *subject;
    let judged = Subject {
        addon: unit.clone(),
        digest: digest.clone(),
        group: rule.group.clone(),
        instance: instance.clone(),
        authors: judges.authors().clone(),
        earlier: judges.earlier().clone(),
        change: judges.change().cloned(),
        replaced: approvals.replaced(unit, digest),
        reached,
    };
    Judged {
        source: policy.source.clone(),
        policy: index,
        group: group.cloned(),
        at_its_turn: rule.after == tidegate_consent::After::Reached,
        breaks_glass: rule.break_glass,
        reached,
        selects_clusters: policy.selects_some_clusters(),
        verdict: tidegate_consent::judge(&rule, &judges.people().fact, approvals, &judged, now),
    }
}
