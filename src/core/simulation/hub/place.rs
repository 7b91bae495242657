//! Puts objects into the parts of a fleet.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use k8s_openapi::api::rbac::v1::RoleBinding;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tidegate_api::fleet::{ClusterWorks, Fleet, NamespaceBindings, unit_of_work};
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::ocm::placement::{Placement, PlacementDecision};
use tidegate_model::name::{AddonName, ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;

/// The kinds whose objects the fleet keeps as JSON.
const DECLARED: [&str; 4] = ["ClusterManagementAddOn", "AddOnTemplate", "AddOnDeploymentConfig", "Placement"];

/// A state of an object, read once for all fleets that contain it. An object that does not fit its type counts as absent: the simulation
/// writes none.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    json: Option<Arc<Value>>,
    typed: Option<Typed>,
}

#[derive(Debug, Clone)]
enum Typed {
    Cluster(Arc<ManagedCluster>),
    ClusterSet(Arc<ManagedClusterSet>),
    ClusterSetBinding(Arc<ManagedClusterSetBinding>),
    Placement(Arc<Placement>),
    Decision(Arc<PlacementDecision>),
    Addon(Arc<ClusterManagementAddOn>),
    ClusterAddon(Arc<ManagedClusterAddOn>),
    Work(UnitName, Arc<ManifestWork>),
    RoleBinding(UnitName, Arc<RoleBinding>),
}

impl Placed {
    /// Reads an object; `None` if it was deleted.
    pub(super) fn of(key: &ObjectKey, object: Option<&Arc<Value>>) -> Self {
        let is_owned = |object: &Value| object["metadata"]["labels"][key::OWNED_LABEL] == "true";
        let is_kept = |object: &&Arc<Value>| DECLARED.contains(&key.kind.as_str()) || is_owned(object);
        Self { json: object.filter(is_kept).cloned(), typed: object.and_then(|object| typed(&key.kind, object)) }
    }

    /// Puts the object into a fleet instead of its last state.
    pub(super) fn put(&self, fleet: &mut Fleet, key: &ObjectKey) {
        set(&mut fleet.declared, key.clone(), self.json.clone());
        remove(fleet, key);
        let name = || NamespacedName::new(&key.namespace, &key.name);
        let cluster = |name: &str| ClusterName::from_str(name).ok();
        match self.typed.clone() {
            Some(Typed::Cluster(object)) => drop(cluster(&key.name).map(|name| fleet.clusters.insert(name, object))),
            Some(Typed::ClusterSet(object)) => drop(fleet.cluster_sets.insert(key.name.clone(), object)),
            Some(Typed::ClusterSetBinding(object)) => drop(fleet.cluster_set_bindings.insert(name(), object)),
            Some(Typed::Placement(object)) => drop(fleet.placements.insert(name(), object)),
            Some(Typed::Decision(object)) => drop(fleet.decisions.insert(name(), object)),
            Some(Typed::Addon(object)) => {
                drop(AddonName::from_str(&key.name).map(|name| fleet.addons.insert(name, object)));
            }
            Some(Typed::ClusterAddon(object)) => {
                if let (Ok(addon), Some(cluster)) = (key.name.parse::<UnitName>(), cluster(&key.namespace)) {
                    fleet.cluster_addons.entry(addon).or_default().insert(cluster, object);
                }
            }
            Some(Typed::Work(addon, object)) => {
                if let Some(cluster) = cluster(&key.namespace) {
                    let works = fleet.works.entry(addon).or_default().entry(cluster).or_default();
                    works.insert(key.name.clone(), object);
                }
            }
            Some(Typed::RoleBinding(addon, object)) => {
                let namespaces = fleet.role_bindings.entry(addon).or_default();
                let bindings = namespaces.entry(key.namespace.clone()).or_default();
                bindings.insert(key.name.clone(), object);
            }
            None => {}
        }
    }
}

fn typed(kind: &str, object: &Value) -> Option<Typed> {
    let addon = || object["metadata"]["labels"][key::ADDON_NAME].as_str()?.parse().ok();
    Some(match kind {
        "ManagedCluster" => Typed::Cluster(read(object)?),
        "ManagedClusterSet" => Typed::ClusterSet(read(object)?),
        "ManagedClusterSetBinding" => Typed::ClusterSetBinding(read(object)?),
        "Placement" => Typed::Placement(read(object)?),
        "PlacementDecision" => Typed::Decision(read(object)?),
        "ClusterManagementAddOn" => Typed::Addon(read(object)?),
        "ManagedClusterAddOn" => Typed::ClusterAddon(read(object)?),
        "ManifestWork" => Typed::Work(unit_of_work(object).ok()??, read(object)?),
        "RoleBinding" => Typed::RoleBinding(addon()?, read(object)?),
        _ => return None,
    })
}

/// Removes an object from the part of a fleet that holds its kind.
fn remove(fleet: &mut Fleet, key: &ObjectKey) {
    let name = || NamespacedName::new(&key.namespace, &key.name);
    match key.kind.as_str() {
        "ManagedCluster" => drop(fleet.clusters.remove(key.name.as_str())),
        "ManagedClusterSet" => drop(fleet.cluster_sets.remove(&key.name)),
        "ManagedClusterSetBinding" => drop(fleet.cluster_set_bindings.remove(&name())),
        "Placement" => drop(fleet.placements.remove(&name())),
        "PlacementDecision" => drop(fleet.decisions.remove(&name())),
        "ClusterManagementAddOn" => drop(fleet.addons.remove(key.name.as_str())),
        "ManagedClusterAddOn" => {
            if let Some(clusters) = fleet.cluster_addons.get_mut(key.name.as_str()) {
                clusters.remove(key.namespace.as_str());
            }
            fleet.cluster_addons.retain(|_, clusters| !clusters.is_empty());
        }
        "ManifestWork" => {
            // The maps of other units stay the same in memory, as those of a real observation do.
            let has_work = |clusters: &ClusterWorks| {
                clusters.get(key.namespace.as_str()).is_some_and(|works| works.contains_key(&key.name))
            };
            for clusters in fleet.works.values_mut().filter(|clusters| has_work(clusters)) {
                if let Some(works) = clusters.get_mut(key.namespace.as_str()) {
                    works.remove(&key.name);
                }
                clusters.retain(|_, works| !works.is_empty());
            }
            fleet.works.retain(|_, clusters| !clusters.is_empty());
        }
        "RoleBinding" => {
            let has_binding = |namespaces: &NamespaceBindings| {
                namespaces.get(&key.namespace).is_some_and(|bindings| bindings.contains_key(&key.name))
            };
            for namespaces in fleet.role_bindings.values_mut().filter(|namespaces| has_binding(namespaces)) {
                if let Some(bindings) = namespaces.get_mut(&key.namespace) {
                    bindings.remove(&key.name);
                }
            }
        }
        _ => {}
    }
}

fn set<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) {
    match value {
        Some(value) => drop(map.insert(key, value)),
        None => drop(map.remove(&key)),
    }
}

fn read<T: DeserializeOwned>(object: &Value) -> Option<Arc<T>> {
    let read = if object.get("spec").is_some() {
        T::deserialize(object)
    } else {
        let mut object = object.clone();
        object["spec"] = json!({});
        T::deserialize(&object)
    };
    read.ok().map(Arc::new)
}
