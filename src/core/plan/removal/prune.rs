//! Deletes objects from the hub that left the repository: only those that this instance owns, not too many at once, and not while
//! clusters still need them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::brake::{Removal, brake};
use crate::hub_objects::ownership::Owner;
use crate::input::Input;
use crate::report::hold::Hold;
use crate::report::obstacle::Obstacle;
use tidegate_api::fleet::ClusterAddons;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_delivery::upstream::copy;
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::{AddonName, ClusterName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;

/// The objects that leave the hub, and what people should know about it.
#[derive(Debug, Default)]
pub(crate) struct Pruned {
    /// The writes.
    pub lanes: Vec<Lane>,
    /// What is held back, and why.
    pub notices: Vec<String>,
    /// The removal that is held, if one is.
    pub hold: Option<Hold>,
    /// The units that left the repository and are to leave the hub; they are removed from their clusters first.
    pub leaving: BTreeSet<UnitName>,
    /// Why nothing leaves the hub, if there is a reason.
    pub obstacle: Option<Obstacle>,
}

/// Decides which objects leave the hub.
///
/// Objects that an add-on needs while it is being removed from its clusters stay until that is complete.
pub(crate) fn pruned(input: &Input<'_>) -> Pruned {
    let settings = &input.repository.settings.prune;
    let ownership = input.ownership();
    let is_declared =
        |key: &ObjectKey, object: &Value| key.kind != "ManagedClusterAddOn" && copy::original(object).is_none();
    let owned = input
        .fleet
        .declared
        .iter()
        .filter(|(key, object)| is_declared(key, object) && ownership.of_object(object) == Owner::Ours);
    let owned: BTreeMap<&ObjectKey, &Value> = owned.map(|(key, object)| (key, &**object)).collect();
    // Another controller may have delivered what Tidegate delivers now, and would take it back: with the application, or without the
    // definitions that it uses.
    let is_application =
        |key: &ObjectKey| input.repository.settings.applications.enabled && key.group == key::APPLICATION_GROUP;
    let is_left = |key: &ObjectKey, object: &Value| {
        !input.repository.objects.contains_key(key)
            && !is_application(key)
            && object.pointer("/metadata/deletionTimestamp").is_none()
    };
    let left: BTreeMap<&ObjectKey, &Value> =
        owned.iter().filter(|(key, object)| is_left(key, object)).map(|(key, object)| (*key, *object)).collect();
    let mut pruned = Pruned::default();
    let addons = left.keys().filter_map(|key| addon(key)).map(UnitName::from);
    pruned.leaving = addons.chain(applications(input)).collect();
    if left.is_empty() && pruned.leaving.is_empty() {
        return pruned;
    }
    // Unless something new is decided, what was held stays held.
    pruned.hold.clone_from(&input.past.report.hold);
    pruned.obstacle = if !settings.enabled {
        Some(Obstacle::Kept { why: "prune.enabled in tidegate.toml is false".to_owned() })
    } else if !input.repository.may_prune {
        Some(Obstacle::Kept { why: "the revision has complaints".to_owned() })
    } else {
        pruned.hold = held(input, &left, &owned);
        pruned.hold.clone().filter(Hold::is_open).map(Obstacle::Objects)
    };
    if let Some(obstacle) = &pruned.obstacle {
        if left.is_empty() {
            return pruned;
        }
        let what = objects(left.len());
        pruned.notices.push(match obstacle {
            Obstacle::Kept { why } => format!("{what} no longer in the repository; nothing is removed: {why}"),
            held => format!("{held}; {}", held.opens()),
        });
        return pruned;
    }
    let needed = needed(input, &pruned.leaving);
    pruned.lanes = left
        .into_iter()
        .filter(|(key, _)| !needed.contains(*key))
        .filter_map(|(key, object)| {
            let uid = object.pointer("/metadata/uid")?.as_str()?.to_owned();
            let precondition = Precondition { uid, resource_version: None };
            Some(Lane { stage: Stage::Prune, writes: vec![Write::Delete { key: key.clone(), precondition }] })
        })
        .collect();
    pruned
}

/// Returns the hold on the removal of the objects that are `left` of those that this instance has `owned`.
fn held(input: &Input<'_>, left: &BTreeMap<&ObjectKey, &Value>, owned: &BTreeMap<&ObjectKey, &Value>) -> Option<Hold> {
    let before = input.past.report.hold.as_ref();
    let removal = Removal {
        going: left.keys().map(|key| key.to_string()).collect(),
        total: owned.len(),
        limits: &input.repository.settings.prune,
        counts_clusters: false,
        revision: input.revision,
    };
    // Deleting a ManagedCluster removes every add-on of the cluster, so clusters have a brake of their own.
    let is_cluster = |key: &&ObjectKey| key.group == key::CLUSTER_GROUP && key.kind == "ManagedCluster";
    let clusters = Removal {
        going: left.keys().copied().filter(is_cluster).map(ToString::to_string).collect(),
        total: owned.keys().copied().filter(is_cluster).count(),
        counts_clusters: true,
        ..removal.clone()
    };
    let held = [brake(&clusters, before), brake(&removal, before)];
    let is_open = |hold: &Option<Hold>| hold.as_ref().is_some_and(Hold::is_open);
    held.iter().find(|hold| is_open(hold)).or(held.iter().find(|hold| hold.is_some())).cloned().flatten()
}

fn objects(count: usize) -> String {
    if count == 1 { "1 object is".to_owned() } else { format!("{count} objects are") }
}

/// Returns the add-on that an object declares.
fn addon(key: &ObjectKey) -> Option<AddonName> {
    let is_addon = key.group == key::ADDON_GROUP && key.kind == "ClusterManagementAddOn";
    if is_addon { key.name.parse().ok() } else { None }
}

/// Returns the applications of this instance that left the repository, and that clusters still have. While applications are switched off, none
/// is known to have left.
fn applications<'a>(input: &Input<'a>) -> impl Iterator<Item = UnitName> + use<'a> {
    let (repository, ownership) = (input.repository, input.ownership());
    let is_left = move |(unit, clusters): &(&UnitName, &Shared<ClusterAddons>)| {
        repository.settings.applications.enabled
            && unit.addon().is_none()
            && !repository.addons.contains_key(*unit)
            && !repository.blocked.contains_key(*unit)
            && !repository.candidates.contains_key(*unit)
            && clusters.values().any(|addon| ownership.of_install(addon) == Owner::Ours)
    };
    input.fleet.cluster_addons.iter().filter(is_left).map(|(unit, _)| unit.clone())
}

