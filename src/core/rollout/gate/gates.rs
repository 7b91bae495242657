//! The gates of a plan: asked about each cluster that the rollout engine would start.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::approvals::{self, Approvable, Judged};
use super::checks::{self, Checkable};
use super::counts::Counts;
use super::policies::{Policies, Policy};
use super::traffic::{Standing, Traffic};
use super::unreachable;
use crate::{Barrier, Gate, GroupKey};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::Scope;
use tidegate_consent::Rule;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::time::Timestamp;

/// The gates between the rollout engine and the clusters of all units.
pub struct Gates<'a> {
    pub(super) policies: Policies<'a>,
    pub(super) clusters: &'a BTreeMap<ClusterName, Arc<ManagedCluster>>,
    traffic: Traffic<'a>,
    /// By policy, then by limit.
    counts: Vec<Vec<Counts>>,
    pub(super) now: Timestamp,
}

/// The rollout of one placement of a unit, whose clusters may start.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'t> {
    /// The unit.
    pub unit: &'t UnitName,
    /// The Placement; `None` for clusters chosen by hand.
    pub placement: Option<&'t NamespacedName>,
    /// What holds all of its clusters, such as a pause.
    pub holds: &'t [Gate],
    /// The approvals that it needs.
    pub approvals: &'t [Judged],
    /// Whether its clusters return to the last good digest, which needs no approval, window, order or lock.
    pub rolls_back: bool,
    /// Whether this is a forecast, in which other units count as done.
    pub is_foreseen: bool,
    /// Its checks.
    pub checks: &'t checks::Judged,
    /// The units that a cluster must have, done and healthy, before it starts.
    pub requires: &'t BTreeSet<UnitName>,
}

