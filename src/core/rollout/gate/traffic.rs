//! Which clusters are under way with which unit: the common ground of limits, order and locks.

use std::collections::BTreeMap;

use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;

/// Where all clusters of all units stand before anything starts.
#[derive(Debug, Clone, Default)]
pub struct Traffic<'a>(pub(super) BTreeMap<&'a UnitName, UnitTraffic<'a>>);

/// Where the clusters of one unit stand.
#[derive(Debug, Clone, Default)]
pub struct UnitTraffic<'a> {
    /// Whether it is known which clusters should have the unit.
    pub is_known: bool,
    /// Where each cluster stands that should have the unit.
    pub clusters: BTreeMap<&'a ClusterName, Standing>,
    /// When clusters last started.
    pub starts: Vec<(&'a ClusterName, Timestamp)>,
}

/// Where a cluster stands with a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It has not started.
    Waiting,
    /// It is under way or soaks.
    Underway,
    /// It is done and healthy.
    Done,
    /// It failed, timed out or is not healthy.
    Unwell,
    /// It takes no part for now, and rollouts end without it.
    Aside,
}

impl<'a> Traffic<'a> {
    /// Adds a unit.
    pub fn add(&mut self, unit: &'a UnitName, traffic: UnitTraffic<'a>) {
        self.0.insert(unit, traffic);
    }

    /// Returns the units that are under way on a cluster, except one.
    pub(super) fn others_on(&self, cluster: &ClusterName, except: &UnitName) -> impl Iterator<Item = &'a UnitName> {
        let is_underway = |traffic: &UnitTraffic<'_>| traffic.clusters.get(cluster) == Some(&Standing::Underway);
        self.0.iter().filter(move |(name, traffic)| ***name != *except && is_underway(traffic)).map(|(name, _)| *name)
    }

    /// Returns `true` if a unit has clusters under way.
    pub(super) fn is_underway(&self, unit: &UnitName) -> bool {
        let mut standings = self.0.get(unit).into_iter().flat_map(|traffic| traffic.clusters.values());
        standings.any(|standing| *standing == Standing::Underway)
    }
}
