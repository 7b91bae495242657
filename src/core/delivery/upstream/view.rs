//! The fleet with each assignment in the status of its cluster, as native delivery has it there.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::assignment::{Assignment, is_recorded};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::shared::Shared;

/// Add-ons on clusters with their assignments in place.
#[derive(Debug, Default)]
pub struct Views {
    /// The views, with the resourceVersion that each was made from.
    made: BTreeMap<(UnitName, ClusterName), (Option<String>, Arc<ManagedClusterAddOn>)>,
    /// The add-ons without any assignment.
    plain: BTreeMap<UnitName, Shared<BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>>>,
}

impl Views {
    /// Returns the fleet with all assignments in place; `None` if the fleet has none. An annotation that is not the assignment of its
    /// cluster is left out.
    pub fn fleet(&mut self, fleet: &Fleet) -> Option<Fleet> {
        let mut before = std::mem::take(&mut self.made);
        let mut plain = std::mem::take(&mut self.plain);
        let mut view = None;
        for (name, clusters) in &fleet.cluster_addons {
            let is_plain = plain.remove(name).is_some_and(|known| known.is_same(clusters))
                || !clusters.values().any(|addon| has(addon, key::ASSIGNMENT));
            if is_plain {
                self.plain.insert(name.clone(), clusters.clone());
                continue;
            }
            for (cluster, addon) in clusters.iter().filter(|(_, addon)| has(addon, key::ASSIGNMENT)) {
                let (key, version) = ((name.clone(), cluster.clone()), &addon.metadata.resource_version);
                let known = before.remove(&key).filter(|(known, _)| known == version && version.is_some());
                let seen = known.map_or_else(|| viewed(addon), |(_, seen)| seen);
                self.made.insert(key, (version.clone(), Arc::clone(&seen)));
                let view = view.get_or_insert_with(|| fleet.clone());
                view.cluster_addons.entry(name.clone()).or_default().insert(cluster.clone(), seen);
            }
        }
        for (name, addon) in &fleet.addons {
            if let Some(declared) = declared(addon) {
                view.get_or_insert_with(|| fleet.clone()).addons.insert(name.clone(), Arc::new(declared));
            }
        }
        view
    }
}

fn has(addon: &ManagedClusterAddOn, annotation: &str) -> bool {
    addon.metadata.annotations.as_ref().is_some_and(|annotations| annotations.contains_key(annotation))
}

fn viewed(addon: &ManagedClusterAddOn) -> Arc<ManagedClusterAddOn> {
    Arc::new(match Assignment::of(&addon.metadata) {
        Some(assignment) => with_assignment(addon, assignment),
        None => {
            let mut view = addon.clone();
            view.metadata.annotations.iter_mut().for_each(|annotations| drop(annotations.remove(key::ASSIGNMENT)));
            view
        }
    })
}

/// Returns `true` if a cluster has an assignment. `seen` is its add-on in a view.
pub fn is_assigned(seen: &ManagedClusterAddOn) -> bool {
    has(seen, key::ASSIGNMENT)
}

/// Returns an add-on on a cluster with its assignment in the status, and with the cluster's own configurations in `spec.configs`.
pub fn with_assignment(addon: &ManagedClusterAddOn, assignment: Assignment) -> ManagedClusterAddOn {
    let mut view = addon.clone();
    let status = view.status.get_or_insert_default();
    status.conditions.retain(|condition| !is_recorded(condition));
    status.conditions.extend(assignment.conditions);
    status.config_references = assignment.config_references;
    view.spec.configs = assignment.own;
    view
}

/// Returns a ClusterManagementAddOn, as JSON, with its declared install strategy and default configurations. An annotation that cannot be
/// read changes nothing.
pub fn as_declared(addon: &Value) -> Cow<'_, Value> {
    let mut view = Cow::Borrowed(addon);
    let read = |name: &str| {
        let text = addon.pointer("/metadata/annotations")?.get(name)?.as_str()?;
        serde_json::from_str::<Value>(text).ok()
    };
    let (strategy, configs) = (read(key::INSTALL_STRATEGY), read(key::DEFAULT_CONFIGS));
    if strategy.is_none() && configs.is_none() {
        return view;
    }
    let Some(spec) = view.to_mut().get_mut("spec").and_then(Value::as_object_mut) else { return view };
    match strategy.as_ref().and_then(Value::as_object) {
        Some(strategy) if strategy.is_empty() => drop(spec.remove("installStrategy")),
        Some(strategy) => drop(spec.insert("installStrategy".to_owned(), Value::Object(strategy.clone()))),
        None => {}
    }
    if let Some(configs) = configs.filter(Value::is_array) {
        spec.insert("defaultConfigs".to_owned(), configs);
    }
    view
}

/// Returns an add-on with its declared install strategy and default configurations; `None` if the hub has it as declared.
fn declared(addon: &ClusterManagementAddOn) -> Option<ClusterManagementAddOn> {
    let annotations = addon.metadata.annotations.as_ref()?;
    let strategy = annotations.get(key::INSTALL_STRATEGY)?;
    let mut view = addon.clone();
    view.spec.install_strategy = Some(serde_json::from_str(strategy).ok()?);
    if let Some(configs) = annotations.get(key::DEFAULT_CONFIGS) {
        view.spec.default_configs = serde_json::from_str(configs).ok()?;
    }
    Some(view)
}
