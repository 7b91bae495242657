//! Selects the objects to declare: the add-ons that templates drive, and what they refer to.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::clean::cleaned;
use super::found::{Found, User};
use super::left_out::{LeftOut, Reason, config_name};
use super::obstacle::{addon_obstacle, is_built_in, is_copy, obstacle, role_obstacle};
use super::{roles, warning};
use crate::{Target, references};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::config_reference::{ConfigReference, object_key};
use tidegate_api::ocm::is_declaration;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::install;
use tidegate_delivery::upstream::view::as_declared;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::object::ObjectKey;

/// The objects to declare, and the rest.
#[derive(Debug, Default)]
pub(super) struct Selected {
    /// The objects to declare.
    pub(super) objects: BTreeMap<ObjectKey, Found>,
    /// What is left out, by the name of the object.
    left_out: BTreeMap<String, Reason>,
    /// The add-ons that upstream's manager drives.
    pub(super) driven: BTreeSet<AddonName>,
}

/// Selects the objects to declare for the add-ons in `only`, or for all add-ons if `only` is empty.
pub(super) fn selected(fleet: &Fleet, only: &BTreeSet<AddonName>) -> Selected {
    let mut selected = Selected::default();
    for (name, addon) in &fleet.addons {
        let key = object_key::addon(name.as_str());
        let Some(object) = fleet.declared.get(&key) else { continue };
        let object = as_declared(object);
        let lifecycle = addon.metadata.annotations.as_ref().and_then(|annotations| annotations.get(key::LIFECYCLE));
        match addon_obstacle(fleet, name, &object, lifecycle.map(String::as_str), only) {
            Some(reason) => selected.leave(&key, reason),
            None => {
                let annotations = addon.metadata.annotations.as_ref();
                let is_ours = annotations.is_some_and(|annotations| annotations.contains_key(key::INSTALL_STRATEGY));
                if install::is_managed(addon) && !is_ours {
                    selected.driven.insert(name.clone());
                }
                selected.add_addon(fleet, name, &key, &object);
                if install::is_manual(addon) {
                    selected.count_installs(fleet, name);
                }
            }
        }
    }
    selected.add_sets(fleet);
    selected.add_roles(fleet);
    let rest = fleet.declared.iter().filter(|(key, _)| is_declaration(key));
    for (key, object) in rest {
        let is_done = selected.objects.contains_key(key) || selected.left_out.contains_key(&key.to_string());
        if !is_done {
            let reason = if key.kind == "ManagedClusterSet" && is_built_in(&key.name) {
                Reason::BuiltIn
            } else {
                Reason::Unreferenced
            };
            selected.leave(key, obstacle(object).unwrap_or(reason));
        }
    }
    for (key, why) in
        fleet.unreadable.iter().filter(|(key, _)| is_declaration(key) || key.kind == "ManagedClusterAddOn")
    {
        selected.leave(key, Reason::Unreadable(why.clone()));
    }
    selected
}

impl Selected {
    /// Returns what is left out.
    pub(super) fn left_out(self) -> Vec<LeftOut> {
        self.left_out.into_iter().map(|(object, reason)| LeftOut { object, reason }).collect()
    }

    fn leave(&mut self, key: &ObjectKey, reason: Reason) {
        self.left_out.entry(key.to_string()).or_insert(reason);
    }

    fn add_addon(&mut self, fleet: &Fleet, name: &AddonName, key: &ObjectKey, object: &Value) {
        let user = User::Addon(name.clone());
        self.add(key, object, &user);
        self.follow(fleet, object, &user);
        let clusters = || fleet.cluster_addons.get(name.as_str()).into_iter().flatten();
        if let (Some(found), Some(clusters)) = (self.objects.get_mut(key), fleet.cluster_addons.get(name.as_str())) {
            found.warnings.extend(warning::unnamed(name, object, clusters));
        }
        for (cluster, addon) in clusters() {
            let configs: Vec<&ConfigReference> =
                addon.spec.configs.iter().filter(|config| !is_copy(fleet, config)).collect();
            if !configs.is_empty() {
                self.add_override(fleet, name, cluster, addon, &configs);
            }
        }
        // A cluster keeps what it was assigned until its turn, so these configurations are needed as well.
        let statuses = clusters().filter_map(|(_, addon)| addon.status.as_ref());
        for assigned in statuses.flat_map(|status| &status.config_references) {
            for config in [&assigned.desired_config, &assigned.last_applied_config].into_iter().flatten() {
                let key = object_key(&assigned.group, &assigned.resource, &config.namespace, &config.name);
                let key = key.filter(|key| !self.objects.contains_key(key));
                if let Some((key, object)) = key.and_then(|key| fleet.declared.get_key_value(&key)) {
                    self.add(key, object, &user);
                }
            }
        }
    }

