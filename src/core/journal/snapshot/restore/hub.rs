//! Sets, bindings, Placements, add-ons, and the objects that belong to an instance.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::decisions::groups;
use super::marks::{mark, metadata, namespaced, set};
use crate::snapshot::record::{HubAddon, HubObject, HubPlacement, Owner, Snapshot};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster_set::{
    ManagedClusterSet, ManagedClusterSetBinding, ManagedClusterSetBindingSpec,
};
use tidegate_api::ocm::placement::{Placement, PlacementSpec};
use tidegate_model::name::{AddonName, NamespacedName};
use tidegate_model::object::ObjectKey;
use tidegate_rollout::placement::pages;

pub(super) fn sets(snapshot: &Snapshot) -> BTreeMap<String, Arc<ManagedClusterSet>> {
    let set = |(name, spec): (&String, &_)| {
        let object = ManagedClusterSet { metadata: metadata("", name, None), spec: Clone::clone(spec), status: None };
        (name.clone(), Arc::new(object))
    };
    snapshot.cluster_sets.iter().map(set).collect()
}

pub(super) fn bindings(snapshot: &Snapshot) -> BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>> {
    let binding = |text: &String| {
        let name = namespaced(text);
        let spec = ManagedClusterSetBindingSpec { cluster_set: name.name.clone() };
        let metadata = metadata(&name.namespace, &name.name, None);
        (name, Arc::new(ManagedClusterSetBinding { metadata, spec, status: None }))
    };
    snapshot.cluster_set_bindings.iter().map(binding).collect()
}

/// Returns the Placements, and those that could not be read.
pub(super) fn placements(
    snapshot: &Snapshot,
) -> (BTreeMap<NamespacedName, Arc<Placement>>, BTreeMap<ObjectKey, String>) {
    let (mut placements, mut unreadable) = (BTreeMap::new(), BTreeMap::new());
    let groups = groups(snapshot);
    for (text, recorded) in &snapshot.placements {
        let (name, Some(spec)) = (namespaced(text), &recorded.spec) else { continue };
        match serde_json::from_value::<PlacementSpec>(Value::Object(spec.clone())) {
            Ok(spec) => {
                let statuses = groups.get(text.as_str()).map(|groups| pages(&name, groups).1).unwrap_or_default();
                let mut placement = placement(&name, recorded, spec);
                for group in placement.status.iter_mut().flat_map(|status| &mut status.decision_groups) {
                    let paged = statuses.iter().find(|paged| paged.decision_group_index == group.decision_group_index);
                    group.decisions = paged.map(|paged| paged.decisions.clone()).unwrap_or_default();
                }
                placements.insert(name, Arc::new(placement));
            }
            Err(error) => drop(unreadable.insert(key_of(&name), error.to_string())),
        }
    }
    (placements, unreadable)
}

fn key_of(name: &NamespacedName) -> ObjectKey {
    object_key::placement(&name.namespace, &name.name)
}

fn placement(name: &NamespacedName, recorded: &HubPlacement, spec: PlacementSpec) -> Placement {
    let mut metadata = metadata(&name.namespace, &name.name, recorded.deleting);
    if recorded.unscheduled {
        set(&mut metadata.annotations, key::SCHEDULING_DISABLED, "true");
    }
    Placement { metadata, spec, status: recorded.status.clone() }
}

pub(super) fn addons(snapshot: &Snapshot) -> BTreeMap<AddonName, Arc<ClusterManagementAddOn>> {
    let addon = |(name, recorded): (&AddonName, &HubAddon)| {
        let mut metadata = metadata("", name.as_str(), None);
        mark(snapshot, &mut metadata, &recorded.owner);
        // A plan with native delivery does not touch an add-on that the add-on manager drives.
        let lifecycle = if snapshot.manager_delivers { key::LIFECYCLE_SELF } else { &recorded.lifecycle };
        if !lifecycle.is_empty() {
            set(&mut metadata.annotations, key::LIFECYCLE, lifecycle);
        }
        let (spec, status) = (recorded.spec.clone(), recorded.status.clone());
        (name.clone(), Arc::new(ClusterManagementAddOn { metadata, spec, status }))
    };
    snapshot.addons.iter().filter_map(|(name, recorded)| Some(addon((name.addon()?, recorded)))).collect()
}

/// Returns the objects that belong to an instance, without their content, and the Placements with their specs.
pub(super) fn declared(snapshot: &Snapshot) -> BTreeMap<ObjectKey, Arc<Value>> {
    let mut objects: BTreeMap<ObjectKey, Value> = BTreeMap::new();
    let placements = snapshot.placements.iter().filter_map(|(name, placement)| Some((name, placement.spec.as_ref()?)));
    for (name, spec) in placements {
        let name = namespaced(name);
        let metadata = metadata(&name.namespace, &name.name, None);
        objects.insert(key_of(&name), json!({ "kind": "Placement", "metadata": metadata, "spec": spec }));
    }
    for object in &snapshot.objects {
        let HubObject { group, kind, namespace, name, owner, deleting } = object;
        let mut metadata = metadata(namespace, name, *deleting);
        mark(snapshot, &mut metadata, owner);
        if *owner != Owner::none() {
            set(&mut metadata.labels, key::OWNED_LABEL, "true");
        }
        let entry =
            objects.entry(ObjectKey::new(group, kind, namespace, name)).or_insert_with(|| json!({ "kind": kind }));
        entry["metadata"] = json!(metadata);
    }
    objects.into_iter().map(|(key, object)| (key, Arc::new(object))).collect()
}
