//! Which clusters should have an add-on. Its ManagedClusterAddOns are created and updated here.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonmanagement` (2026-08-11), with one difference: upstream treats a missing Placement as one that
//! selects nothing, and uninstalls everywhere. Here nothing is uninstalled unless every placement of the add-on is known.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::context::Context;
use crate::hub_objects::ownership::Owner;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::precondition::precondition;
use tidegate_delivery::status::{Desired, Layers, install, layer};
use tidegate_delivery::upstream::{Delivery, is_assigned};
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::{AddonName, ClusterName, NamespacedName};
use tidegate_model::object::{ObjectKey, contains};

/// The clusters that should have an add-on.
pub(crate) struct Membership<'a> {
    /// The clusters that should have it, each with the index of the last placement that selects it.
    pub owners: BTreeMap<&'a ClusterName, usize>,
    /// Whether the selection of clusters is reliable. If not, nothing is uninstalled.
    pub is_reliable: bool,
    /// The placements whose selection must not be acted upon at all: nothing starts or is installed because of them.
    partial: BTreeSet<usize>,
    is_manual: bool,
}

/// The clusters that have an add-on but should not.
#[derive(Debug, Default)]
pub(super) struct Unwanted<'a> {
    /// On how many clusters this instance installed it, wanted or not; not counted if it leaves none.
    pub total: usize,
    /// The clusters on which this instance installed it: it is removed from them.
    pub leaving: BTreeMap<&'a ClusterName, &'a ManagedClusterAddOn>,
    /// The clusters on which someone else installed it: it stays there.
    pub foreign: BTreeMap<&'a ClusterName, Owner>,
}

impl<'a> Membership<'a> {
    /// Determines which clusters should have an add-on.
    pub(crate) fn of(context: &Context<'a>) -> Self {
        let declaration = &context.addon.declaration;
        let is_manual = install::is_manual(declaration);
        let (mut owners, mut is_reliable, mut partial) = (BTreeMap::new(), true, BTreeSet::new());
        let strategy = declaration.spec.install_strategy.as_ref().filter(|_| !is_manual);
        let placements = strategy.map(|s| s.placements.as_slice()).unwrap_or_default();
        for (index, placement) in placements.iter().enumerate() {
            match context.selections.get(&NamespacedName::new(&placement.namespace, &placement.name)) {
                Some(selection) => {
                    is_reliable &= selection.problem.is_none();
                    // Upstream finds no cluster after a gap in the group indexes, and leaves it to another placement.
                    let found =
                        (!context.rules.only_owner_decides).then(|| tidegate_rollout::tracked(&selection.groups));
                    for (cluster, _) in selection.clusters() {
                        match &found {
                            Some(found) if !found.contains(cluster) => drop(owners.entry(cluster).or_insert(index)),
                            _ => drop(owners.insert(cluster, index)),
                        }
                    }
                    if selection.is_partial {
                        partial.insert(index);
                    }
                }
                None => is_reliable = false,
            }
        }
        Self { owners, is_reliable, partial, is_manual }
    }

    /// Returns `true` if a cluster should have the add-on.
    pub(crate) fn requires(&self, context: &Context<'_>, cluster: &ClusterName) -> bool {
        self.owners.contains_key(cluster) || (self.is_manual && context.addon.overrides.contains_key(cluster))
    }

    /// Returns the writes that create and update the add-ons of clusters.
    pub(crate) fn lanes(&self, context: &Context<'_>, observed: &ClusterManagementAddOn) -> Vec<Lane> {
        let deliver = |writes| Lane { stage: Stage::Deliver, writes };
        let there: BTreeMap<_, _> = context.observed().collect();
        let declared = context.addon.overrides.keys().filter(|_| self.is_manual);
        let chosen = self.owners.iter().filter(|(_, index)| !self.partial.contains(index)).map(|(cluster, _)| *cluster);
        let required: BTreeSet<&ClusterName> = chosen.chain(declared).collect();
        let missing = required.iter().filter(|name| !there.contains_key(**name));
        // OCM's add-on manager delivers as soon as the object exists, so there its creation is the start of the cluster.
        let missing = missing.filter(|_| context.input.delivery == Delivery::Native);
        let mut lanes: Vec<Lane> = missing
            .filter_map(|name| Some(deliver(vec![Write::Create { object: created(context, observed, name)? }])))
            .collect();
        let ownership = context.input.ownership();
        for (name, addon) in there.iter().filter(|(_, addon)| addon.metadata.deletion_timestamp.is_none()) {
            if context.input.delivery == Delivery::Native && is_assigned(addon) {
                // It is handed over first.
                continue;
            }
            let owner = ownership.of_install(context.name, name, addon);
            let is_wanted = self.requires(context, name) || !self.is_reliable;
            let keeps = is_wanted || (self.is_manual && !has_owned_label(addon)) || owner != Owner::Ours;
            if keeps && owner.may_write() {
                lanes.extend(adapted(context, name, addon, &owner).map(|write| deliver(vec![write])));
            }
        }
        lanes
    }

