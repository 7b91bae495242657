//! One placement of an add-on with the clusters that it owns.
//!
//! A cluster that several placements select belongs to the last one, or for an application to the first one. For an AppDeployment it waits in
//! the first one. Clusters that no placement selects (an add-on installed by
//! hand) form a node of their own, in which all start at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::control;
use super::membership::{Membership, cluster_layers};
use crate::cluster::application;
use crate::context::Context;
use crate::node::{Child, Node};
use crate::report::missing::Missing;
use tidegate_api::ocm::cluster_management_addon::PlacementStrategy;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_delivery::status::{Desired, Layers, State, layer, state};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::shared::Shared;
use tidegate_repository::Overlap;
use tidegate_rollout::gate::Aside;

/// Returns the nodes of an add-on: its placements in order, or the clusters chosen by hand.
pub(crate) fn nodes<'a>(context: &Context<'a>, membership: &Membership<'a>, defaults: &Layers) -> Vec<Node<'a>> {
    let owners = &membership.owners;
    if context.unit.is_manual() {
        let there = context.observed().map(|(name, _)| name);
        let declared = context.unit.overrides.keys().filter(|_| context.starts_from_nothing());
        let clusters: BTreeSet<ClusterName> = there.chain(declared).cloned().collect();
        let clusters = clusters.into_iter().collect();
        let groups = vec![DecisionGroup { index: 0, name: String::new(), clusters }];
        return vec![node(context, Seed { part: None, strategy: all_at_once(), groups, layers: defaults })];
    }
    let seed = |(index, placement): (usize, &PlacementStrategy)| {
        let name = placement.reference();
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
        let hash = |reference: &ConfigReference| context.unit.spec_hash(reference);
        let layers = defaults.overlaid(layer::hashed(&placement.configs, hash));
        let mut node = node(context, Seed { part: Some((index, name)), strategy, groups: owned, layers: &layers });
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
    let mut nodes: Vec<Node<'a>> = context.unit.parts().iter().enumerate().map(seed).collect();
    // A partial selection may lack a cluster that belongs to it, and not to another placement that selects it.
    match context.unit.overlap() {
        Overlap::Last => spread(nodes.iter_mut().rev()),
        Overlap::First => spread(nodes.iter_mut()),
        Overlap::Neither => {
            spread(nodes.iter_mut());
            spread(nodes.iter_mut().rev());
            nodes.iter_mut().for_each(|node| set_contested(node, membership));
        }
    }
    nodes
}

/// Makes the clusters wait that another node selects as well.
fn set_contested(node: &mut Node<'_>, membership: &Membership<'_>) {
    let missing = |cluster: &ClusterName| {
        let second = membership.contested.get(cluster)? + 1;
        Some(Missing::Contested { first: membership.owners.get(cluster)? + 1, second })
    };
    let contested = node.children.iter().filter_map(|child| Some((child.name.clone(), missing(child.name)?)));
    node.awaited.extend(contested.collect::<Vec<_>>());
    node.children.retain(|child| missing(child.name).is_none());
}

/// Marks all nodes after a partial one.
fn spread<'n, 'a: 'n>(nodes: impl Iterator<Item = &'n mut Node<'a>>) {
    let mut is_partial = false;
    for node in nodes {
        is_partial |= node.is_partial;
        node.is_partial = is_partial;
    }
}

/// Clusters chosen by hand have no strategy.
fn all_at_once() -> RolloutStrategy {
    RolloutStrategy { type_: "All".to_owned(), ..RolloutStrategy::default() }
}

struct Seed<'s> {
    /// The index of the placement, and its name.
    part: Option<(usize, NamespacedName)>,
    strategy: RolloutStrategy,
    groups: Vec<DecisionGroup>,
    layers: &'s Layers,
}

fn node<'a>(context: &Context<'a>, seed: Seed<'_>) -> Node<'a> {
    let Seed { part, strategy, groups, layers } = seed;
    let (index, placement) = part.unzip();
    let fleet = context.input.fleet;
    let group_of: BTreeMap<&ClusterName, i32> =
        groups.iter().flat_map(|g| g.clusters.iter().map(|cluster| (cluster, g.index))).collect();
    let (mut children, mut awaited, mut foreign) = (Vec::new(), Vec::new(), Vec::new());
    let there = fleet.cluster_addons.get(context.name);
    let (shared, ownership) = (Shared::from(layers.to_vec()), context.input.ownership());
    let owner = |addon: &ManagedClusterAddOn| ownership.of_install(addon).other().cloned();
    for (name, group) in &group_of {
        let addon = there.and_then(|there| there.get_key_value(*name));
        if let Some((name, mark)) = addon.and_then(|(name, addon)| Some((name, owner(addon)?))) {
            foreign.push((name, mark));
            continue;
        }
        let given = match application::obstacle(context, name).map_or_else(|| given(context, index, name), Err) {
            Ok(given) => given,
            Err(missing) => {
                awaited.push(((*name).clone(), missing));
                continue;
            }
        };
        match (addon, fleet.clusters.get_key_value(*name)) {
            (Some((name, addon)), Some((_, cluster))) if addon.metadata.deletion_timestamp.is_none() => {
                let desired = cluster_layers(context, (layers, &shared), (name, given), addon);
                let state = state(context, addon, &desired);
                let state = if control::retries(context, name, addon, state) { State::ToApply } else { state };
                let group = placement.as_ref().map(|_| *group);
                children.push(Child { name, addon, cluster, desired, state, group });
            }
            // What the cluster gets first is its start: OCM's add-on manager delivers as soon as the object exists, and so do agents with works.
            (None, Some((name, cluster))) if context.starts_from_nothing() && is_live(cluster) => {
                let (desired, group) = (
                    cluster_layers(context, (layers, &shared), (name, given), &ABSENT),
                    placement.as_ref().map(|_| *group),
                );
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
        desired: shared,
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

/// Returns the content for a cluster; `None` if that does not depend on the cluster.
///
/// # Errors
/// What keeps it from being rendered.
fn given<'a>(
    context: &Context<'a>,
    index: Option<usize>,
    name: &ClusterName,
) -> Result<Option<&'a ConfigReference>, Missing> {
    match index.map_or(Ok(None), |index| context.unit.given(index, name)) {
        Ok(given) => Ok(given),
        Err(_) if !context.input.fleet.clusters.contains_key(name) => Err(Missing::Cluster),
        Err(why) => Err(Missing::Unrendered { why: why.to_owned() }),
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
