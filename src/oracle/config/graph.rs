//! Which cluster belongs to which placement, and what it should have there.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use std::collections::BTreeSet;

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::case::Case;
use super::node::{Node, Placed};
use super::refusal::Refusal;
use crate::api::ocm::cluster_management_addon::{InstallProgression, PlacementStrategy};
use crate::api::ocm::placement::Placement;
use crate::api::ocm::rollout_strategy::RolloutStrategy;
use crate::model::decision::DecisionGroup;
use crate::model::name::NamespacedName;
use crate::placement::read_decisions;
use crate::status::{Entry as _, Layers, install, layer};

/// Placements in the order of the status, and last the clusters that none of them has.
pub(super) fn nodes(case: &Case) -> Result<Vec<Node<'_>>, Refusal> {
    let addon = &case.cluster_management_addon;
    let defaults = layer::told_defaults(addon);
    let mut rest = Node::new(None, defaults.clone());
    for child in case.managed_cluster_addons.iter().filter(|a| a.metadata.name == addon.metadata.name) {
        rest.add(child)?;
    }
    let (mut nodes, mut refused) = (Vec::new(), Vec::new());
    let status = addon.status.as_ref().filter(|_| !install::is_manual(addon));
    for progression in status.map(|status| status.install_progressions.as_slice()).unwrap_or_default() {
        for strategy in strategies(case, progression) {
            match placed(case, strategy) {
                Ok(placed) => {
                    let told = progression.config_references.iter().filter_map(|entry| entry.desired());
                    let node = taken(placed, defaults.overlaid(told), &mut rest, &mut nodes)?;
                    nodes.push(node);
                }
                Err(refusal) => refused.push(refusal),
            }
        }
    }
    Refusal::of(refused)?;
    nodes.push(rest);
    Ok(nodes)
}

fn strategies<'a>(case: &'a Case, of: &InstallProgression) -> impl Iterator<Item = &'a PlacementStrategy> {
    let declared = case.cluster_management_addon.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements);
    declared.filter(move |strategy| strategy.namespace == of.namespace && strategy.name == of.name)
}

fn placed(case: &Case, strategy: &PlacementStrategy) -> Result<Placed, Refusal> {
    let name = NamespacedName::new(&strategy.namespace, &strategy.name);
    let is_it = |placement: &&Placement| {
        placement.metadata.namespace.as_deref().unwrap_or_default() == name.namespace
            && placement.metadata.name.as_deref() == Some(name.name.as_str())
    };
    let placement = case.placements.iter().find(is_it).ok_or_else(|| Refusal::NoPlacement(name.clone()))?;
    let groups = read_decisions(case.placement_decisions.iter(), &name).map_err(Refusal::Decisions)?;
    let selected = selected(&groups);
    let strategy = with_concurrency(&strategy.rollout_strategy, placement);
    Ok(Placed { name, strategy, groups, configured: selected.clone(), selected })
}

/// The clusters that upstream's tracker finds: it counts its way through the indexes up to the number of groups, so that
/// behind a gap the last ones are missing, and of two groups with one index only one is there.
fn selected(groups: &[DecisionGroup]) -> BTreeSet<String> {
    let indexes: BTreeSet<i32> = groups.iter().map(|group| group.index).collect();
    let mut reached: Vec<&DecisionGroup> =
        groups.iter().filter(|group| usize::try_from(group.index).is_ok_and(|index| index < indexes.len())).collect();
    reached.dedup_by_key(|group| group.index);
    reached.iter().flat_map(|group| &group.clusters).map(ToString::to_string).collect()
}

/// A Progressive strategy without `maxConcurrency`, or with one of 0, takes the size of the placement's groups.
fn with_concurrency(strategy: &RolloutStrategy, placement: &Placement) -> RolloutStrategy {
    let mut strategy = strategy.clone();
    if strategy.type_ == "Progressive" {
        let concurrency = &mut strategy.progressive.get_or_insert_default().max_concurrency;
        let is_unset = match concurrency {
            None | Some(IntOrString::Int(0)) => true,
            Some(IntOrString::String(text)) => text.is_empty(),
            Some(IntOrString::Int(_)) => false,
        };
        if is_unset {
            let groups = placement.spec.decision_strategy.as_ref().and_then(|d| d.group_strategy.as_ref());
            *concurrency = groups.and_then(|groups| groups.clusters_per_decision_group.clone());
        }
    }
    strategy
}

/// A node with the clusters of its placement, which leave the nodes that had them.
fn taken<'a>(
    placed: Placed,
    layers: Layers,
    rest: &mut Node<'a>,
    earlier: &mut [Node<'a>],
) -> Result<Node<'a>, Refusal> {
    let clusters = placed.selected.clone();
    let mut node = Node::new(Some(placed), layers);
    for cluster in &clusters {
        if let Some(child) = rest.children.remove(cluster.as_str()) {
            node.add(child.addon)?;
        }
        for other in earlier.iter_mut() {
            let Some(child) = other.children.remove(cluster.as_str()) else { continue };
            node.add(child.addon)?;
            if let Some(placed) = &mut other.placed {
                placed.configured.remove(cluster);
            }
        }
    }
    Ok(node)
}
