//! The input of the scheduler.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ranking::tally::Balance;
use tidegate_api::fleet::ClusterScores;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::{PlacementSpec, PlacementStatus};
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::time::Timestamp;

/// The input of a run, all from one observation.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The Placement.
    pub placement: &'a NamespacedName,
    /// The spec of the Placement.
    pub spec: &'a PlacementSpec,
    /// Its observed status, from which the times of unchanged conditions are kept.
    pub status: Option<&'a PlacementStatus>,
    /// All clusters.
    pub clusters: &'a BTreeMap<ClusterName, Arc<ManagedCluster>>,
    /// All cluster sets.
    pub sets: &'a BTreeMap<String, Arc<ManagedClusterSet>>,
    /// All bindings of cluster sets.
    pub bindings: &'a BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    /// The scores that add-ons report.
    pub scores: &'a ClusterScores,
    /// The clusters in the current decisions of the Placement; see [`Tally::decided`](super::Tally::decided).
    pub decided: &'a BTreeSet<ClusterName>,
    /// The decisions of the other Placements; see [`Tally::balance`](super::Tally::balance).
    pub balance: &'a Balance<'a>,
    /// The time at which tolerations and scores are judged.
    pub now: Timestamp,
}
