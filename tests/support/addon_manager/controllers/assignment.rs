//! The controllers that assign configurations to a cluster and follow its progress. Each returns its next write, if any.

use serde_json::json;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_api::precondition::precondition;
use tidegate_delivery::hook_of;
use tidegate_delivery::status::{
    Desired, Entry as _, State, configured, hash, hosting, install, layer, merge, progress, state, works,
};
use tidegate_model::action::Write;
use tidegate_model::object::ObjectKey;

use crate::upstream::controllers::addon::{owner, selected};
use crate::upstream::controllers::view::View;
use crate::upstream::hub::kind::CLUSTER_ADDON;
use crate::upstream::hub::write::status_write;

/// Sets condition `Progressing`. When the cluster is done, its desired configurations become the last applied ones.
pub(in crate::upstream) fn progressing(view: &View<'_>) -> Option<Write> {
    if !install::is_managed(view.of_addon.addon) {
        return None;
    }
    let mut status = view.status();
    let all = view.of_addon.cache.works(view.cluster, view.name);
    let counted = all.values().map(|work| &**work).filter(|work| hosting::is_counted(view.cluster_addon, work));
    let delivered = works::delivered(&hook_of(view.name), &status.config_references, counted);
    let progress = progress::compat(view.cluster_addon, &status, delivered);
    progress::update(&mut status, progress.claim(), view.of_addon.now);
    status_patch(view, status)
}

/// Sets the owner of the ManagedClusterAddOn.
pub(in crate::upstream) fn owned(view: &View<'_>) -> Option<Write> {
    if !install::is_managed(view.of_addon.addon) {
        return None;
    }
    let wanted = owner(&view.of_addon);
    let mut owners = json!(view.cluster_addon.metadata.owner_references.clone().unwrap_or_default());
    let list = owners.as_array_mut()?;
    let is_ours = |owner: &&mut serde_json::Value| owner["kind"] == wanted["kind"] && owner["name"] == wanted["name"];
    match list.iter_mut().find(is_ours) {
        Some(known) if *known == wanted => return None,
        Some(known) => *known = wanted,
        None => list.push(wanted),
    }
    Some(Write::Patch {
        key: key_of(view),
        precondition: precondition(&view.cluster_addon.metadata)?,
        patch: json!({ "metadata": { "ownerReferences": owners } }).into(),
    })
}

/// Assigns the configurations that a cluster should have: its own ones before those of its placement before the defaults.
/// A reference to another object starts without a hash.
///
/// All clusters of a placement start at once, as with rollout strategy `All`.
pub(in crate::upstream) fn configuration(view: &View<'_>) -> Option<Write> {
    if !install::is_managed(view.of_addon.addon) {
        return None;
    }
    let mut status = view.status();
    let desired = desired(view);
    if !matches!(state::compat(view.cluster_addon, &desired).ok()?, State::Succeeded { .. }) {
        status.config_references = merge::compat(&status.config_references, &desired).ok()?;
        for reference in &mut status.config_references {
            reference.last_observed_generation.get_or_insert(0);
        }
    }
    condition::set(&mut status.conditions, configured::assigned(), view.of_addon.now);
    status_patch(view, status)
}

fn desired(view: &View<'_>) -> Vec<Desired> {
    let addon = view.of_addon.addon;
    let entries = addon.status.iter().filter(|_| !install::is_manual(addon)).flat_map(|s| &s.install_progressions);
    let is_selected = |cluster: &String| cluster == view.cluster;
    let own =
        entries.rev().find(|entry| selected(&view.of_addon, &entry.namespace, &entry.name).iter().any(is_selected));
    let of_placement = own.into_iter().flat_map(|entry| &entry.config_references).filter_map(|its| its.desired());
    let layers = layer::assigned_defaults(addon).overlaid(of_placement);
    layers.overlaid(layer::assigned_own(view.cluster_addon)).to_vec()
}

/// Fills in the generations of the configurations, and the hashes of the cluster's own ones.
pub(in crate::upstream) fn hashes(view: &View<'_>) -> Option<Write> {
    view.of_addon.server()?;
    let mut status = view.status();
    let own = &view.cluster_addon.spec.configs;
    hash::fill_cluster_addon(&mut status, own, |reference| view.of_addon.look_up(reference));
    status_patch(view, status)
}

/// Returns the write of a status, if anything in it has changed.
pub(in crate::upstream) fn status_patch(view: &View<'_>, mut after: ManagedClusterAddOnStatus) -> Option<Write> {
    let before = view.status();
    if before == after {
        return None;
    }
    // Go writes the empty structure, which the hub completes.
    after.health_check.get_or_insert_default();
    status_write(CLUSTER_ADDON, &view.cluster_addon.metadata, (&before, &after))
}

/// Returns the key of the ManagedClusterAddOn.
pub(in crate::upstream) fn key_of(view: &View<'_>) -> ObjectKey {
    ObjectKey::new(key::ADDON_GROUP, CLUSTER_ADDON.kind, view.cluster, view.name)
}