impl<'a> Gates<'a> {
    /// Creates the gates of a plan. `traffic` says where all clusters stand before it.
    pub fn new(
        policies: Policies<'a>,
        clusters: &'a BTreeMap<ClusterName, Arc<ManagedCluster>>,
        traffic: Traffic<'a>,
        now: Timestamp,
    ) -> Self {
        let of_policy = |policy: &Policy<'_>| {
            let limits = policy.spec.limits.iter();
            limits.map(|limit| Counts::new(policy, limit, &traffic, clusters, now)).collect()
        };
        let counts = policies.0.iter().map(of_policy).collect();
        Self { policies, clusters, traffic, counts, now }
    }

    /// Judges the approvals that the clusters of some groups need. `reached` returns when it was the turn of the group of a rule.
    pub fn judged(
        &self,
        subject: &Approvable<'_>,
        groups: &[GroupKey],
        reached: impl Fn(&Rule) -> Option<Timestamp>,
    ) -> Vec<Judged> {
        approvals::judged(&self.policies, subject, groups, reached)
    }

    /// Returns `true` if a policy has checks for a placement.
    pub fn has_checks(&self, unit: &UnitName, placement: Option<&NamespacedName>) -> bool {
        self.policies.of(unit, placement).any(|(_, policy)| !policy.checks.is_empty())
    }

    /// Judges the checks of a placement.
    pub fn checked(&self, subject: &Checkable<'_>) -> checks::Judged {
        checks::judged(&self.policies, subject)
    }

    /// Returns the gate that keeps a cluster from starting. Without one, it starts, and is counted.
    pub fn admit(&mut self, turn: &Turn<'_>, name: &ClusterName, group: &GroupKey) -> Option<Gate> {
        if let Some(hold) = turn.holds.first() {
            return Some(hold.clone());
        }
        // The engine decides only about clusters that the hub has.
        let (name, cluster) = self.clusters.get_key_value(name)?;
        let policies = || self.policies.of(turn.unit, turn.placement);
        let applies = |policy: &Policy<'_>| policy.selects_group(group) && policy.selects_cluster(cluster);
        for (_, policy) in policies() {
            if let Some(why) = &policy.fault {
                return Some(gate(policy, Barrier::Unreadable { why: why.clone() }));
            }
        }
        if let Some(barrier) = self.required(turn, name) {
            return Some(Gate { source: format!("required by {}", turn.unit), barrier });
        }
        for (index, policy) in policies().filter(|(_, policy)| applies(policy) && !turn.rolls_back) {
            if let Some(gate) = approval(turn, index, group) {
                return Some(gate);
            }
            let closed = if breaks_glass(turn, index) { None } else { self.calendar(policy) };
            let closed = closed
                .or_else(|| self.order(policy, turn, name).filter(|_| !turn.is_foreseen))
                .or_else(|| self.lock(policy, turn).filter(|_| !turn.is_foreseen))
                .or_else(|| unreachable::returned(policy, cluster, self.now));
            if let Some(barrier) = closed {
                return Some(gate(policy, barrier));
            }
        }
        for (index, policy) in policies().filter(|(_, policy)| policy.selects_cluster(cluster)) {
            if !turn.is_foreseen
                && !turn.rolls_back
                && let Some(gate) = turn.checks.gate(index, policy, group)
            {
                return Some(gate);
            }
        }
        let others: Vec<&UnitName> = self.traffic.others_on(name, turn.unit).collect();
        for (index, policy) in policies().filter(|(_, policy)| applies(policy)) {
            // Only the units that the policy selects count.
            let others: Vec<_> = others.iter().copied().filter(|unit| policy.selects_unit(unit)).collect();
            let counts = self.counts.get(index).into_iter().flatten();
            let closed = policy
                .spec
                .limits
                .iter()
                .zip(counts)
                .find_map(|(limit, counts)| counts.barrier(limit, (name, cluster), &others));
            if let Some(barrier) = closed {
                return Some(gate(policy, barrier));
            }
        }
        self.start(turn.unit, name, cluster);
        None
    }

    /// Continues to a later moment.
    pub(super) fn advance(&mut self, now: Timestamp) {
        if self.now != now {
            self.now = now;
            self.counts.iter_mut().flatten().for_each(|counts| counts.forget(now));
        }
    }

    /// Records that a unit is no longer under way on a cluster.
    pub(super) fn finish(&mut self, unit: &UnitName, name: &ClusterName) {
        let Some((name, cluster)) = self.clusters.get_key_value(name) else { return };
        if let Some(traffic) = self.traffic.0.get_mut(unit) {
            traffic.clusters.insert(name, Standing::Done);
        }
        if self.traffic.others_on(name, unit).next().is_some() {
            return;
        }
        for (policy, counts) in self.policies.0.iter().zip(&mut self.counts) {
            policy.spec.limits.iter().zip(counts).for_each(|(limit, counts)| counts.finish(limit, name, cluster));
        }
    }

    /// Counts a cluster that starts.
    fn start(&mut self, unit: &UnitName, name: &'a ClusterName, cluster: &ManagedCluster) {
        for (policy, counts) in self.policies.0.iter().zip(&mut self.counts) {
            if policy.selects_unit(unit) && policy.selects_cluster(cluster) {
                let limits = policy.spec.limits.iter().zip(counts);
                limits.for_each(|(limit, counts)| counts.start(limit, name, cluster, self.now));
            }
        }
        if let Some(traffic) = self.traffic.0.get_mut(unit) {
            traffic.clusters.insert(name, Standing::Underway);
        }
    }

    fn calendar(&self, policy: &Policy<'_>) -> Option<Barrier> {
        let frozen = policy.freezes.iter().filter_map(|freeze| Some((freeze.period.ends(self.now)?, freeze.name)));
        if let Some((ends, name)) = frozen.max() {
            return Some(Barrier::Freeze { name: name.to_owned(), ends });
        }
        let windows = &policy.windows;
        if windows.is_empty() || windows.iter().any(|window| window.period.closes(self.now).is_some()) {
            return None;
        }
        let opens = windows.iter().filter_map(|window| Some((window.period.opens(self.now)?, window.name))).min();
        let first = windows.first().map_or("", |window| window.name);
        let (opens, name) = opens.map_or((None, first), |(opens, name)| (Some(opens), name));
        Some(Barrier::Window { name: name.to_owned(), opens })
    }

    /// Returns what holds a cluster whose required units are not all done and healthy there. A forecast foresees that they are.
    fn required(&self, turn: &Turn<'_>, name: &ClusterName) -> Option<Barrier> {
        let mut open = turn.requires.iter().filter(|_| !turn.rolls_back && !turn.is_foreseen).filter_map(|unit| {
            let traffic = self.traffic.0.get(unit).filter(|traffic| traffic.is_known);
            let standing = traffic.map(|traffic| traffic.clusters.get(name));
            let is_selected = standing != Some(None);
            (standing != Some(Some(&Standing::Done))).then(|| Barrier::Requires { unit: unit.clone(), is_selected })
        });
        open.next()
    }

    fn order(&self, policy: &Policy<'_>, turn: &Turn<'_>, name: &ClusterName) -> Option<Barrier> {
        let others = policy.spec.order.iter().filter(|dependency| dependency.after != turn.unit.as_str());
        let mut closed = others.filter(|dependency| {
            let mut known = self.traffic.0.iter().filter(|(_, traffic)| traffic.is_known);
            let Some((_, traffic)) = known.find(|(unit, _)| unit.as_str() == dependency.after) else { return true };
            match dependency.scope {
                Scope::Cluster => traffic.clusters.get(name).is_some_and(|standing| *standing != Standing::Done),
                Scope::Fleet => {
                    traffic.clusters.values().any(|standing| !matches!(standing, Standing::Done | Standing::Aside))
                }
            }
        });
        let dependency = closed.next()?;
        let scope = match dependency.scope {
            Scope::Cluster => "on this cluster",
            Scope::Fleet => "on all clusters",
        };
        Some(Barrier::After { addon: dependency.after.clone(), scope })
    }

    fn lock(&self, policy: &Policy<'_>, turn: &Turn<'_>) -> Option<Barrier> {
        policy.spec.locks.iter().find_map(|lock| {
            let shares = |unit: &UnitName| {
                let policies = self.policies.0.iter();
                policies.filter(|policy| policy.spec.locks.contains(lock)).any(|policy| policy.selects_unit(unit))
            };
            let mut others = self.traffic.0.keys().filter(|unit| ***unit != *turn.unit && shares(unit));
            let holder = others.find(|unit| self.traffic.is_underway(unit))?;
            Some(Barrier::Lock { name: lock.clone(), holder: holder.to_string() })
        })
    }
}

/// Returns the gate of an approval that a group needs and does not have.
fn approval(turn: &Turn<'_>, policy: usize, group: &GroupKey) -> Option<Gate> {
    let of_policy = turn.approvals.iter().filter(|judged| judged.policy == policy);
    let mut needed = of_policy.filter(|judged| judged.group.as_ref().is_none_or(|needed| needed == group));
    needed.find_map(Judged::gate)
}

/// Returns `true` if an approval overrides the windows and freezes of a policy.
fn breaks_glass(turn: &Turn<'_>, policy: usize) -> bool {
    let mut of_policy = turn.approvals.iter().filter(|judged| judged.policy == policy && judged.breaks_glass);
    of_policy.any(|judged| judged.verdict.is_met())
}

/// Returns a gate of a policy.
pub(super) fn gate(policy: &Policy<'_>, barrier: Barrier) -> Gate {
    Gate { source: policy.source.clone(), barrier }
}