    /// Returns the clusters that have the add-on but should not; none while the selection of clusters is unreliable.
    pub(super) fn unwanted(&self, context: &Context<'a>) -> Unwanted<'a> {
        let mut unwanted = Unwanted::default();
        if !self.is_reliable {
            return unwanted;
        }
        let ownership = context.input.ownership();
        let owner =
            |(name, addon): (&ClusterName, &ManagedClusterAddOn)| ownership.of_install(context.name, name, addon);
        for (name, addon) in context.observed() {
            if self.requires(context, name) || (self.is_manual && !has_owned_label(addon)) {
                continue;
            }
            match owner((name, addon)) {
                Owner::Ours => drop(unwanted.leaving.insert(name, addon)),
                owner => drop(unwanted.foreign.insert(name, owner)),
            }
        }
        if !unwanted.leaving.is_empty() {
            unwanted.total = context.observed().filter(|installed| owner(*installed) == Owner::Ours).count();
        }
        unwanted
    }
}

/// Returns the configurations in `spec.configs` that belong to the cluster itself: neither declared for it, nor copies.
pub(crate) fn own_configs<'a>(
    context: &'a Context<'_>,
    addon: &'a ManagedClusterAddOn,
) -> impl Iterator<Item = &'a ConfigReference> {
    let is_copy =
        |config: &ConfigReference| context.copies.original_of(config).is_some() || context.copies.is_foreign(config);
    let is_declared = has_owned_label(addon);
    addon.spec.configs.iter().filter(move |config| !is_declared && !is_copy(config))
}

fn has_owned_label(addon: &ManagedClusterAddOn) -> bool {
    addon.metadata.labels.as_ref().is_some_and(|labels| labels.contains_key(key::OWNED_LABEL))
}

/// Returns the add-on of a cluster as it is created; `None` if the cluster does not exist or is being deleted.
pub(crate) fn created(context: &Context<'_>, observed: &ClusterManagementAddOn, name: &ClusterName) -> Option<Value> {
    let cluster = context.input.fleet.clusters.get(name).filter(|c| c.metadata.deletion_timestamp.is_none())?;
    let mut object = context.addon.overrides.get(name).map_or_else(|| json!({}), |own| declared_members(context, own));
    object["apiVersion"] = json!(key::ADDON_V1BETA1);
    object["kind"] = json!("ManagedClusterAddOn");
    let metadata = &mut object["metadata"];
    metadata["labels"][key::INSTANCE_LABEL] = json!(context.input.instance.id);
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
    Some(object)
}

/// Returns the declared fields of a ManagedClusterAddOn: its labels, annotations and configurations. Where OCM's add-on manager
/// delivers, the configurations are assigned in the cluster's turn.
fn declared_members(context: &Context<'_>, declared: &ManagedClusterAddOn) -> Value {
    let mut labels = declared.metadata.labels.clone().unwrap_or_default();
    labels.insert(key::OWNED_LABEL.to_owned(), "true".to_owned());
    let annotations = declared.metadata.annotations.clone().unwrap_or_default();
    let mut members = json!({ "metadata": { "labels": labels, "annotations": annotations } });
    if context.input.delivery == Delivery::Native {
        members["spec"] = json!({ "configs": declared.spec.configs });
    }
    members
}

/// Returns the write that adds the declared configurations of a cluster and the mark of this instance to its add-on, if they are
/// missing.
fn adapted(context: &Context<'_>, name: &ClusterName, addon: &ManagedClusterAddOn, owner: &Owner) -> Option<Write> {
    let mut patch = match context.addon.overrides.get(name) {
        Some(declared) => declared_members(context, declared),
        // Its configurations in `spec.configs` are replaced when it is assigned copies; until then, the label shows whose they are.
        None if has_owned_label(addon) && context.input.delivery == Delivery::Upstream => {
            if is_assigned(addon) {
                json!({ "metadata": { "labels": { key::OWNED_LABEL: null } } })
            } else {
                json!({})
            }
        }
        // The override left the repository, so its configurations are removed; the add-on itself stays.
        None if has_owned_label(addon) => {
            json!({ "metadata": { "labels": { key::OWNED_LABEL: null } }, "spec": { "configs": null } })
        }
        None => json!({}),
    };
    if *owner == Owner::Ours {
        patch["metadata"]["labels"][key::INSTANCE_LABEL] = json!(context.input.instance.id);
    }
    let as_json = json!({ "metadata": addon.metadata, "spec": { "configs": addon.spec.configs } });
    let precondition = precondition(&addon.metadata)?;
    let has_null =
        patch.pointer("/metadata/labels").and_then(|labels| labels.get(key::OWNED_LABEL)).is_some_and(Value::is_null);
    let drops_override = has_null && !context.addon.overrides.contains_key(name);
    let key = ObjectKey::new(key::ADDON_GROUP, "ManagedClusterAddOn", name.as_str(), context.name.as_str());
    (drops_override || !contains(&as_json, &patch)).then_some(Write::Patch { key, precondition, patch })
}

/// Returns the write that removes an add-on from a cluster. The hub deletes what belongs to the ManagedClusterAddOn, its works and
/// RoleBindings, but only once its pre-delete hooks have completed; they need both.
pub(crate) fn removed(addon: &AddonName, name: &ClusterName, observed: &ManagedClusterAddOn) -> Option<Write> {
    let precondition = Precondition { uid: observed.metadata.uid.clone()?, resource_version: None };
    let key = ObjectKey::new(key::ADDON_GROUP, "ManagedClusterAddOn", name.as_str(), addon.as_str());
    Some(Write::Delete { key, precondition })
}

/// Returns what a cluster should have: the configurations of its placement, overlaid with the cluster's own.
pub(super) fn cluster_layers(
    context: &Context<'_>,
    base: &Layers,
    name: &ClusterName,
    addon: &ManagedClusterAddOn,
) -> Vec<Desired> {
    let own: Vec<&ConfigReference> = match context.addon.overrides.get(name) {
        Some(declared) => declared.spec.configs.iter().collect(),
        None => own_configs(context, addon).collect(),
    };
    base.overlaid(layer::hashed(own, |reference| context.addon.spec_hash(reference))).to_vec()
}
