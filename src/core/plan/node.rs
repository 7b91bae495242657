//! One placement of an add-on, with the clusters that it owns.

use crate::report::missing::Missing;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::rollout_strategy::{MandatoryDecisionGroup, RolloutStrategy};
use tidegate_delivery::status::{Desired, State};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::shared::Shared;
use tidegate_rollout::GroupKey;
use tidegate_rollout::gate::{Aside, Reaction};

/// One placement of an add-on, with its clusters.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    /// The Placement; `None` for clusters chosen by hand.
    pub placement: Option<NamespacedName>,
    /// The rollout strategy.
    pub strategy: RolloutStrategy,
    /// The groups, with the clusters that this node owns. In compat, with all clusters that the placement selects.
    pub groups: Vec<DecisionGroup>,
    /// The configurations that the clusters should have, unless they have their own.
    pub desired: Shared<Vec<Desired>>,
    /// The clusters that have the add-on, by name.
    pub children: Vec<Child<'a>>,
    /// The clusters whose add-on is yet to be created, with what is missing.
    pub awaited: Vec<(ClusterName, Missing)>,
    /// Number of clusters that the placement selects, including those that belong to later placements.
    pub selected: usize,
    /// Number of clusters that count as having the add-on or being about to get it.
    pub configured: usize,
    /// The clusters whose add-on another instance owns.
    pub foreign: Vec<(&'a ClusterName, Mark)>,
    /// Why the selection of clusters is unreliable.
    pub problem: Option<String>,
    /// Whether nothing may start, because the clusters of this placement or of a later one are not known.
    pub is_partial: bool,
    /// The clusters that take no part in the rollout for now.
    pub aside: Aside,
    /// What follows from too many failures, if a policy says so.
    pub reaction: Option<Reaction>,
    /// Whether its clusters return to the last good digest.
    pub rolls_back: bool,
}

/// One cluster of a node.
#[derive(Debug)]
pub(crate) struct Child<'a> {
    /// Its name.
    pub name: &'a ClusterName,
    /// Its add-on, as observed.
    pub addon: &'a ManagedClusterAddOn,
    /// The cluster itself, as observed.
    pub cluster: &'a ManagedCluster,
    /// What it should have. Clusters without configurations of their own share it.
    pub desired: Shared<Vec<Desired>>,
    /// Its progress.
    pub state: State,
    /// Index of its group.
    pub group: Option<i32>,
}

impl Node<'_> {
    /// Returns the index of the group of a cluster.
    pub(crate) fn group_of(&self, cluster: &ClusterName) -> Option<i32> {
        self.groups.iter().find(|g| g.clusters.binary_search(cluster).is_ok()).map(|g| g.index)
    }

    /// Returns the groups that the strategy starts first.
    pub(crate) fn mandatory(&self) -> &[MandatoryDecisionGroup] {
        tidegate_rollout::mandatory(&self.strategy)
    }

    /// Returns a group by its index.
    pub(crate) fn group_key(&self, index: Option<i32>) -> GroupKey {
        let index = index.unwrap_or_default();
        let name = self.groups.iter().find(|group| group.index == index).map(|group| group.name.clone());
        GroupKey { index, name: name.unwrap_or_default() }
    }
}
