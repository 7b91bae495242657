//! One placement between two observations: its groups in rollout order, and the progress of each.

use std::collections::{BTreeMap, BTreeSet};

use super::groups::GroupId;
use super::scenario::Scenario;
use super::strategy::{Pace, Strategy};
use super::violation::Violation;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};

/// A placement with its groups.
pub(super) struct PlacementState<'a> {
    addon: &'a UnitName,
    placement: &'a NamespacedName,
    strategy: Strategy,
    tolerates_failures: bool,
    /// The clusters that count for nothing.
    ignored: BTreeSet<&'a ClusterName>,
    /// The mandatory groups in order, then the others in order.
    stages: Vec<Stage<'a>>,
    seats: BTreeMap<&'a ClusterName, usize>,
    in_flight: usize,
}

/// One group of a placement.
struct Stage<'a> {
    group: &'a GroupId,
    is_mandatory: bool,
    size: usize,
    /// Clusters that failed or ran out of time; in a mandatory group, also those that succeeded only after their
    /// deadline.
    failed: usize,
    /// Clusters that have not yet succeeded and soaked.
    not_through: usize,
    /// Clusters that have neither succeeded and soaked nor failed.
    not_over: usize,
}

impl<'a> PlacementState<'a> {
    /// Returns the states of all placements; `None` for one whose strategy cannot be read.
    pub(super) fn all(scenario: &Scenario<'a>) -> Vec<Option<Self>> {
        (0..scenario.declared.placements.as_ref().map_or(0, Vec::len)).map(|index| Self::of(scenario, index)).collect()
    }

    /// Builds the state of a placement; `None` if its strategy cannot be read.
    fn of(scenario: &Scenario<'a>, placement: usize) -> Option<Self> {
        let declared = scenario.placement(placement)?;
        let strategy = scenario.strategy(placement)?;
        let groups = scenario.groups_of(placement);
        let is_mandatory = |group: &GroupId| strategy.mandatory.iter().any(|entry| group.is_meant_by(entry));
        let (mandatory, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(group, _)| is_mandatory(group));
        let mut state = Self {
            addon: scenario.addon(),
            placement: &declared.name,
            strategy: strategy.clone(),
            tolerates_failures: scenario.tolerates_failures(placement),
            ignored: BTreeSet::new(),
            stages: Vec::new(),
            seats: BTreeMap::new(),
            in_flight: 0,
        };
        for (group, clusters) in mandatory.into_iter().chain(others) {
            let is_mandatory = is_mandatory(group);
            state.stages.push(Stage { group, is_mandatory, size: 0, failed: 0, not_through: 0, not_over: 0 });
            state.seat(clusters, scenario, placement);
        }
        Some(state)
    }

    /// Adds clusters to the last stage. A cluster already in an earlier stage stays there.
    fn seat(&mut self, clusters: BTreeSet<&'a ClusterName>, scenario: &Scenario<'a>, placement: usize) {
        let place = self.stages.len().saturating_sub(1);
        let Some(stage) = self.stages.last_mut() else { return };
        for cluster in clusters {
            if self.seats.contains_key(cluster) {
                continue;
            }
            self.seats.insert(cluster, place);
            if scenario.is_ignored(cluster) {
                self.ignored.insert(cluster);
            }
            let standing = scenario.standing(Some(placement), stage.group, &self.strategy, cluster);
            stage.size += 1;
            let is_failure =
                if stage.is_mandatory { standing.must_have_failed_or_been_late } else { standing.must_have_failed };
            stage.failed += usize::from(is_failure);
            stage.not_through += usize::from(!standing.may_be_through);
            stage.not_over += usize::from(!standing.may_be_through && !standing.may_have_failed);
            self.in_flight += usize::from(standing.must_be_in_flight);
        }
    }

