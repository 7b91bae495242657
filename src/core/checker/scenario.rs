//! A scenario: one of the states that a decision made between two observations may have been based on.

use std::collections::{BTreeMap, BTreeSet};

use super::configs::Configs;
use super::declared::{Declared, DeclaredPlacement};
use super::gates::{Joins, Policy, on_failure};
use super::groups::{self, BY_HAND, GroupId};
use super::owners::{AllGroups, Owners};
use super::snapshot::Snapshot;
use super::strategy::Strategy;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::time::Timestamp;

/// What happened to one add-on between two observations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) addon: &'a UnitName,
    pub(super) before: &'a Snapshot,
    pub(super) after: &'a Snapshot,
    /// The clusters that were started.
    pub(super) started: &'a BTreeSet<&'a ClusterName>,
    /// The latest time at which they may have been started.
    pub(super) until: Timestamp,
    /// Who joined in the middle of a rollout.
    pub(super) joins: &'a Joins,
}

impl Span<'_> {
    /// Returns `true` if another instance owns an add-on on a cluster, before or after.
    pub(super) fn is_foreign(&self, addon: &UnitName, cluster: &ClusterName) -> bool {
        [self.before, self.after].into_iter().any(|snapshot| {
            snapshot.on_cluster(addon, cluster).is_some_and(|on_cluster| snapshot.is_foreign(on_cluster))
        })
    }
}

/// A combination of declaration and selection that may have been in force.
pub(super) struct Scenario<'a> {
    pub(super) span: Span<'a>,
    /// The observation whose declaration, policies and control files are in force.
    pub(super) declaring: &'a Snapshot,
    pub(super) declared: &'a Declared,
    pub(super) groups: &'a AllGroups<'a>,
    /// Each cluster with the placement that it belongs to, and its first group there.
    pub(super) owners: BTreeMap<&'a ClusterName, (usize, &'a GroupId)>,
    /// The clusters that several placements select, where that keeps them from starting. They belong to none.
    pub(super) contested: BTreeSet<&'a ClusterName>,
    /// The policies about each placement; the last entry is about clusters chosen by hand.
    pub(super) policies: Vec<Vec<&'a Policy>>,
}

/// The state of a cluster. Doubts count in favor of what was done.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    pub(super) may_be_through: bool,
    pub(super) may_have_failed: bool,
    pub(super) must_have_failed: bool,
    /// It failed, or succeeded only after its deadline, which counts as a failure in a mandatory group.
    pub(super) must_have_failed_or_been_late: bool,
    pub(super) must_be_in_flight: bool,
    /// It may have taken a slot before anything was started.
    pub(super) may_have_been_underway: bool,
}

impl Standing {
    /// Returns the state of a cluster that is held against no one.
    pub(super) fn harmless() -> Self {
        Self { may_be_through: true, may_have_failed: true, ..Self::default() }
    }

    /// Adds another reading of the same cluster.
    pub(super) fn or(&mut self, other: &Self) {
        self.may_be_through |= other.may_be_through;
        self.may_have_failed |= other.may_have_failed;
        self.must_have_failed &= other.must_have_failed;
        self.must_have_failed_or_been_late &= other.must_have_failed_or_been_late;
        self.must_be_in_flight &= other.must_be_in_flight;
        self.may_have_been_underway |= other.may_have_been_underway;
    }
}

/// The selections from which the scenarios of an add-on are built.
pub(super) struct Selections<'a> {
    before: AllGroups<'a>,
    after: AllGroups<'a>,
}

impl<'a> Selections<'a> {
    /// Reads which clusters were selected before and after.
    pub(super) fn of(addon: &UnitName, before: &'a Snapshot, after: &'a Snapshot) -> Self {
        let placements = || {
            let declared = [before, after].into_iter().filter_map(|snapshot| snapshot.addons.get(addon));
            declared.flat_map(|declared| declared.placements.iter().flatten()).map(|placement| &placement.name)
        };
        Self {
            before: groups::decided(&before.fleet, placements()),
            after: groups::decided(&after.fleet, placements()),
        }
    }