    /// Reports the clusters of an add-on that no placement and no override names.
    fn count_installs(&mut self, fleet: &Fleet, name: &AddonName) {
        let clusters = fleet.cluster_addons.get(name.as_str()).into_iter().flatten();
        match clusters.filter(|(_, addon)| addon.spec.configs.is_empty()).count() {
            0 => {}
            count => drop(self.left_out.insert(format!("ManagedClusterAddOns {name}"), Reason::ByHand(count))),
        }
    }

    fn add_override(
        &mut self,
        fleet: &Fleet,
        name: &AddonName,
        cluster: &ClusterName,
        addon: &ManagedClusterAddOn,
        configs: &[&ConfigReference],
    ) {
        let mut metadata = addon.metadata.clone();
        // The add-on of a cluster inherits annotations, and follows them when they change.
        let inherited = fleet.clusters.get(cluster).and_then(|cluster| cluster.metadata.annotations.as_ref());
        if let (Some(annotations), Some(inherited)) = (&mut metadata.annotations, inherited) {
            let is_inherited = |name: &str| name.starts_with(key::INHERITED_ANNOTATION_PREFIX);
            annotations.retain(|name, value| !is_inherited(name) || inherited.get(name) != Some(value));
        }
        let spec = json!({ "configs": configs });
        let kind = "ManagedClusterAddOn";
        let object = json!({ "apiVersion": key::ADDON_V1BETA1, "kind": kind, "metadata": metadata, "spec": spec });
        let key = ObjectKey::new(key::ADDON_GROUP, kind, cluster.as_str(), name.as_str());
        let user = User::Cluster(name.clone(), cluster.clone());
        if self.add(&key, &object, &user) {
            self.follow(fleet, &object, &user);
        }
    }

    /// Adds an object, and returns `true` if it may be declared.
    fn add(&mut self, key: &ObjectKey, object: &Value, user: &User) -> bool {
        if let Some(reason) = obstacle(object) {
            self.leave(key, reason);
            return false;
        }
        let new =
            || Found { declaration: cleaned(object), users: BTreeSet::new(), warnings: warning::warnings(key, object) };
        self.objects.entry(key.clone()).or_insert_with(new).users.insert(user.clone());
        true
    }

    /// Adds what an object refers to. References to objects that the hub does not have are complaints of the repository.
    fn follow(&mut self, fleet: &Fleet, object: &Value, user: &User) {
        for reference in references(object) {
            let key = match &reference.target {
                Target::Placement(name) => object_key::placement(&name.namespace, &name.name),
                Target::Configuration(config) => {
                    let Some(key) = config.object_key() else {
                        self.left_out.entry(config_name(config)).or_insert(Reason::ForeignKind);
                        continue;
                    };
                    key
                }
            };
            if let Some(object) = fleet.declared.get(&key) {
                self.add(&key, object, user);
            }
        }
    }

    /// Adds the roles that the selected templates give to their agents.
    fn add_roles(&mut self, fleet: &Fleet) {
        for (key, users) in roles::used(&self.objects) {
            match (fleet.declared.get(&key), fleet.unreadable.get(&key)) {
                (Some(role), _) => match role_obstacle(role) {
                    Some(reason) => self.leave(&key, reason),
                    None => {
                        for user in &users {
                            self.add(&key, role, user);
                        }
                    }
                },
                (None, Some(why)) => self.leave(&key, Reason::Unreadable(why.clone())),
                (None, None) => self.leave(&key, Reason::Absent),
            }
        }
    }

    /// Adds the bindings that the selected Placements use, and their cluster sets.
    fn add_sets(&mut self, fleet: &Fleet) {
        let placements = self.objects.iter().filter(|(key, _)| key.kind == "Placement");
        let placements: Vec<(String, Vec<String>, BTreeSet<User>)> = placements
            .map(|(key, found)| {
                let sets = found.declaration.pointer("/spec/clusterSets").and_then(Value::as_array);
                let sets = sets.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
                (key.namespace.clone(), sets.collect(), found.users.clone())
            })
            .collect();
        for (namespace, sets, users) in placements {
            let bindings = fleet.declared.iter().filter(|(key, _)| {
                // Without sets, a Placement chooses from all that are bound to its namespace.
                let is_used = sets.is_empty() || sets.contains(&key.name);
                key.kind == "ManagedClusterSetBinding" && key.namespace == namespace && is_used
            });
            for (key, binding) in bindings {
                let set = ObjectKey::new(key::CLUSTER_GROUP, "ManagedClusterSet", "", &key.name);
                let object = fleet.declared.get(&set).filter(|_| !is_built_in(&key.name));
                for user in &users {
                    self.add(key, binding, user);
                    if let Some(object) = object {
                        self.add(&set, object, user);
                    }
                }
            }
        }
    }
}
