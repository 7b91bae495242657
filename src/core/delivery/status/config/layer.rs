//! Configuration layers: default < placement < cluster. A higher layer replaces whole kinds and never merges within one.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use std::collections::{BTreeMap, BTreeSet};

use super::desired::Desired;
use super::entry::assigned_hash;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::config_reference::{ConfigReference, GroupResource};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;

/// The layers of the configurations of a cluster, the lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The default configurations of the add-on.
    Default,
    /// The configurations of the placement.
    Placement,
    /// The configurations of the cluster itself.
    Cluster,
}

impl Layer {
    /// Returns the layer that configurations of a kind come from: the highest one that mentions the kind.
    pub fn of(kind: &GroupResource, placement: &[ConfigReference], own: &[ConfigReference]) -> Self {
        let mentions = |list: &[ConfigReference]| list.iter().any(|reference| reference.group_resource() == *kind);
        match (mentions(own), mentions(placement)) {
            (true, _) => Self::Cluster,
            (false, true) => Self::Placement,
            (false, false) => Self::Default,
        }
    }
}

/// Configurations by kind.
///
/// # Shape
/// Kinds are sorted by group and resource; the objects of a kind keep their given order, without repetitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layers(BTreeMap<GroupResource, Vec<Desired>>);

impl Layers {
    /// Returns the lowest layer: the declared default configurations of an add-on, with hashes from `hash`.
    pub fn defaults(declared: &[ConfigReference], hash: impl Fn(&ConfigReference) -> String) -> Self {
        let given = declared.iter().filter(|reference| has_default(reference));
        Self::default().overlaid(hashed(given, hash))
    }

    /// Returns the layers with a higher layer on top, which replaces every kind that it mentions as a whole.
    #[must_use]
    pub fn overlaid(&self, over: impl IntoIterator<Item = Desired>) -> Self {
        let mut layers = self.clone();
        let mut replaced = BTreeSet::new();
        for desired in over {
            let kind = desired.reference.group_resource();
            let list = layers.0.entry(kind.clone()).or_default();
            if replaced.insert(kind) {
                list.clear();
            }
            if !list.iter().any(|known| known.reference == desired.reference) {
                list.push(desired);
            }
        }
        layers
    }

    /// Iterates over the configurations, kind by kind.
    pub fn iter(&self) -> impl Iterator<Item = &Desired> {
        self.0.values().flatten()
    }

    /// Returns the configurations as a list, kind by kind.
    pub fn to_vec(&self) -> Vec<Desired> {
        self.iter().cloned().collect()
    }
}

/// Returns `true` if an entry of `spec.defaultConfigs` names an object, rather than just declaring its kind as supported.
pub fn has_default(declared: &ConfigReference) -> bool {
    !declared.name.is_empty() && declared.name != key::RESERVED_NO_DEFAULT
}

/// Adds hashes from `hash` to configurations.
pub fn hashed<'a>(
    references: impl IntoIterator<Item = &'a ConfigReference>,
    hash: impl Fn(&ConfigReference) -> String,
) -> impl Iterator<Item = Desired> {
    references.into_iter().map(move |reference| Desired { reference: reference.clone(), spec_hash: hash(reference) })
}

/// Returns the lowest layer with the hashes from the status of the add-on.
pub fn assigned_defaults(addon: &ClusterManagementAddOn) -> Layers {
    let assigned = addon.status.as_ref().map(|status| status.default_config_references.as_slice()).unwrap_or_default();
    Layers::defaults(&addon.spec.default_configs, |reference| assigned_hash(assigned, reference))
}

/// Returns the highest layer, a cluster's own configurations, with the hashes from its status. Objects that its status does
/// not list yet have empty hashes.
pub fn assigned_own(addon: &ManagedClusterAddOn) -> Vec<Desired> {
    hashed(&addon.spec.configs, |reference| assigned_hash(addon.config_references(), reference)).collect()
}

/// Returns `true` if a list contains a configuration twice. Upstream compares a cluster whose own list does so with its
/// placement by the number of entries, and therefore never counts it as done or failed.
pub fn repeats(own: &[ConfigReference]) -> bool {
    let mut seen = BTreeSet::new();
    !own.iter().all(|reference| seen.insert(reference))
}

/// Returns the first configuration of the given resource in the add-on group. Upstream never uses more than one.
pub fn first<'a>(desired: &'a [Desired], resource: &str) -> Option<&'a Desired> {
    desired.iter().find(|d| d.reference.group == key::ADDON_GROUP && d.reference.resource == resource)
}

/// Returns the configuration that the objects of a cluster are rendered from: its AddOnTemplate, or the content of its application.
pub fn content(desired: &[Desired]) -> Option<&Desired> {
    desired.iter().find(|desired| is_content(&desired.reference.group, &desired.reference.resource))
}

/// Returns `true` if objects are rendered from configurations of this kind.
pub fn is_content(group: &str, resource: &str) -> bool {
    matches!((group, resource), (key::ADDON_GROUP, key::ADDON_TEMPLATES) | (key::APPLICATION_GROUP, key::APPLICATIONS))
}
