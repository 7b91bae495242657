//! Which clusters should have an add-on. Its ManagedClusterAddOns are created and updated here.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonmanagement` (2026-08-11), with one difference: upstream treats a missing Placement as one that
//! selects nothing, and uninstalls everywhere. Here nothing is uninstalled unless every placement of the add-on is known.

use std::collections::{BTreeMap, BTreeSet};

use crate::cluster::object::{adapted, created, has_owned_label, own_configs};
use crate::context::Context;
use crate::hub_objects::ownership::Owner;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::{Desired, Layers, layer};
use tidegate_delivery::upstream::is_assigned;
use tidegate_model::action::{Lane, Stage, Write};
use tidegate_model::name::ClusterName;
use tidegate_model::shared::Shared;
use tidegate_repository::Overlap;

/// The clusters that should have an add-on.
pub(crate) struct Membership<'a> {
    /// The clusters that should have it, each with the index of the placement that it belongs to.
    pub owners: BTreeMap<&'a ClusterName, usize>,
    /// The clusters that a second placement selects, by its index, where no placement may decide for another one.
    pub contested: BTreeMap<&'a ClusterName, usize>,
    /// Whether the selection of clusters is reliable. If not, nothing is uninstalled.
    pub is_reliable: bool,
    /// The placements whose selection must not be acted upon at all: nothing starts or is installed because of them.
    partial: BTreeSet<usize>,
    is_manual: bool,
}

/// The clusters that have an add-on but should not.
#[derive(Debug, Default)]
pub(super) struct Unwanted<'a> {
    /// On how many clusters this instance installed it, wanted or not; not counted if it leaves none.
    pub total: usize,
    /// The clusters on which this instance installed it: it is removed from them.
    pub leaving: BTreeMap<&'a ClusterName, &'a ManagedClusterAddOn>,
    /// The clusters on which someone else installed it: it stays there.
    pub foreign: BTreeMap<&'a ClusterName, Owner>,
}

impl<'a> Membership<'a> {
    /// Determines which clusters should have an add-on.
    pub(crate) fn of(context: &Context<'a>) -> Self {
        let is_manual = context.unit.is_manual();
        let (mut owners, mut contested) = (BTreeMap::new(), BTreeMap::new());
        let (mut is_reliable, mut partial) = (true, BTreeSet::new());
        let overlap = context.unit.overlap();
        let parts = if is_manual { &[] } else { context.unit.parts() };
        for (index, part) in parts.iter().enumerate() {
            match context.selections.get(&part.reference()) {
                Some(selection) => {
                    is_reliable &= selection.problem.is_none();
                    // Upstream finds no cluster after a gap in the group indexes, and leaves it to another placement.
                    let found =
                        (!context.rules.only_owner_decides).then(|| tidegate_rollout::tracked(&selection.groups));
                    for (cluster, _) in selection.clusters() {
                        match &found {
                            Some(found) if !found.contains(cluster) => drop(owners.entry(cluster).or_insert(index)),
                            _ if overlap == Overlap::Last => drop(owners.insert(cluster, index)),
                            _ => {
                                let owner = *owners.entry(cluster).or_insert(index);
                                if overlap == Overlap::Neither && owner != index {
                                    contested.entry(cluster).or_insert(index);
                                }
                            }
                        }
                    }
                    if selection.is_partial {
                        partial.insert(index);
                    }
                }
                None => is_reliable = false,
            }
        }
        Self { owners, contested, is_reliable, partial, is_manual }
    }

    /// Returns `true` if a cluster should have the add-on.
    pub(crate) fn requires(&self, context: &Context<'_>, cluster: &ClusterName) -> bool {
        self.owners.contains_key(cluster) || (self.is_manual && context.unit.overrides.contains_key(cluster))
    }

    /// Returns the writes that create and update the add-ons of clusters.
    pub(crate) fn lanes(&self, context: &Context<'_>) -> Vec<Lane> {
        let Some(observed) = context.management() else { return Vec::new() };
        let deliver = |writes| Lane { stage: Stage::Deliver, writes };
        let there: BTreeMap<_, _> = context.observed().collect();
        let declared = context.unit.overrides.keys().filter(|_| self.is_manual);
        let chosen = self.owners.iter().filter(|(_, index)| !self.partial.contains(index)).map(|(cluster, _)| *cluster);
        let required: BTreeSet<&ClusterName> = chosen.chain(declared).collect();
        let missing = required.iter().filter(|name| !there.contains_key(**name));
        // OCM's add-on manager delivers as soon as the object exists, so there its creation is the start of the cluster.
        let missing = missing.filter(|_| context.is_native());
        let mut lanes: Vec<Lane> = missing
            .filter_map(|name| Some(deliver(vec![Write::Create { object: created(context, observed, name)?.into() }])))
            .collect();
        let ownership = context.input.ownership();
        for (name, addon) in there.iter().filter(|(_, addon)| addon.metadata.deletion_timestamp.is_none()) {
            if context.is_native() && is_assigned(addon) {
                // It is handed over first.
                continue;
            }
            let owner = ownership.of_install(addon);
            let is_wanted = self.requires(context, name) || !self.is_reliable;
            let keeps = is_wanted || (self.is_manual && !has_owned_label(addon)) || owner != Owner::Ours;
            if keeps && owner.may_write() {
                lanes.extend(adapted(context, name, addon, &owner).map(|write| deliver(vec![write])));
            }
        }
        lanes
    }

    /// Returns the clusters that have the add-on but should not; none while the selection of clusters is unreliable.
    pub(super) fn unwanted(&self, context: &Context<'a>) -> Unwanted<'a> {
        let mut unwanted = Unwanted::default();
        if !self.is_reliable {
            return unwanted;
        }
        let ownership = context.input.ownership();
        for (name, addon) in context.observed() {
            if self.requires(context, name) || (self.is_manual && !has_owned_label(addon)) {
                continue;
            }
            match ownership.of_install(addon) {
                Owner::Ours => drop(unwanted.leaving.insert(name, addon)),
                owner => drop(unwanted.foreign.insert(name, owner)),
            }
        }
        if !unwanted.leaving.is_empty() {
            let is_ours = |addon: &ManagedClusterAddOn| ownership.of_install(addon) == Owner::Ours;
            unwanted.total = context.observed().filter(|(_, addon)| is_ours(addon)).count();
        }
        unwanted
    }
}

/// Returns what a cluster should have: the configurations of its placement, overlaid with the cluster's own. A cluster without its own
/// shares those of the placement. `given` is its content, if that depends on the cluster.
pub(super) fn cluster_layers(
    context: &Context<'_>,
    (base, shared): (&Layers, &Shared<Vec<Desired>>),
    (name, given): (&ClusterName, Option<&ConfigReference>),
    addon: &ManagedClusterAddOn,
) -> Shared<Vec<Desired>> {
    let own: Vec<&ConfigReference> = match context.unit.overrides.get(name) {
        _ if given.is_some() => given.into_iter().collect(),
        Some(declared) => declared.spec.configs.iter().collect(),
        None => own_configs(context, addon).collect(),
    };
    if own.is_empty() {
        return shared.clone();
    }
    base.overlaid(layer::hashed(own, |reference| context.unit.spec_hash(reference))).to_vec().into()
}
