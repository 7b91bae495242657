//! Configuration layers: default < placement < cluster, replaced kind by kind and never merged inside one.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use std::collections::{BTreeMap, BTreeSet};

use crate::api::key;
use crate::api::ocm::config_reference::{ConfigReference, GroupResource};
use crate::repository::Addon;

/// A configuration with its hash, as a cluster should have it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Desired {
    /// The object.
    pub reference: ConfigReference,
    /// The hash of its spec.
    pub spec_hash: String,
}

/// References by kind of configuration.
///
/// # Shape
/// Kinds are sorted by group and resource; the objects of a kind keep the order in which they were given, without duplicates.
pub type Layers = BTreeMap<GroupResource, Vec<ConfigReference>>;

/// Returns the lowest layer: the default configurations of an add-on.
pub fn defaults(addon: &Addon) -> Layers {
    let given = addon.declaration.spec.default_configs.iter();
    let mut layers = Layers::new();
    for reference in given.filter(|r| !r.name.is_empty() && r.name != key::RESERVED_NO_DEFAULT) {
        push(&mut layers, reference);
    }
    layers
}

/// Returns the layers with a higher one laid over them: every kind that it mentions is replaced as a whole.
pub fn overlaid(base: &Layers, over: &[ConfigReference]) -> Layers {
    let mut layers = base.clone();
    for kind in over.iter().map(ConfigReference::group_resource).collect::<BTreeSet<_>>() {
        layers.insert(kind, Vec::new());
    }
    over.iter().for_each(|reference| push(&mut layers, reference));
    layers
}

fn push(layers: &mut Layers, reference: &ConfigReference) {
    let list = layers.entry(reference.group_resource()).or_default();
    if !list.contains(reference) {
        list.push(reference.clone());
    }
}

/// Returns the configurations of the layers with their hashes, in the order of the layers.
///
/// An object that the repository does not have gets an empty hash, with which no cluster ever completes; the loader blocks
/// such an add-on before it comes here.
pub fn hashed(layers: &Layers, addon: &Addon) -> Vec<Desired> {
    let hash = |reference: &ConfigReference| addon.configurations.get(reference).map(|c| c.spec_hash.clone());
    layers
        .values()
        .flatten()
        .map(|reference| Desired { reference: reference.clone(), spec_hash: hash(reference).unwrap_or_default() })
        .collect()
}

/// Returns the first configuration of a resource of the add-on group: upstream never uses more than one.
pub fn first<'a>(desired: &'a [Desired], resource: &str) -> Option<&'a Desired> {
    desired.iter().find(|d| d.reference.group == key::ADDON_GROUP && d.reference.resource == resource)
}
