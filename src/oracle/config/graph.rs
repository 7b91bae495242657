//! Which cluster belongs to which placement, and what it should have there.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use std::collections::BTreeSet;

use super::case::Case;
use super::node::{Node, Placed};
use super::refusal::Refusal;
use tidegate_api::ocm::cluster_management_addon::{InstallProgression, PlacementStrategy};
use tidegate_api::ocm::placement::Placement;
use tidegate_core::placement::read_decisions;
use tidegate_core::rollout;
use tidegate_core::status::{Entry as _, Layers, install, layer};
use tidegate_model::name::NamespacedName;
use tidegate_model::semantics::Rules;

/// Returns the placements in the order of the status, and last the clusters that none of them has.
pub(super) fn nodes(case: &Case) -> Result<Vec<Node<'_>>, Refusal> {
    let addon = &case.cluster_management_addon;
    let defaults = layer::assigned_defaults(addon);
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
    let selected: BTreeSet<String> = rollout::tracked(&groups).into_iter().map(ToString::to_string).collect();
    let strategy = rollout::with_default_concurrency(&strategy.rollout_strategy, Some(placement), &Rules::COMPAT);
    Ok(Placed { name, strategy, groups, configured: selected.clone(), selected })
}

/// Returns a node with the clusters of its placement, which are removed from the nodes that had them.
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
