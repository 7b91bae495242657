//! A scenario: one of the states that a decision made between two observations may have been based on.

use std::collections::{BTreeMap, BTreeSet};

use super::configs::Configs;
use super::declared::{Declared, DeclaredPlacement};
use super::groups::{self, GroupId, Groups};
use super::progress::{Progress, was_late};
use super::snapshot::Snapshot;
use super::strategy::Strategy;
use tidegate_model::name::{AddonName, ClusterName, NamespacedName};
use tidegate_model::time::Timestamp;

/// What happened to one add-on between two observations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) addon: &'a AddonName,
    pub(super) before: &'a Snapshot,
    pub(super) after: &'a Snapshot,
    /// The clusters that were started.
    pub(super) started: &'a BTreeSet<&'a ClusterName>,
    /// The latest time at which they may have been started.
    pub(super) until: Timestamp,
}

/// The groups of each placement of an add-on, at one moment.
type AllGroups<'a> = BTreeMap<&'a NamespacedName, Option<Groups>>;

/// A combination of declaration and selection that may have been in force.
pub(super) struct Scenario<'a> {
    span: Span<'a>,
    pub(super) declared: &'a Declared,
    groups: &'a AllGroups<'a>,
    /// Each cluster with the last placement that selects it.
    owners: BTreeMap<&'a ClusterName, usize>,
}

/// The state of a cluster. Doubts count in favor of what was done.
#[derive(Default)]
pub(super) struct Standing {
    pub(super) may_be_through: bool,
    pub(super) may_have_failed: bool,
    pub(super) must_have_failed: bool,
    /// It failed, or succeeded only after its deadline, which counts as a failure in a mandatory group.
    pub(super) must_have_failed_or_been_late: bool,
    pub(super) must_be_in_flight: bool,
}

/// The selections from which the scenarios of an add-on are built.
pub(super) struct Selections<'a> {
    before: AllGroups<'a>,
    after: AllGroups<'a>,
}

impl<'a> Selections<'a> {
    /// Reads which clusters were selected before and after.
    pub(super) fn of(addon: &AddonName, before: &'a Snapshot, after: &'a Snapshot) -> Self {
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
        let declared = [span.before, span.after].into_iter().filter_map(|snapshot| snapshot.addons.get(span.addon));
        declared
            .flat_map(|declared| [&self.after, &self.before].map(|groups| Scenario::new(span, declared, groups)))
            .collect()
    }
}

impl<'a> Scenario<'a> {
    fn new(span: Span<'a>, declared: &'a Declared, groups: &'a AllGroups<'a>) -> Self {
        let mut owners = BTreeMap::new();
        for (index, placement) in declared.placements.iter().flatten().enumerate() {
            let groups = groups.get(&placement.name).and_then(Option::as_ref);
            owners.extend(groups.into_iter().flatten().flat_map(|(_, clusters)| clusters).map(|name| (name, index)));
        }
        Self { span, declared, groups, owners }
    }

    pub(super) fn addon(&self) -> &'a AddonName {
        self.span.addon
    }

    /// Returns `true` if all selections can be read.
    pub(super) fn is_known(&self) -> bool {
        let is_known = |placement: &DeclaredPlacement| self.groups.get(&placement.name).is_some_and(Option::is_some);
        self.declared.placements.iter().flatten().all(is_known)
    }

    /// Returns the placement that a cluster belongs to.
    pub(super) fn owner(&self, cluster: &ClusterName) -> Option<usize> {
        self.owners.get(cluster).copied()
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

    /// Returns the state of a cluster of a placement. A fact that forbids other starts must hold both before and after; a
    /// fact that permits them, before or after.
    pub(super) fn standing(&self, placement: usize, strategy: &Strategy, cluster: &ClusterName) -> Standing {
        let Span { addon, before, after, started, until } = self.span;
        let [wanted_before, wanted_after] = self.desired(Some(placement), cluster);
        let (addon_before, addon_after) = (before.on_cluster(addon, cluster), after.on_cluster(addon, cluster));
        let is_foreign = [(before, addon_before), (after, addon_after)]
            .iter()
            .any(|(snapshot, addon)| addon.is_some_and(|addon| snapshot.is_foreign(addon)));
        if is_foreign {
            // Its progress is that of another instance, and permits whatever this one does.
            return Standing { may_be_through: true, may_have_failed: true, ..Standing::default() };
        }
        let was = Progress::of(addon_before, &wanted_before);
        let is = Progress::of(addon_after, &wanted_after);
        let both = [was, is];
        let must_be_held_against = |(progress, addon): (&Progress, _)| {
            let is_late = *progress != Progress::NotStarted && was_late(addon, strategy);
            is_late || progress.must_have_failed(strategy, before.now)
        };
        let was_in_flight = started.contains(cluster) || was.must_be_in_flight(strategy, until);
        Standing {
            may_be_through: both.iter().any(|progress| progress.may_be_through(strategy, until)),
            may_have_failed: both.iter().any(|progress| progress.may_have_failed(strategy, until)),
            must_have_failed: both.iter().all(|progress| progress.must_have_failed(strategy, before.now)),
            must_have_failed_or_been_late: both.iter().zip([addon_before, addon_after]).all(must_be_held_against),
            must_be_in_flight: was_in_flight && is.must_be_in_flight(strategy, until),
        }
    }
}
