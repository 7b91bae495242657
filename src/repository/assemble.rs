//! From objects to add-ons: each with everything that it refers to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::declared::{Declared, is_addon_kind};
use super::held::Held;
use super::settings::Settings;
use crate::api::key;
use crate::api::ocm::cluster_management_addon::ClusterManagementAddOn;
use crate::api::ocm::config_reference::ConfigReference;
use crate::api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use crate::api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use crate::api::ocm::placement::Placement;
use crate::model::canonical::spec_hash;
use crate::model::name::{AddonName, ClusterName, NamespacedName};
use crate::model::object::ObjectKey;

/// What a revision declares.
#[derive(Debug, Clone, Default)]
pub struct Repository {
    /// How the repository wants to be read.
    pub settings: Settings,
    /// Every object, as it is to be applied.
    pub objects: BTreeMap<ObjectKey, Declared>,
    /// The add-ons, with everything that they refer to.
    pub addons: BTreeMap<AddonName, Addon>,
    /// The Placements.
    pub placements: BTreeMap<NamespacedName, Arc<Placement>>,
    /// The cluster sets, by name.
    pub cluster_sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    /// The bindings of cluster sets.
    pub cluster_set_bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    /// The add-ons that complaints block, each with the first of them. Set by [`load`](super::load).
    pub blocked: BTreeMap<AddonName, String>,
    /// The add-ons that are kept on an older revision. Set by [`hold`](super::hold).
    pub held: BTreeMap<AddonName, Held>,
    /// Files of which not everything could be read.
    pub unreadable: BTreeSet<String>,
    /// Whether what is not here may be taken for gone: never while there is a complaint.
    pub may_prune: bool,
}

/// An add-on with everything that it refers to.
#[derive(Debug, Clone)]
pub struct Addon {
    /// The ClusterManagementAddOn, with defaults.
    pub declaration: Arc<ClusterManagementAddOn>,
    /// Every configuration that the declaration or an override refers to.
    pub configurations: BTreeMap<ConfigReference, Configuration>,
    /// What single clusters have of their own.
    pub overrides: BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>,
}

/// A configuration object.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// The object, with defaults.
    pub object: Arc<Value>,
    /// The hash of its spec, as upstream computes it.
    pub spec_hash: String,
}

/// Returns the key of the object that a reference means, `None` if there is none.
///
/// References name a plural resource; the kinds of an add-on are known, and of others the plural is the kind in lower case with
/// an `s`, as it is of almost all.
pub(super) fn referent<'a>(
    reference: &ConfigReference,
    objects: &'a BTreeMap<ObjectKey, Declared>,
) -> Option<&'a ObjectKey> {
    let is_it = |key: &&ObjectKey| {
        key.group == reference.group
            && key.namespace == reference.namespace
            && key.name == reference.name
            && is_plural(&key.kind, &reference.resource)
    };
    objects.keys().find(is_it)
}

pub(super) fn is_plural(kind: &str, resource: &str) -> bool {
    let kind = kind.to_lowercase();
    resource.strip_suffix('s') == Some(&kind)
        || resource.strip_suffix("es") == Some(&kind)
        || resource.strip_suffix("ies").is_some_and(|stem| kind.strip_suffix('y') == Some(stem))
}