/// Returns the objects that leaving add-ons need as long as some cluster has them, including the clusters that still have one.
fn needed(input: &Input<'_>, leaving: &BTreeSet<UnitName>) -> BTreeSet<ObjectKey> {
    let mut needed = BTreeSet::new();
    for name in leaving.iter().filter_map(UnitName::addon) {
        let clusters: Vec<&ClusterName> =
            input.fleet.cluster_addons.get(name.as_str()).into_iter().flat_map(|clusters| clusters.keys()).collect();
        // An add-on that cannot be read still exists.
        let is_unreadable = |key: &ObjectKey| key.kind == "ManagedClusterAddOn" && key.name == name.as_str();
        if clusters.is_empty() && !input.fleet.unreadable.keys().any(is_unreadable) {
            continue;
        }
        needed.insert(object_key::addon(name.as_str()));
        needed.extend(clusters.iter().map(|name| object_key::cluster(name.as_str())));
        if let Some(addon) = input.fleet.addons.get(name) {
            let needs = references(addon);
            needed.extend(needs.iter().map(|key| ObjectKey::new("", "Namespace", "", &key.namespace)));
            let bindings = input.fleet.cluster_set_bindings.keys();
            let bindings = bindings.filter(|name| needs.iter().any(|key| key.namespace == name.namespace));
            let binding = |name: &tidegate_model::name::NamespacedName| {
                ObjectKey::new(key::CLUSTER_GROUP, "ManagedClusterSetBinding", &name.namespace, &name.name)
            };
            needed.extend(bindings.map(binding));
            needed.extend(needs);
        }
    }
    needed
}

/// Returns the Placements and configurations that an add-on on the hub refers to.
fn references(addon: &ClusterManagementAddOn) -> Vec<ObjectKey> {
    let strategy = addon.spec.install_strategy.iter();
    let placements = strategy.clone().flat_map(|strategy| &strategy.placements);
    let configs = addon.spec.default_configs.iter().chain(placements.clone().flat_map(|placement| &placement.configs));
    placements
        .map(|used| object_key::placement(&used.namespace, &used.name))
        .chain(configs.filter_map(ConfigReference::object_key))
        .collect()
}