    /// Returns the number of clusters, and how many of them have not yet succeeded and soaked.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.seats.len(), self.stages.iter().map(|stage| stage.not_through).sum())
    }

    /// Returns how many clusters have neither succeeded and soaked nor failed.
    pub(super) fn not_over(&self) -> usize {
        self.stages.iter().map(|stage| stage.not_over).sum()
    }

    /// Returns the rules that the start of a cluster breaks.
    pub(super) fn violations(&self, cluster: &ClusterName) -> Vec<Violation> {
        let Some(own) = self.seats.get(cluster).and_then(|place| Some((*place, self.stages.get(*place)?))) else {
            return Vec::new();
        };
        if self.ignored.contains(cluster) {
            // It takes no slot and no budget.
            return self.groups_ahead(cluster, own).collect();
        }
        let mut found = self.missing_groups(cluster);
        found.extend(self.spent_budgets(cluster).into_iter().filter(|_| !self.tolerates_failures));
        found.extend(self.groups_ahead(cluster, own));
        found.extend(self.too_many(cluster, own.1));
        found
    }

    fn missing_groups(&self, cluster: &ClusterName) -> Vec<Violation> {
        let has_clusters = |entry| {
            self.stages.iter().any(|stage| stage.is_mandatory && stage.size > 0 && stage.group.is_meant_by(entry))
        };
        let missing = self.strategy.mandatory.iter().filter(|entry| !has_clusters(entry));
        missing
            .map(|entry| Violation::MandatoryGroupMissing {
                addon: self.addon.clone(),
                placement: self.placement.clone(),
                cluster: cluster.clone(),
                group: match entry.group_name.as_str() {
                    "" => format!("group {}", entry.group_index),
                    name => format!("group {name:?}"),
                },
            })
            .collect()
    }

    fn spent_budgets(&self, cluster: &ClusterName) -> Vec<Violation> {
        let spent = |group: Option<&GroupId>, failed, allowed| {
            (failed > allowed).then(|| Violation::BudgetSpent {
                addon: self.addon.clone(),
                placement: self.placement.clone(),
                cluster: cluster.clone(),
                group: group.map(ToString::to_string),
                failed,
                allowed,
            })
        };
        let by_group = self.strategy.pace == Pace::PerGroup;
        let of_groups = self.stages.iter().filter(|stage| stage.is_mandatory || by_group).filter_map(|stage| {
            let allowed = if stage.is_mandatory { 0 } else { self.strategy.failures_of(stage.size) };
            spent(Some(stage.group), stage.failed, allowed)
        });
        let failed = self.stages.iter().map(|stage| stage.failed).sum();
        let of_all = || spent(None, failed, self.strategy.failures_of(self.seats.len()));
        of_groups.chain((!by_group).then(of_all).flatten()).collect()
    }

    fn groups_ahead(&self, cluster: &ClusterName, own: (usize, &Stage<'_>)) -> impl Iterator<Item = Violation> {
        let ahead =
            self.stages.iter().take(own.0).filter(|stage| stage.is_mandatory || self.strategy.pace == Pace::PerGroup);
        let unfinished = |stage: &Stage<'_>| {
            if stage.is_mandatory && !self.tolerates_failures { stage.not_through } else { stage.not_over }
        };
        ahead.filter(move |stage| unfinished(stage) > 0).map(move |stage| Violation::GroupNotThrough {
            addon: self.addon.clone(),
            placement: self.placement.clone(),
            cluster: cluster.clone(),
            ahead: stage.group.to_string(),
            is_mandatory: stage.is_mandatory,
            unfinished: unfinished(stage),
        })
    }

    fn too_many(&self, cluster: &ClusterName, own: &Stage<'_>) -> Option<Violation> {
        let rest = self.stages.iter().filter(|stage| !stage.is_mandatory).map(|stage| stage.size);
        let scope = if own.is_mandatory { own.size } else { rest.sum() };
        let allowed = self.strategy.concurrency_of(scope)?;
        (self.in_flight > allowed).then(|| Violation::TooManyInFlight {
            addon: self.addon.clone(),
            placement: self.placement.clone(),
            cluster: cluster.clone(),
            in_flight: self.in_flight,
            allowed,
        })
    }
}
