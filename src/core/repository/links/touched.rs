//! Finds the add-ons that an object touches, and therefore blocks if it has an error.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::application::used::used;
use crate::application::{declared_unit, is_application};
use crate::assemble::index::Index;
use crate::definition::Definitions;
use crate::read::object::Object;
use crate::reference::target::{Target, references};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_model::glob;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// Maps each object to the add-ons that it touches.
pub(super) type Touched = BTreeMap<ObjectKey, BTreeSet<UnitName>>;

/// Returns the add-ons that each object touches. An add-on is touched by its ClusterManagementAddOn and overrides, the objects
/// that these refer to, and the cluster sets that its placements choose from; an application also by the definitions that it uses.
pub(crate) fn touched(objects: &[Object], index: &Index<'_>, definitions: &Definitions) -> Touched {
    let mut touched = Touched::new();
    for object in objects {
        let Some(addon) = unit_of(object, index) else { continue };
        let mut touch = |key: &ObjectKey| {
            touched.entry(key.clone()).or_default().insert(addon.clone());
        };
        touch(&object.key);
        // While a policy cannot be read, nothing that it may restrict changes.
        policies(index).filter(|policy| may_select(policy, &addon)).for_each(|policy| touch(&policy.key));
        if is_application(object) {
            used(&object.value, definitions).into_iter().for_each(|used| touch(used.key));
        }
        for reference in references(&object.value) {
            let Some(target) = index.target(&reference.target) else { continue };
            touch(&target.key);
            if let Target::Placement(_) = reference.target {
                cluster_sets(target, index).iter().for_each(&mut touch);
            }
        }
    }
    touched
}

/// Returns the unit that an object declares or overrides; `None` if the repository does not declare the unit.
fn unit_of(object: &Object, index: &Index<'_>) -> Option<UnitName> {
    let is_override = object.is_addon_kind("ManagedClusterAddOn");
    let addon = || index.by_key.get(&object_key::addon(&object.key.name)).copied();
    declared_unit(if is_override { addon()? } else { object })
}

/// Returns the declared RolloutPolicies.
fn policies<'a>(index: &Index<'a>) -> impl Iterator<Item = &'a Object> {
    let from = ObjectKey::new(key::TIDEGATE_GROUP, "RolloutPolicy", "", "");
    let of_group = index.by_key.range::<ObjectKey, _>(&from..).map(|(_, object)| *object);
    of_group.take_while(|object| object.key.group == key::TIDEGATE_GROUP && object.key.kind == "RolloutPolicy")
}

/// Returns `true` unless a policy clearly selects other add-ons only.
fn may_select(policy: &Object, addon: &UnitName) -> bool {
    match policy.value.pointer("/spec/selector/addOns") {
        Some(Value::Array(globs)) if !globs.is_empty() => {
            globs.iter().any(|pattern| pattern.as_str().is_none_or(|pattern| glob::matches(pattern, addon.as_str())))
        }
        _ => true,
    }
}

/// Returns the bindings and sets that a placement chooses from.
fn cluster_sets(placement: &Object, index: &Index<'_>) -> Vec<ObjectKey> {
    let chosen = placement.value.pointer("/spec/clusterSets").and_then(Value::as_array);
    let chosen: Vec<&str> = chosen.into_iter().flatten().filter_map(Value::as_str).collect();
    // The bindings of one namespace are adjacent, since keys are ordered by group, kind, namespace, name.
    let from = ObjectKey::new(key::CLUSTER_GROUP, "ManagedClusterSetBinding", &placement.key.namespace, "");
    let bindings = index.by_key.range::<ObjectKey, _>(&from..).map(|(key, _)| *key);
    bindings
        .take_while(|key| key.group == from.group && key.kind == from.kind && key.namespace == from.namespace)
        .filter(|key| chosen.is_empty() || chosen.contains(&key.name.as_str()))
        .flat_map(|key| [key.clone(), ObjectKey::new(key::CLUSTER_GROUP, "ManagedClusterSet", "", &key.name)])
        .collect()
}
