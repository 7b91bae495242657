//! Configuration layers: default < placement < cluster, replaced kind by kind and never merged inside one.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use std::collections::{BTreeMap, BTreeSet};

use super::desired::Desired;
use super::entry::told_hash;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::config_reference::{ConfigReference, GroupResource};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;

/// Configurations by kind.
///
/// # Shape
/// Kinds are sorted by group and resource; the objects of a kind keep the order in which they were given, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layers(BTreeMap<GroupResource, Vec<Desired>>);

impl Layers {
    /// Returns the lowest layer: the default configurations of an add-on, as declared, with the hashes that `hash` knows.
    pub fn defaults(declared: &[ConfigReference], hash: impl Fn(&ConfigReference) -> String) -> Self {
        let given = declared.iter().filter(|reference| has_default(reference));
        Self::default().overlaid(hashed(given, hash))
    }

    /// Returns the layers with a higher one laid over them: every kind that it mentions is replaced as a whole.
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

    /// Returns the configurations, kind after kind.
    pub fn iter(&self) -> impl Iterator<Item = &Desired> {
        self.0.values().flatten()
    }

    /// Returns the configurations, kind after kind, as a list.
    pub fn to_vec(&self) -> Vec<Desired> {
        self.iter().cloned().collect()
    }
}

/// Returns `true` if an entry of `spec.defaultConfigs` names an object, and does not only declare that its kind is supported.
pub fn has_default(declared: &ConfigReference) -> bool {
    !declared.name.is_empty() && declared.name != key::RESERVED_NO_DEFAULT
}

/// Gives configurations the hashes that `hash` knows.
pub fn hashed<'a>(
    references: impl IntoIterator<Item = &'a ConfigReference>,
    hash: impl Fn(&ConfigReference) -> String,
) -> impl Iterator<Item = Desired> {
    references.into_iter().map(move |reference| Desired { reference: reference.clone(), spec_hash: hash(reference) })
}

/// Returns the lowest layer with the hashes that the status of the add-on tells.
pub fn told_defaults(addon: &ClusterManagementAddOn) -> Layers {
    let told = addon.status.as_ref().map(|status| status.default_config_references.as_slice()).unwrap_or_default();
    Layers::defaults(&addon.spec.default_configs, |reference| told_hash(told, reference))
}

/// Returns the highest layer, a cluster's own configurations, with the hashes that its status tells: hashes of objects
/// that are not in force there yet are empty.
pub fn told_own(addon: &ManagedClusterAddOn) -> Vec<Desired> {
    let told = addon.status.as_ref().map(|status| status.config_references.as_slice()).unwrap_or_default();
    hashed(&addon.spec.configs, |reference| told_hash(told, reference)).collect()
}

/// Returns `true` if a configuration stands twice in a list. Upstream compares a cluster that has such a list of its own with
/// its placement by the number of entries, and so never counts it as done or failed.
pub fn repeats(own: &[ConfigReference]) -> bool {
    let mut seen = BTreeSet::new();
    !own.iter().all(|reference| seen.insert(reference))
}

/// Returns the first configuration of a resource of the add-on group: upstream never uses more than one.
pub fn first<'a>(desired: &'a [Desired], resource: &str) -> Option<&'a Desired> {
    desired.iter().find(|d| d.reference.group == key::ADDON_GROUP && d.reference.resource == resource)
}