    /// Returns all possible scenarios, the likeliest first: a plan is based on what was declared before, and writes its
    /// selection down at once.
    pub(super) fn scenarios(&'a self, span: Span<'a>) -> Vec<Scenario<'a>> {
        [span.before, span.after].into_iter().flat_map(|declaring| self.under(span, declaring)).collect()
    }

    /// Returns the scenarios with the declaration of an observation.
    pub(super) fn under(&'a self, span: Span<'a>, declaring: &'a Snapshot) -> Vec<Scenario<'a>> {
        let Some(declared) = declaring.addons.get(span.addon) else { return Vec::new() };
        [&self.after, &self.before].map(|groups| Scenario::new(span, (declaring, declared), groups)).into()
    }
}

impl<'a> Scenario<'a> {
    fn new(span: Span<'a>, (declaring, declared): (&'a Snapshot, &'a Declared), groups: &'a AllGroups<'a>) -> Self {
        let Owners { owners, contested } = Owners::of(declared, groups);
        let about = |placement: Option<&NamespacedName>| {
            let all = declaring.policies.iter();
            all.filter(|policy| policy.is_about_placement(span.addon, placement)).collect()
        };
        let placements = declared.placements.iter().flatten().map(|placement| Some(&placement.name));
        let policies = placements.chain([None]).map(about).collect();
        Self { span, declaring, declared, groups, owners, contested, policies }
    }

    pub(super) fn span(&self) -> &Span<'a> {
        &self.span
    }

    pub(super) fn addon(&self) -> &'a UnitName {
        self.span.addon
    }

    /// Returns `true` if all selections can be read.
    pub(super) fn is_known(&self) -> bool {
        let is_known = |placement: &DeclaredPlacement| self.groups.get(&placement.name).is_some_and(Option::is_some);
        self.declared.placements.iter().flatten().all(is_known)
    }

    /// Returns the placement that a cluster belongs to.
    pub(super) fn owner(&self, cluster: &ClusterName) -> Option<usize> {
        self.owners.get(cluster).map(|(owner, _)| *owner)
    }

    /// Returns the group of a cluster.
    pub(super) fn group(&self, cluster: &ClusterName) -> &'a GroupId {
        self.owners.get(cluster).map_or(&BY_HAND, |(_, group)| *group)
    }

    /// Returns the policies about a placement, or about clusters chosen by hand.
    pub(super) fn policies_of(&self, placement: Option<usize>) -> &[&'a Policy] {
        let policies = placement.map_or(self.policies.last(), |index| self.policies.get(index));
        policies.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the clusters of a placement with their groups.
    pub(super) fn members(&self, placement: Option<usize>) -> Vec<(&'a ClusterName, &'a GroupId)> {
        let own = self.owners.iter().filter(|(_, (owner, _))| Some(*owner) == placement);
        own.map(|(name, (_, group))| (*name, *group)).collect()
    }

    /// Returns the strategy by which the clusters of a placement start; `None` if it cannot be read.
    pub(super) fn strategy(&self, placement: usize) -> Option<Strategy> {
        let declared = self.placement(placement)?;
        let strategy = declared.strategy.as_ref()?;
        if !self.declared.rolls_back {
            return Some(strategy.clone());
        }
        let on_failure = on_failure(self.policies_of(Some(placement)));
        strategy.rolled_back(on_failure.and_then(|on_failure| on_failure.max_concurrency.as_ref()))
    }

    pub(super) fn placement(&self, index: usize) -> Option<&'a DeclaredPlacement> {
        self.declared.placements.as_ref()?.get(index)
    }

    /// Returns the groups of a placement, with the clusters that belong to it.
    pub(super) fn groups_of(&self, index: usize) -> BTreeMap<&'a GroupId, BTreeSet<&'a ClusterName>> {
        let groups = self.placement(index).and_then(|placement| self.groups.get(&placement.name)?.as_ref());
        let own = |clusters: &'a BTreeSet<ClusterName>| {
            clusters.iter().filter(|cluster| self.owner(cluster) == Some(index)).collect()
        };
        groups.into_iter().flatten().map(|(group, clusters)| (group, own(clusters))).collect()
    }

    /// Returns the configurations a cluster should have, by its own layer as observed before and as observed after.
    pub(super) fn desired(&self, placement: Option<usize>, cluster: &ClusterName) -> [Configs; 2] {
        let placement = placement.and_then(|index| self.placement(index));
        [self.span.before, self.span.after]
            .map(|snapshot| self.declared.desired(placement, cluster, snapshot.on_cluster(self.span.addon, cluster)))
    }
}
