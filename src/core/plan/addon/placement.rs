//! One placement of an add-on with the clusters that it owns.
//!
//! A cluster that several placements select belongs to the last one. Clusters that no placement selects (an add-on installed by
//! hand) form a node of their own, in which all start at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::context::Context;
use super::control;
use super::membership::cluster_layers;
use crate::report::missing::Missing;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::rollout_strategy::{MandatoryDecisionGroup, RolloutStrategy};
use tidegate_delivery::status::{Desired, Layers, State, install, layer, state};
use tidegate_delivery::upstream::Delivery;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};
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
    pub desired: Vec<Desired>,
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
    /// What it should have.
    pub desired: Vec<Desired>,
    /// Its progress.
    pub state: State,
    /// Index of its group.
    pub group: Option<i32>,
}

impl Node<'_> {
    /// Returns the index of the group of a cluster.
    pub(super) fn group_of(&self, cluster: &ClusterName) -> Option<i32> {
        self.groups.iter().find(|g| g.clusters.binary_search(cluster).is_ok()).map(|g| g.index)
    }

    /// Returns the groups that the strategy starts first.
    pub(super) fn mandatory(&self) -> &[MandatoryDecisionGroup] {
        tidegate_rollout::mandatory(&self.strategy)
    }

    /// Returns a group by its index.
    pub(super) fn group_key(&self, index: Option<i32>) -> GroupKey {
        let index = index.unwrap_or_default();
        let name = self.groups.iter().find(|group| group.index == index).map(|group| group.name.clone());
        GroupKey { index, name: name.unwrap_or_default() }
    }
}

/// Returns the nodes of an add-on: its placements in order, or the clusters chosen by hand.
pub(crate) fn nodes<'a>(
    context: &Context<'a>,
    owners: &BTreeMap<&ClusterName, usize>,
    defaults: &Layers,
) -> Vec<Node<'a>> {
    let declaration = &context.addon.declaration;
    let Some(strategy) = declaration.spec.install_strategy.as_ref().filter(|_| !install::is_manual(declaration)) else {
        let there = context.observed().map(|(name, _)| name);
        let declared = context.addon.overrides.keys().filter(|_| context.input.delivery == Delivery::Upstream);
        let clusters: BTreeSet<ClusterName> = there.chain(declared).cloned().collect();
        let clusters = clusters.into_iter().collect();
        let groups = vec![DecisionGroup { index: 0, name: String::new(), clusters }];
        return vec![node(context, Seed { placement: None, strategy: all_at_once(), groups, layers: defaults })];
    };
    let seed = |(index, placement): (usize, &tidegate_api::ocm::cluster_management_addon::PlacementStrategy)| {
        let name = NamespacedName::new(&placement.namespace, &placement.name);
        let selection = context.selections.get(&name);
        let mut groups = selection.map(|s| s.groups.clone()).unwrap_or_default();
        groups.iter_mut().for_each(|group| group.clusters.sort_unstable());
        let mut owned = groups.clone();
        for group in &mut owned {
            group.clusters.retain(|cluster| owners.get(cluster) == Some(&index));
        }
        let declared = context.input.repository.placements.get(&name);
        let declared = declared.map(|placement| &**placement);
        let strategy =
            tidegate_rollout::with_default_concurrency(&placement.rollout_strategy, declared, &context.rules);
        let hash = |reference: &ConfigReference| context.addon.spec_hash(reference);
        let layers = defaults.overlaid(layer::hashed(&placement.configs, hash));
        let mut node = node(context, Seed { placement: Some(name), strategy, groups: owned, layers: &layers });
        node.selected = groups.iter().map(|g| g.clusters.len()).sum();
        if !context.rules.only_owner_decides {
            let there = context.input.fleet.cluster_addons.get(context.name);
            let is_counted = |cluster: &ClusterName| {
                owners.get(cluster) == Some(&index) || there.is_none_or(|there| !there.contains_key(cluster))
            };
            let tracked = tidegate_rollout::tracked(&groups);
            node.selected = tracked.len();
            node.configured = tracked.into_iter().filter(|cluster| is_counted(cluster)).count();
            node.groups = groups;
        }
        node.problem = selection.and_then(|s| s.problem.clone());
        node.is_partial = selection.is_none_or(|s| s.is_partial);
        node
    };
    let mut nodes: Vec<Node<'a>> = strategy.placements.iter().enumerate().map(seed).collect();
    // A cluster belongs to the last placement that selects it, and a partial selection may lack it.
    let mut is_partial = false;
    for node in nodes.iter_mut().rev() {
        is_partial |= node.is_partial;
        node.is_partial = is_partial;
    }
    nodes
}

