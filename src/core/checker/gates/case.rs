//! One start, with what it is judged by.

use std::collections::{BTreeMap, BTreeSet};

use super::bar::Bar;
use super::policies::Policy;
use super::traffic::Traffic;
use crate::groups::GroupId;
use crate::scenario::Scenario;
use crate::snapshot::Snapshot;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;

/// What starts are judged by, besides their scenario.
pub(crate) struct Judging<'a> {
    /// Where all clusters stand, under the declaration before and under the one after.
    pub(crate) traffic: [Traffic; 2],
    /// The clusters that were started, by add-on.
    pub(crate) started: &'a BTreeMap<&'a UnitName, BTreeSet<&'a ClusterName>>,
}

/// One start in one scenario.
pub(super) struct Case<'c> {
    pub(super) scenario: &'c Scenario<'c>,
    pub(super) placement: Option<usize>,
    pub(super) group: &'c GroupId,
    pub(super) cluster: &'c ClusterName,
    /// When it started, if its status shows it.
    pub(super) at: Option<Timestamp>,
    /// The policies about its placement.
    pub(super) policies: &'c [&'c Policy],
    /// The cluster before and after.
    pub(super) seen: [&'c ManagedCluster; 2],
    pub(super) traffic: &'c Traffic,
    pub(super) started: &'c BTreeMap<&'c UnitName, BTreeSet<&'c ClusterName>>,
}

impl<'c> Case<'c> {
    pub(super) fn addon(&self) -> &'c UnitName {
        self.scenario.span().addon
    }

    /// Returns the policies about the cluster, by its labels before and after.
    pub(super) fn applying(&self) -> impl Iterator<Item = &'c Policy> {
        let (group, seen) = (self.group, self.seen);
        let policies = self.policies.iter().copied();
        policies.filter(move |policy| seen.iter().all(|cluster| policy.is_about_cluster(group, cluster)))
    }

    /// Returns `true` if an add-on was started on a cluster.
    pub(super) fn has_started(&self, addon: &UnitName, cluster: &ClusterName) -> bool {
        self.started.get(addon).is_some_and(|clusters| clusters.contains(cluster))
    }

    /// Returns what forbade the start by both observations.
    pub(super) fn both(&self, bar: impl Fn(&Snapshot) -> Option<Bar>) -> Option<Bar> {
        let span = self.scenario.span();
        bar(span.before).filter(|_| bar(span.after).is_some())
    }

    /// Returns the bar if a newer group of a rollback waits.
    pub(super) fn newer_group(&self) -> Option<Bar> {
        let waiting = self.scenario.members(self.placement).into_iter().filter(|(cluster, group)| {
            *group > self.group && self.scenario.must_be_waiting(self.placement, group, cluster)
        });
        waiting.map(|(_, group)| group).max().map(|group| Bar::NewerGroup { group: group.to_string() })
    }
}
