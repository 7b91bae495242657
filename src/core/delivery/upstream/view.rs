//! The fleet with each assignment in the status of its cluster, as native delivery has it there.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::applications::Seen;
use super::assignment::{Assignment, is_recorded};
use tidegate_api::fleet::{ClusterAddons, Fleet};
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::name::{AddonName, ClusterName, UnitName};
use tidegate_model::shared::Shared;

/// The parts of the last fleet with assignments in place.
#[derive(Debug, Default)]
pub struct Views {
    clusters: BTreeMap<UnitName, Viewed>,
    addons: BTreeMap<AddonName, (Arc<ClusterManagementAddOn>, Option<Arc<ClusterManagementAddOn>>)>,
    applications: Seen,
}

/// The add-ons of one name on clusters, with their assignments in place.
#[derive(Debug)]
struct Viewed {
    reported: Shared<ClusterAddons>,
    /// `None` if none of them has an assignment.
    view: Option<Shared<ClusterAddons>>,
}

impl Viewed {
    fn of(reported: &Shared<ClusterAddons>, before: Option<&Self>) -> Self {
        let is_assigned = |addon: &ManagedClusterAddOn| has(addon, key::ASSIGNMENT);
        if !reported.values().any(|addon| is_assigned(addon)) {
            return Self { reported: reported.clone(), view: None };
        }
        let known = |cluster: &ClusterName, addon: &Arc<ManagedClusterAddOn>| {
            let before =
                before.filter(|before| before.reported.get(cluster).is_some_and(|it| Arc::ptr_eq(it, addon)))?;
            before.view.as_ref()?.get(cluster).cloned()
        };
        let seen = |(cluster, addon): (&ClusterName, &Arc<ManagedClusterAddOn>)| {
            let seen = match is_assigned(addon) {
                true => known(cluster, addon).unwrap_or_else(|| viewed(addon)),
                false => addon.clone(),
            };
            (cluster.clone(), seen)
        };
        Self { reported: reported.clone(), view: Some(reported.iter().map(seen).collect()) }
    }
}

impl Views {
    /// Returns the fleet with all assignments in place, and with the clusters of applications as add-ons on clusters; `None` if the fleet has
    /// neither. An annotation that is not the assignment of its cluster is left out.
    ///
    /// Parts that have not changed since the last call are [the same](Shared::is_same) as in the last result.
    pub fn fleet(&mut self, fleet: &Fleet) -> Option<Fleet> {
        let (mut clusters, mut addons) = (std::mem::take(&mut self.clusters), std::mem::take(&mut self.addons));
        let mut view = None;
        for (name, reported) in &fleet.cluster_addons {
            let viewed = match clusters.remove(name) {
                Some(before) if before.reported.is_same(reported) => before,
                before => Viewed::of(reported, before.as_ref()),
            };
            if let Some(seen) = &viewed.view {
                let view = view.get_or_insert_with(|| fleet.clone());
                view.cluster_addons.insert(name.clone(), seen.clone());
            }
            self.clusters.insert(name.clone(), viewed);
        }
        for (name, addon) in &fleet.addons {
            let known = addons.remove(name).filter(|(known, _)| Arc::ptr_eq(known, addon));
            let (_, declared) = known.unwrap_or_else(|| (addon.clone(), declared(addon).map(Arc::new)));
            if let Some(declared) = &declared {
                view.get_or_insert_with(|| fleet.clone()).addons.insert(name.clone(), declared.clone());
            }
            self.addons.insert(name.clone(), (addon.clone(), declared));
        }
        self.applications.add(fleet, &mut view);
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
