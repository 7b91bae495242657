//! What is above the clusters: Placements with their groups, add-ons, and objects that belong to an instance.

use std::collections::BTreeMap;

use serde_json::Value;

use super::marks::Marks;
use crate::snapshot::record::{Group, HubAddon, HubObject, HubPlacement, Owner, Unreadable};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::object_key;
use tidegate_api::ocm::cluster_management_addon::{ClusterManagementAddOn, ClusterManagementAddOnStatus};
use tidegate_api::ocm::placement::{Placement, PlacementDecision, PlacementStatus};
use tidegate_delivery::upstream::copy;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;
use tidegate_rollout::placement::{placement_of, read_decisions, wants_scheduling};

/// The groups in the decisions of each Placement.
pub(super) type Decided = BTreeMap<NamespacedName, Vec<DecisionGroup>>;

/// Reads the decisions of a hub. Those that cannot be read are left out: a plan then treats them as missing, and removes nothing.
pub(super) fn decided(fleet: &Fleet) -> Decided {
    let mut pages: BTreeMap<NamespacedName, Vec<&PlacementDecision>> = BTreeMap::new();
    for decision in fleet.decisions.values() {
        if let Some(placement) = placement_of(decision) {
            pages.entry(placement).or_default().push(decision);
        }
    }
    let read = |(name, pages): (NamespacedName, Vec<&PlacementDecision>)| {
        let groups = read_decisions(pages.into_iter(), &name).ok()?;
        Some((name, groups))
    };
    pages.into_iter().filter_map(read).collect()
}

/// Records the Placements of a hub, including those of which only decisions are left.
pub(super) fn placements(fleet: &Fleet, decided: &Decided) -> BTreeMap<String, HubPlacement> {
    let mut placements: BTreeMap<String, HubPlacement> =
        fleet.placements.iter().map(|(name, observed)| (name.to_string(), placement(fleet, name, observed))).collect();
    for (name, groups) in decided {
        let group = |group: &DecisionGroup| Group { index: group.index, name: group.name.clone() };
        placements.entry(name.to_string()).or_default().groups = groups.iter().map(group).collect();
    }
    placements
}

fn placement(fleet: &Fleet, name: &NamespacedName, observed: &Placement) -> HubPlacement {
    let key = object_key::placement(&name.namespace, &name.name);
    // As on the hub, with the fields that the type does not know.
    let raw = fleet.declared.get(&key).and_then(|object| object.get("spec")?.as_object().cloned());
    let typed = || serde_json::to_value(&observed.spec).ok()?.as_object().cloned();
    HubPlacement {
        spec: Some(raw.or_else(typed).unwrap_or_default()),
        unscheduled: observed.metadata.deletion_timestamp.is_none() && !wants_scheduling(observed),
        deleting: observed.metadata.deletion_timestamp.as_ref().map(|at| at.0),
        status: observed.status.clone().map(settled),
        groups: Vec::new(),
    }
}

/// Returns a status without what changes although nothing has happened, and without the names of decisions, which follow from the groups.
fn settled(mut status: PlacementStatus) -> PlacementStatus {
    status.last_score_update_time = None;
    status.decision_groups.iter_mut().for_each(|group| group.decisions.clear());
    status.conditions.iter_mut().for_each(|condition| condition.observed_generation = None);
    status
}

/// Records the ClusterManagementAddOns of a hub.
pub(super) fn addons(fleet: &Fleet, marks: &mut Marks<'_>) -> BTreeMap<UnitName, HubAddon> {
    let mut addon = |addon: &ClusterManagementAddOn| HubAddon {
        owner: marks.owner(Mark::of(&addon.metadata)),
        lifecycle: addon.metadata.annotations.as_ref().and_then(|a| a.get(key::LIFECYCLE)).cloned().unwrap_or_default(),
        spec: addon.spec.clone(),
        status: addon.status.clone().map(|mut status: ClusterManagementAddOnStatus| {
            // Their messages have the numbers of clusters, which follow from the clusters.
            status.install_progressions.iter_mut().for_each(|progression| progression.conditions.clear());
            status
        }),
    };
    fleet.addons.iter().map(|(name, observed)| (name.into(), addon(observed))).collect()
}

/// Records the objects that belong to an instance, without their content. Add-ons on clusters are in the lines of their clusters; Secrets
/// and copies of configurations are left out.
pub(super) fn objects(fleet: &Fleet, marks: &mut Marks<'_>) -> Vec<HubObject> {
    let is_recorded = |key: &ObjectKey, object: &Value| {
        !matches!(key.kind.as_str(), "ManagedClusterAddOn" | "Secret") && copy::original(object).is_none()
    };
    let recorded = fleet.declared.iter().filter(|(key, object)| is_recorded(key, object));
    let marked = recorded.map(|(key, object)| (key, object, Mark::of_object(object)));
    let marked = marked.filter(|(_, _, mark)| mark.is_some());
    marked.map(|(key, object, mark)| self::object(key, object, marks.owner(mark))).collect()
}

fn object(key: &ObjectKey, object: &Value, owner: Owner) -> HubObject {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
    let ObjectKey { group, kind, namespace, name } = key.clone();
    HubObject {
        group,
        kind,
        namespace,
        name,
        owner,
        deleting: text("/metadata/deletionTimestamp").and_then(|at| at.parse::<Timestamp>().ok()),
    }
}

/// Records the objects that could not be read.
pub(super) fn unreadable(fleet: &Fleet) -> Vec<Unreadable> {
    let row = |(key, why): (&ObjectKey, &String)| {
        let ObjectKey { group, kind, namespace, name } = key.clone();
        Unreadable { group, kind, namespace, name, why: why.clone() }
    };
    fleet.unreadable.iter().map(row).collect()
}
