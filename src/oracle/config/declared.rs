//! The repository of a case: what upstream's controller finds declared, in the form in which a plan reads it.
//!
//! Upstream's controller does not read configuration objects. It finds their hashes in the statuses that other controllers have
//! written, and a placement counts once it has an entry there.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::case::Case;
use super::view;
use tidegate_api::ocm::cluster_management_addon::{InstallStrategy, PlacementStrategy};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_delivery::status::{Desired, Entry as _, Layers, install, layer};
use tidegate_model::digest::Digest;
use tidegate_model::name::{AddonName, NamespacedName};
use tidegate_model::semantics::Semantics;
use tidegate_repository::{Configuration, Repository, Settings, Source, Unit};

/// A placement of the add-on that has an entry in its status.
pub(super) struct Listed<'a> {
    /// Namespace and name of the placement.
    pub(super) name: NamespacedName,
    /// How it is rolled out.
    pub(super) strategy: &'a PlacementStrategy,
    /// The configurations in its entry, on top of the defaults.
    pub(super) layers: Layers,
}

/// Returns the placements in the order of the status.
pub(super) fn listed(case: &Case) -> Vec<Listed<'_>> {
    let addon = &case.cluster_management_addon;
    let entries = addon.status.iter().filter(|_| !install::is_manual(addon)).flat_map(|s| &s.install_progressions);
    let defaults = layer::assigned_defaults(addon);
    let mut listed = Vec::new();
    for entry in entries {
        let layers = defaults.overlaid(entry.config_references.iter().filter_map(|reference| reference.desired()));
        let name = NamespacedName::new(&entry.namespace, &entry.name);
        let strategies = addon.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements);
        let its = strategies.filter(|its| its.namespace == entry.namespace && its.name == entry.name);
        listed.extend(its.map(|strategy| Listed { name: name.clone(), strategy, layers: layers.clone() }));
    }
    listed
}

/// Returns the repository with the placements of a case.
pub(super) fn with_placements(case: &Case, name: &AddonName, listed: &[Listed<'_>]) -> Repository {
    let mut configurations = own(case);
    let strategies = listed.iter().enumerate().map(|(index, listed)| {
        let desired: Vec<Desired> = listed.layers.iter().map(|d| view::seen(d, &index.to_string())).collect();
        configurations.extend(desired.iter().cloned());
        let configs = desired.into_iter().map(|desired| desired.reference).collect();
        PlacementStrategy { configs, ..listed.strategy.clone() }
    });
    let strategy = InstallStrategy { type_: "Placements".to_owned(), placements: strategies.collect() };
    repository(case, name, (Vec::new(), Some(strategy)), configurations)
}

/// Returns the repository without any placement: all clusters are chosen by hand.
pub(super) fn by_hand(case: &Case, name: &AddonName) -> Repository {
    let defaults = layer::assigned_defaults(&case.cluster_management_addon);
    let defaults: Vec<Desired> = defaults.iter().map(|desired| view::seen(desired, view::BY_HAND)).collect();
    let mut configurations = own(case);
    configurations.extend(defaults.iter().cloned());
    let declared = defaults.into_iter().map(|desired| desired.reference).collect();
    repository(case, name, (declared, None), configurations)
}

fn own(case: &Case) -> Vec<Desired> {
    case.managed_cluster_addons.iter().flat_map(view::own).collect()
}

fn repository(
    case: &Case,
    name: &AddonName,
    (defaults, strategy): (Vec<ConfigReference>, Option<InstallStrategy>),
    configurations: Vec<Desired>,
) -> Repository {
    let mut declaration = case.cluster_management_addon.clone();
    declaration.spec.default_configs = defaults;
    declaration.spec.install_strategy = strategy;
    let placements = case.placements.iter().filter_map(|placement| {
        let name = NamespacedName::new(placement.metadata.namespace.as_deref()?, placement.metadata.name.as_deref()?);
        Some((name, Arc::new(placement.clone())))
    });
    let known = |Desired { reference, spec_hash }| {
        (reference, Configuration { object: Arc::new(Value::Null), spec_hash, deployment_config: None })
    };
    let addon = Unit {
        source: Source::AddOn { name: name.clone(), declaration: Arc::new(declaration) },
        configurations: configurations.into_iter().map(known).collect(),
        overrides: BTreeMap::new(),
        // No decision depends on it.
        digest: Digest::default(),
        per_cluster: None,
    };
    Repository {
        settings: Settings { semantics: Semantics::Compat, ..Settings::default() },
        addons: [(name.into(), addon)].into_iter().collect(),
        placements: placements.collect(),
        ..Repository::default()
    }
}