/// Reads an object with its defaults as its type; a kind that its schema accepts can be read.
pub(super) fn typed<T: DeserializeOwned>(declared: &Declared) -> Result<T, String> {
    let mut value = (*declared.defaulted).clone();
    if value.get("spec").is_none_or(Value::is_null) {
        value["spec"] = serde_json::json!({});
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// Returns every configuration reference of an add-on's declaration.
pub(super) fn references(declaration: &ClusterManagementAddOn) -> Vec<ConfigReference> {
    let defaults = declaration.spec.default_configs.iter().filter(|r| r.name != key::RESERVED_NO_DEFAULT);
    let placements = declaration.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements);
    defaults.chain(placements.flat_map(|placement| &placement.configs)).cloned().collect()
}

/// Fills in what follows from the objects: add-ons, placements, sets and bindings.
pub(super) fn assemble(repository: &mut Repository) {
    let objects = &repository.objects;
    let of_kind = |group: &'static str, kind: &'static str| {
        objects.iter().filter(move |(key, _)| key.group == group && key.kind == kind)
    };
    let mut overrides: BTreeMap<AddonName, BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>> = BTreeMap::new();
    for (key, declared) in of_kind(key::ADDON_GROUP, "ManagedClusterAddOn") {
        let names = (key.name.parse::<AddonName>(), key.namespace.parse::<ClusterName>());
        if let (Ok(addon), Ok(cluster)) = names
            && let Ok(typed) = typed(declared)
        {
            overrides.entry(addon).or_default().insert(cluster, Arc::new(typed));
        }
    }
    repository.addons = of_kind(key::ADDON_GROUP, "ClusterManagementAddOn")
        .filter_map(|(key, declared)| {
            let name: AddonName = key.name.parse().ok()?;
            let declaration: ClusterManagementAddOn = typed(declared).ok()?;
            let overrides = overrides.remove(&name).unwrap_or_default();
            let own = overrides.values().flat_map(|addon| addon.spec.configs.iter().cloned());
            let configurations = references(&declaration)
                .into_iter()
                .chain(own)
                .filter_map(|reference| {
                    let object = objects.get(referent(&reference, objects)?)?.defaulted.clone();
                    let spec_hash = spec_hash(&object);
                    Some((reference, Configuration { object, spec_hash }))
                })
                .collect();
            Some((name, Addon { declaration: Arc::new(declaration), configurations, overrides }))
        })
        .collect();
    let namespaced = |key: &ObjectKey| NamespacedName::new(&key.namespace, &key.name);
    repository.placements = of_kind(key::CLUSTER_GROUP, "Placement")
        .filter_map(|(key, declared)| Some((namespaced(key), Arc::new(typed(declared).ok()?))))
        .collect();
    repository.cluster_sets = of_kind(key::CLUSTER_GROUP, "ManagedClusterSet")
        .filter_map(|(key, declared)| Some((key.name.clone(), Arc::new(typed(declared).ok()?))))
        .collect();
    repository.cluster_set_bindings = of_kind(key::CLUSTER_GROUP, "ManagedClusterSetBinding")
        .filter_map(|(key, declared)| Some((namespaced(key), Arc::new(typed(declared).ok()?))))
        .collect();
}

/// Returns the keys of all objects that an add-on rests on: its declaration, Placements, configurations and overrides.
pub(super) fn dependencies(name: &AddonName, objects: &BTreeMap<ObjectKey, Declared>) -> BTreeSet<ObjectKey> {
    let own = ObjectKey::new(key::ADDON_GROUP, "ClusterManagementAddOn", "", name.as_str());
    let mut found = BTreeSet::new();
    let overrides =
        objects.iter().filter(|(key, _)| is_addon_kind(key, "ManagedClusterAddOn") && key.name == name.as_str());
    let mut configs: Vec<ConfigReference> = Vec::new();
    for (key, declared) in overrides {
        found.insert(key.clone());
        configs.extend(typed::<ManagedClusterAddOn>(declared).map(|addon| addon.spec.configs).unwrap_or_default());
    }
    if let Some(Ok(declaration)) = objects.get(&own).map(typed::<ClusterManagementAddOn>) {
        configs.extend(references(&declaration));
        let placements = declaration.spec.install_strategy.into_iter().flat_map(|strategy| strategy.placements);
        found.extend(placements.map(|p| ObjectKey::new(key::CLUSTER_GROUP, "Placement", &p.namespace, &p.name)));
    }
    found.insert(own);
    found.extend(configs.iter().filter_map(|reference| referent(reference, objects)).cloned());
    found
}