/// Clusters chosen by hand have no strategy.
fn all_at_once() -> RolloutStrategy {
    RolloutStrategy { type_: "All".to_owned(), ..RolloutStrategy::default() }
}

struct Seed<'s> {
    placement: Option<NamespacedName>,
    strategy: RolloutStrategy,
    groups: Vec<DecisionGroup>,
    layers: &'s Layers,
}

fn node<'a>(context: &Context<'a>, seed: Seed<'_>) -> Node<'a> {
    let Seed { placement, strategy, groups, layers } = seed;
    let fleet = context.input.fleet;
    let group_of: BTreeMap<&ClusterName, i32> =
        groups.iter().flat_map(|g| g.clusters.iter().map(|cluster| (cluster, g.index))).collect();
    let (mut children, mut awaited, mut foreign) = (Vec::new(), Vec::new(), Vec::new());
    let there = fleet.cluster_addons.get(context.name);
    let ownership = context.input.ownership();
    let owner = |name: &ClusterName, addon: &ManagedClusterAddOn| {
        ownership.of_install(context.name, name, addon).other().cloned()
    };
    for (name, group) in &group_of {
        let addon = there.and_then(|there| there.get_key_value(*name));
        if let Some((name, mark)) = addon.and_then(|(name, addon)| Some((name, owner(name, addon)?))) {
            foreign.push((name, mark));
            continue;
        }
        match (addon, fleet.clusters.get_key_value(*name)) {
            (Some((name, addon)), Some((_, cluster))) if addon.metadata.deletion_timestamp.is_none() => {
                let desired = cluster_layers(context, layers, name, addon);
                let state = state(context, addon, &desired);
                let state = if control::retries(context, name, addon, state) { State::ToApply } else { state };
                let group = placement.as_ref().map(|_| *group);
                children.push(Child { name, addon, cluster, desired, state, group });
            }
            // OCM's add-on manager delivers as soon as the object exists, so it is created when the cluster starts.
            (None, Some((name, cluster))) if context.input.delivery == Delivery::Upstream && is_live(cluster) => {
                let (desired, group) =
                    (cluster_layers(context, layers, name, &ABSENT), placement.as_ref().map(|_| *group));
                let state = state(context, &ABSENT, &desired);
                children.push(Child { name, addon: &ABSENT, cluster, desired, state, group });
            }
            (_, None) => awaited.push(((*name).clone(), Missing::Cluster)),
            (None, Some(_)) => awaited.push(((*name).clone(), Missing::Addon)),
            (Some(_), Some(_)) => awaited.push(((*name).clone(), Missing::Deleting)),
        }
    }
    let selected = group_of.len();
    Node {
        placement,
        strategy,
        desired: layers.to_vec(),
        configured: children.len() + awaited.len(),
        children,
        awaited,
        selected,
        foreign,
        problem: None,
        is_partial: false,
        aside: Aside::default(),
        reaction: None,
        rolls_back: false,
        groups,
    }
}

/// An add-on that has not been created.
static ABSENT: LazyLock<ManagedClusterAddOn> = LazyLock::new(ManagedClusterAddOn::default);

fn is_live(cluster: &ManagedCluster) -> bool {
    cluster.metadata.deletion_timestamp.is_none()
}

fn state(context: &Context<'_>, addon: &ManagedClusterAddOn, desired: &[Desired]) -> State {
    if context.rules.counts_from_start {
        state::strict(addon, desired)
    } else {
        // Where upstream would crash, the cluster is assigned its configurations again.
        state::compat(addon, desired).unwrap_or(State::ToApply)
    }
}
