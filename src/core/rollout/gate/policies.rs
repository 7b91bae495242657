//! RolloutPolicies in the form in which they are evaluated.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::calendar::{Closure, Opening};
use super::checks::Check;
use super::problems;
use crate::GroupKey;
use crate::placement::Selector;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::{PolicySet, RolloutPolicy, RolloutPolicySpec};
use tidegate_consent::{Judges, Operator, RulesVoucher};
use tidegate_model::glob;
use tidegate_model::name::{NamespacedName, UnitName};

/// The policies that are in force.
#[derive(Default)]
pub struct Policies<'a>(pub(super) Vec<Policy<'a>>);

/// One policy.
pub(super) struct Policy<'a> {
    /// Its name for messages, such as `RolloutPolicy production`.
    pub(super) source: String,
    pub(super) spec: &'a RolloutPolicySpec,
    /// The change that it judges; `None` if it is a policy of the revision, for all units.
    change: Option<Judging<'a>>,
    /// The clusters that it selects; `None` for all.
    clusters: Option<Selector<'a>>,
    pub(super) windows: Vec<Period<'a, Opening>>,
    pub(super) freezes: Vec<Period<'a, Closure>>,
    pub(super) checks: Vec<Check>,
    /// Why it cannot be evaluated: then nothing that it selects starts.
    pub(super) fault: Option<String>,
}

/// The change that a policy judges which was in force before it.
#[derive(Clone, Copy)]
struct Judging<'a> {
    unit: &'a UnitName,
    judges: &'a Judges,
}

/// A window or freeze of a policy.
pub(super) struct Period<'a, T> {
    pub(super) name: &'a str,
    pub(super) period: T,
}

impl<'a> Policies<'a> {
    /// Prepares policies for evaluation: those of a revision, and for each unit those that were in force before its last change. One that
    /// cannot be evaluated closes everything that it selects.
    ///
    /// If the change also changed what policies select by, those before it are evaluated even if the revision still has them: what they
    /// selected before is not known from the groups after it.
    pub fn new(policies: &'a PolicySet, judges: &'a BTreeMap<UnitName, Judges>) -> Self {
        let mut all: Vec<_> = policies.iter().map(|(name, policy)| Policy::new(name, &policy.spec)).collect();
        for (unit, judges) in judges {
            let mut known: Vec<(&String, &Arc<RolloutPolicy>)> =
                if judges.is_moved() { Vec::new() } else { policies.iter().collect() };
            if judges.rules().iter().any(|rules| rules.by == RulesVoucher::Nobody) {
                all.push(Policy { change: Some(Judging { unit, judges }), ..Policy::unknown() });
            }
            for (name, policy) in judges.rules().iter().flat_map(|rules| &rules.fact.policies) {
                if known.contains(&(name, policy)) {
                    continue;
                }
                known.push((name, policy));
                let policy = Policy::new(name, &policy.spec);
                let source = format!("{} as it was before the change", policy.source);
                all.push(Policy { change: Some(Judging { unit, judges }), source, ..policy });
            }
        }
        Self(all)
    }

    /// Adds the policies in the daemon's own file, which no repository can loosen.
    #[must_use]
    pub fn with(mut self, operator: &'a Operator) -> Self {
        self.0.extend(operator.policies.iter().map(|(name, policy)| {
            let policy = Policy::new(name, &policy.spec);
            Policy { source: format!("{} of the daemon's file", policy.source), ..policy }
        }));
        self
    }

    /// Returns `true` if there are no policies.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the policies that may apply to a placement of a unit.
    pub(super) fn of<'s>(
        &'s self,
        unit: &'s UnitName,
        placement: Option<&'s NamespacedName>,
    ) -> impl Iterator<Item = (usize, &'s Policy<'a>)> {
        self.0.iter().enumerate().filter(move |(_, policy)| policy.selects(unit, placement))
    }
}

