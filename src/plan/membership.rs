//! On which clusters an add-on should be: its ManagedClusterAddOns are created, adapted and deleted here.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonmanagement` (2026-08-11), but for this: upstream takes a Placement that is gone for one that
//! selects nothing, and uninstalls everywhere. Here nothing is uninstalled unless every placement of the add-on is known.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::addon::Context;
use super::cluster;
use crate::api::key;
use crate::api::ocm::cluster_management_addon::ClusterManagementAddOn;
use crate::api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use crate::model::action::{Lane, Precondition, Stage, Write};
use crate::model::name::{ClusterName, NamespacedName};
use crate::model::object::{ObjectKey, contains};
use crate::status::{Desired, Layers, install, layer};

/// On which clusters an add-on should be.
pub struct Membership<'a> {
    /// The clusters that should have it, each with the last placement that selects it.
    pub owners: BTreeMap<&'a ClusterName, usize>,
    /// Whether the choice of clusters can be relied upon: where not, nothing is uninstalled.
    pub is_reliable: bool,
    is_manual: bool,
}

impl<'a> Membership<'a> {
    /// Finds out on which clusters an add-on should be.
    pub fn of(context: &Context<'a>) -> Self {
        let declaration = &context.addon.declaration;
        let is_manual = install::is_manual(declaration);
        let (mut owners, mut is_reliable) = (BTreeMap::new(), true);
        let strategy = declaration.spec.install_strategy.as_ref().filter(|_| !is_manual);
        let placements = strategy.map(|s| s.placements.as_slice()).unwrap_or_default();
        for (index, placement) in placements.iter().enumerate() {
            match context.selections.get(&NamespacedName::new(&placement.namespace, &placement.name)) {
                Some(selection) => {
                    is_reliable &= selection.problem.is_none();
                    owners.extend(selection.clusters().map(|(cluster, _)| (cluster, index)));
                }
                None => is_reliable = false,
            }
        }
        Self { owners, is_reliable, is_manual }
    }

    fn requires(&self, context: &Context<'_>, cluster: &ClusterName) -> bool {
        self.owners.contains_key(cluster) || (self.is_manual && context.addon.overrides.contains_key(cluster))
    }

    /// Returns the writes that create, adapt and delete add-ons of clusters.
    pub fn lanes(&self, context: &Context<'_>, observed: &ClusterManagementAddOn) -> Vec<Lane> {
        let deliver = |writes| Lane { stage: Stage::Deliver, writes };
        let there: BTreeMap<_, _> = context.observed().collect();
        let declared = context.addon.overrides.keys().filter(|_| self.is_manual);
        let required: BTreeSet<&ClusterName> = self.owners.keys().copied().chain(declared).collect();
        let mut lanes: Vec<Lane> = required
            .iter()
            .filter(|name| !there.contains_key(**name))
            .filter_map(|name| Some(deliver(vec![created(context, observed, name)?])))
            .collect();
        for (name, addon) in there.iter().filter(|(_, addon)| addon.metadata.deletion_timestamp.is_none()) {
            let is_owned = has_owned_label(addon);
            let left = !self.requires(context, name) && (!self.is_manual || is_owned) && self.is_reliable;
            let writes = if left { removed(context, name, addon) } else { overridden(context, name, addon, is_owned) };
            if !writes.is_empty() {
                lanes.push(deliver(writes));
            }
        }
        lanes
    }
}

fn has_owned_label(addon: &ManagedClusterAddOn) -> bool {
    addon.metadata.labels.as_ref().is_some_and(|labels| labels.contains_key(key::OWNED_LABEL))
}

