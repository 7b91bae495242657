//! The controllers of a ClusterManagementAddOn. Each returns its next writes; none if everything is as it should be.

use std::collections::BTreeSet;

use serde::Deserialize as _;
use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_api::ocm::placement::PlacementDecisionStatus;
use tidegate_api::precondition::precondition;
use tidegate_delivery::status::{hash, install};
use tidegate_model::action::{Precondition, Write};
use tidegate_model::object::ObjectKey;

use crate::upstream::controllers::view::AddonView;
use crate::upstream::controls::Controller;
use crate::upstream::hub::kind::{ADDON, CLUSTER_ADDON, DECISION};
use crate::upstream::hub::write::status_write;

/// The controllers of a ClusterManagementAddOn.
pub(in crate::upstream) const CONTROLLERS: [Controller; 4] =
    [Controller::InstallProgression, Controller::AddonHashes, Controller::Lifecycle, Controller::Installation];

/// Returns the next writes of a controller.
pub(in crate::upstream) fn decide(controller: Controller, view: &AddonView<'_>) -> Vec<Write> {
    match controller {
        Controller::InstallProgression => install_progression(view).into_iter().collect(),
        Controller::AddonHashes => hashes(view).into_iter().collect(),
        Controller::Lifecycle => lifecycle(view).into_iter().collect(),
        Controller::Installation => installation(view),
        _ => Vec::new(),
    }
}

fn install_progression(view: &AddonView<'_>) -> Option<Write> {
    let before = view.addon.status.clone().unwrap_or_default();
    let after = install::compat(view.addon).ok()?;
    status_write(ADDON, &view.addon.metadata, (&before, &after))
}

fn hashes(view: &AddonView<'_>) -> Option<Write> {
    view.server()?;
    let before = view.addon.status.clone().unwrap_or_default();
    let mut after = before.clone();
    hash::fill_addon(&mut after, |reference| view.look_up(reference));
    status_write(ADDON, &view.addon.metadata, (&before, &after))
}

fn lifecycle(view: &AddonView<'_>) -> Option<Write> {
    view.server()?;
    let metadata = &view.addon.metadata;
    let is_self = metadata.annotations.as_ref()?.get(key::LIFECYCLE)? == key::LIFECYCLE_SELF;
    is_self.then_some(Write::Patch {
        key: ObjectKey::new(key::ADDON_GROUP, ADDON.kind, "", metadata.name.as_deref()?),
        precondition: precondition(metadata)?,
        patch: json!({ "metadata": { "annotations": { (key::LIFECYCLE): "" } } }).into(),
    })
}

/// Returns the creations and deletions that make the clusters of an add-on those that its placements select.
fn installation(view: &AddonView<'_>) -> Vec<Write> {
    if !install::is_managed(view.addon) || install::is_manual(view.addon) {
        return Vec::new();
    }
    let name = view.addon.metadata.name.as_deref().unwrap_or_default();
    let placements = view.addon.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements);
    let required: BTreeSet<String> = placements.flat_map(|p| selected(view, &p.namespace, &p.name)).collect();
    let existing = view.cache.all(CLUSTER_ADDON).filter(|(_, addon, _)| *addon == name);
    let existing: Vec<(&str, &Value)> = existing.map(|(cluster, _, object)| (cluster, object)).collect();
    let is_there = |cluster: &String| existing.iter().any(|(there, _)| there == cluster);
    let created = required.iter().filter(|cluster| !is_there(cluster));
    let created = created.map(|cluster| Write::Create { object: cluster_addon(view, cluster, name).into() });
    let surplus = existing.iter().filter(|(cluster, object)| {
        !required.contains(*cluster) && object.pointer("/metadata/deletionTimestamp").is_none()
    });
    let deleted = surplus.map(|(cluster, object)| Write::Delete {
        key: ObjectKey::new(key::ADDON_GROUP, CLUSTER_ADDON.kind, cluster, name),
        precondition: Precondition {
            uid: object["metadata"]["uid"].as_str().unwrap_or_default().to_owned(),
            resource_version: None,
        },
    });
    created.chain(deleted).collect()
}

/// Returns the clusters that a placement selects.
pub(in crate::upstream) fn selected(view: &AddonView<'_>, namespace: &str, placement: &str) -> Vec<String> {
    let pages = view
        .cache
        .all(DECISION)
        .filter(|(there, _, page)| *there == namespace && page["metadata"]["labels"][key::PLACEMENT] == placement);
    let statuses = pages.filter_map(|(_, _, page)| PlacementDecisionStatus::deserialize(page.get("status")?).ok());
    statuses.flat_map(|status| status.decisions).map(|decision| decision.cluster_name).collect()
}

fn cluster_addon(view: &AddonView<'_>, cluster: &str, name: &str) -> Value {
    json!({
        "apiVersion": key::ADDON_V1BETA1,
        "kind": CLUSTER_ADDON.kind,
        "metadata": { "namespace": cluster, "name": name, "ownerReferences": [owner(view)] },
        "spec": {},
    })
}

/// Returns the owner reference of a ManagedClusterAddOn to its ClusterManagementAddOn.
pub(in crate::upstream) fn owner(view: &AddonView<'_>) -> Value {
    json!({
        "apiVersion": key::ADDON_V1BETA1,
        "kind": ADDON.kind,
        "name": view.addon.metadata.name,
        "uid": view.addon.metadata.uid,
        "controller": true,
        "blockOwnerDeletion": true,
    })
}
