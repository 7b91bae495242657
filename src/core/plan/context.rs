//! What the decisions on one add-on, and on one of its clusters, are made from.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::input::Input;
use super::report::AddonReport;
use super::select::Selection;
use crate::repository::Addon;
use crate::status::Desired;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::action::Lane;
use tidegate_model::name::{AddonName, ClusterName, NamespacedName};

/// What decisions on one add-on rest on.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// What the whole plan is made from.
    pub input: &'a Input<'a>,
    /// The clusters of every Placement.
    pub selections: &'a BTreeMap<NamespacedName, Selection>,
    /// The add-on's name.
    pub name: &'a AddonName,
    /// The add-on as declared.
    pub addon: &'a Addon,
}

impl<'a> Context<'a> {
    /// Returns the add-ons of this name on all clusters, as observed.
    pub fn observed(&self) -> impl Iterator<Item = (&'a ClusterName, &'a ManagedClusterAddOn)> {
        self.input.fleet.cluster_addons.get(self.name).into_iter().flatten().map(|(name, addon)| (name, &**addon))
    }

    /// Returns the works of the add-on on a cluster, as observed.
    pub fn works(&self, cluster: &ClusterName) -> &'a BTreeMap<String, Arc<ManifestWork>> {
        self.input.fleet.works.get(self.name).and_then(|works| works.get(cluster)).unwrap_or(&NO_WORKS)
    }
}

/// Stands for the works of a cluster that has none.
static NO_WORKS: BTreeMap<String, Arc<ManifestWork>> = BTreeMap::new();

/// What is to be done with a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It starts now.
    Start,
    /// It has something else and waits.
    Wait,
    /// It has started and is not done: its progress is watched.
    Watch,
    /// It is done, but not for long enough: its health is watched.
    Soak,
    /// It is done for good: it keeps what it has, and its health changes nothing about that.
    Keep,
    /// It failed: it keeps what it has until it gets another configuration.
    Failed,
    /// It has started on a part of what it should have, and the rest is not for it: it is watched, and no work is written.
    /// Only compat has it.
    Leave,
}

/// One cluster with everything that a decision on it needs.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Its name.
    pub name: &'a ClusterName,
    /// Its add-on, as observed.
    pub addon: &'a ManagedClusterAddOn,
    /// The cluster itself, as observed.
    pub cluster: &'a ManagedCluster,
    /// What it should have.
    pub desired: &'a [Desired],
    /// Whose turn it is.
    pub turn: Turn,
    /// Whether its deadline has ended. Always `false` in compat, which keeps no record of that.
    pub is_overdue: bool,
}

/// Writes for one add-on, and how it stands.
#[derive(Debug, Default)]
pub struct Planned {
    /// The writes.
    pub lanes: Vec<Lane>,
    /// How it stands.
    pub report: AddonReport,
    /// What a person should know besides.
    pub notices: Vec<String>,
}