fn created(context: &Context<'_>, observed: &ClusterManagementAddOn, name: &ClusterName) -> Option<Write> {
    let cluster = context.input.fleet.clusters.get(name).filter(|c| c.metadata.deletion_timestamp.is_none())?;
    let mut object = context.addon.overrides.get(name).map_or_else(|| json!({}), |declared| declared_members(declared));
    object["apiVersion"] = json!(key::ADDON_V1BETA1);
    object["kind"] = json!("ManagedClusterAddOn");
    let metadata = &mut object["metadata"];
    metadata["name"] = json!(context.name);
    metadata["namespace"] = json!(name);
    for (annotation, value) in cluster.metadata.annotations.iter().flatten() {
        if annotation.starts_with(key::INHERITED_ANNOTATION_PREFIX) {
            metadata["annotations"][annotation] = json!(value);
        }
    }
    metadata["ownerReferences"] = json!([{
        "apiVersion": key::ADDON_V1BETA1,
        "kind": "ClusterManagementAddOn",
        "name": context.name,
        "uid": observed.metadata.uid.as_deref()?,
        "controller": true,
        "blockOwnerDeletion": true,
    }]);
    if object.get("spec").is_none() {
        object["spec"] = json!({});
    }
    Some(Write::Create { object })
}

/// What a declared ManagedClusterAddOn says of itself: its labels, annotations and configurations.
fn declared_members(declared: &ManagedClusterAddOn) -> Value {
    let mut labels = declared.metadata.labels.clone().unwrap_or_default();
    labels.insert(key::OWNED_LABEL.to_owned(), "true".to_owned());
    let annotations = declared.metadata.annotations.clone().unwrap_or_default();
    json!({ "metadata": { "labels": labels, "annotations": annotations }, "spec": { "configs": declared.spec.configs } })
}

fn overridden(context: &Context<'_>, name: &ClusterName, addon: &ManagedClusterAddOn, is_owned: bool) -> Vec<Write> {
    let patch = match context.addon.overrides.get(name) {
        Some(declared) => declared_members(declared),
        // The override left the repository; the add-on stays, as its placement says.
        None if is_owned => {
            json!({ "metadata": { "labels": { key::OWNED_LABEL: null } }, "spec": { "configs": null } })
        }
        None => return Vec::new(),
    };
    let as_json = json!({ "metadata": addon.metadata, "spec": { "configs": addon.spec.configs } });
    let precondition = cluster::precondition(addon);
    let is_there = contains(&as_json, &patch) && context.addon.overrides.contains_key(name);
    let key = ObjectKey::new(key::ADDON_GROUP, "ManagedClusterAddOn", name.as_str(), context.name.as_str());
    precondition
        .filter(|_| !is_there)
        .map(|precondition| Write::Patch { key, precondition, patch })
        .into_iter()
        .collect()
}

/// The works go with the add-on even where no garbage collector runs.
fn removed(context: &Context<'_>, name: &ClusterName, addon: &ManagedClusterAddOn) -> Vec<Write> {
    let delete = |group: &str, kind: &str, object: &str, uid: &Option<String>| {
        let precondition = Precondition { uid: uid.clone()?, resource_version: None };
        Some(Write::Delete { key: ObjectKey::new(group, kind, name.as_str(), object), precondition })
    };
    let works = context.input.fleet.works.get(context.name).and_then(|works| works.get(name));
    delete(key::ADDON_GROUP, "ManagedClusterAddOn", context.name.as_str(), &addon.metadata.uid)
        .into_iter()
        .chain(
            works
                .into_iter()
                .flatten()
                .filter_map(|(work, object)| delete(key::WORK_GROUP, "ManifestWork", work, &object.metadata.uid)),
        )
        .collect()
}

/// The layers of an add-on's cluster: those of its placement, and the cluster's own above them.
pub(super) fn cluster_layers(
    context: &Context<'_>,
    base: &Layers,
    name: &ClusterName,
    addon: &ManagedClusterAddOn,
) -> Vec<Desired> {
    let own = match context.addon.overrides.get(name) {
        Some(declared) => declared.spec.configs.as_slice(),
        None if has_owned_label(addon) => &[],
        None => addon.spec.configs.as_slice(),
    };
    base.overlaid(layer::hashed(own, |reference| context.addon.spec_hash(reference))).to_vec()
}