impl<'a> Policy<'a> {
    fn new(name: &str, spec: &'a RolloutPolicySpec) -> Self {
        let mut faults = Vec::new();
        let clusters = spec.selector.clusters.as_ref().map(Selector::labels).transpose();
        let clusters = clusters.unwrap_or_else(|why| {
            faults.push(why);
            None
        });
        let (mut windows, mut freezes) = (Vec::new(), Vec::new());
        for window in &spec.windows {
            match Opening::read(window) {
                Ok(period) => windows.push(Period { name: &window.name, period }),
                Err((field, why)) => faults.push(format!("window {:?}: {field}: {why}", window.name)),
            }
        }
        for freeze in &spec.freezes {
            match Closure::read(freeze) {
                Ok(period) => freezes.push(Period { name: &freeze.name, period }),
                Err((field, why)) => faults.push(format!("freeze {:?}: {field}: {why}", freeze.name)),
            }
        }
        let mut problems = Vec::new();
        let checks = problems::checks(spec, &mut problems);
        faults.extend(problems.into_iter().map(|(_, why)| why));
        let (fault, source) = (faults.into_iter().next(), format!("RolloutPolicy {name}"));
        Self { source, spec, change: None, clusters, windows, freezes, checks, fault }
    }

    /// Returns the policy of a change whose earlier policies no one vouches for: nothing starts.
    fn unknown() -> Self {
        static NOTHING: LazyLock<RolloutPolicySpec> = LazyLock::new(RolloutPolicySpec::default);
        let why = "the revision before the change, whose rules judge it, is no longer available; push it again to the repository";
        Self {
            source: "the rules before the change".to_owned(),
            fault: Some(why.to_owned()),
            ..Self::new("", &NOTHING)
        }
    }

    /// Returns `true` if the policy may apply to a placement of a unit; `None` represents clusters chosen by hand.
    pub(super) fn selects(&self, unit: &UnitName, placement: Option<&NamespacedName>) -> bool {
        let selector = &self.spec.selector;
        let is_placed = || placement.is_some_and(|placement| is_among(&selector.placements, &placement.to_string()));
        self.selects_unit(unit) && (selector.placements.is_empty() || self.is_for_all_groups() || is_placed())
    }

    /// Returns `true` for a policy as it was before the change of a unit.
    pub(super) fn is_earlier(&self) -> bool {
        self.change.is_some()
    }

    /// Returns `true` if the policy applies to all groups and placements, because those before the change are gone.
    pub(super) fn is_for_all_groups(&self) -> bool {
        self.change.is_some_and(|change| change.judges.is_moved())
    }

    /// Returns `true` if the policy may apply to a unit, or to one whose objects it takes over.
    pub(super) fn selects_unit(&self, unit: &UnitName) -> bool {
        let globs = &self.spec.selector.add_ons;
        let is_named = |unit: &UnitName| globs.is_empty() || is_among(globs, unit.as_str());
        match self.change {
            None => is_named(unit),
            Some(change) if change.unit != unit => false,
            Some(Judging { judges, .. }) => {
                is_named(unit) || judges.has_unknown_predecessors() || judges.predecessors().iter().any(is_named)
            }
        }
    }

    /// Returns `true` if the policy applies to a decision group.
    pub(super) fn selects_group(&self, group: &GroupKey) -> bool {
        let globs = &self.spec.selector.groups;
        globs.is_empty() || self.is_for_all_groups() || is_among(globs, &written(group))
    }

    /// Returns `true` if the policy selects clusters by their labels.
    pub(super) fn selects_some_clusters(&self) -> bool {
        self.clusters.is_some()
    }

    /// Returns `true` if the policy applies to a cluster.
    pub(super) fn selects_cluster(&self, cluster: &ManagedCluster) -> bool {
        self.clusters.as_ref().is_none_or(|selector| selector.matches_labels(cluster))
    }
}

fn is_among(globs: &[String], name: &str) -> bool {
    globs.iter().any(|pattern| glob::matches(pattern, name))
}

/// Returns how people write a group in a policy: its name, or its index if it has none.
pub(super) fn written(group: &GroupKey) -> String {
    if group.name.is_empty() { group.index.to_string() } else { group.name.clone() }
}

/// Returns `true` if a list of groups is empty or contains a group.
pub(super) fn names(groups: &[String], group: &GroupKey) -> bool {
    groups.is_empty() || groups.contains(&written(group))
}

/// The labels of a cluster by key.
pub(super) fn label<'c>(cluster: &'c ManagedCluster, key: &str) -> &'c str {
    let labels: Option<&BTreeMap<String, String>> = cluster.metadata.labels.as_ref();
    labels.and_then(|labels| labels.get(key)).map_or("", String::as_str)
}
