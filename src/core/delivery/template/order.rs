//! Which component belongs to which phase.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use tidegate_api::key;

use crate::go_object::unstructured::{at, label};

/// The order in which a cluster gets the components of a unit. One without dependencies has a single phase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Order {
    /// The components that depend on others, each with those.
    depends: BTreeMap<String, BTreeSet<String>>,
    /// The phases of these components, from 1. All others are in phase 0.
    phases: BTreeMap<String, u32>,
}

impl Order {
    /// Returns the order of components, each given with those that it depends on.
    ///
    /// Components that depend on one another are in phase 0, as if they depended on nothing.
    pub fn of(depends: BTreeMap<String, BTreeSet<String>>) -> Self {
        let phases = phases(&depends);
        Self { depends, phases }
    }

    /// Reads the order in the content of a unit: `spec.dependsOn` has the names of components by the name of the one that depends on them.
    pub fn read(content: &Value) -> Self {
        let names = |listed: &Value| -> BTreeSet<String> {
            listed.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let depends = at(content, ["spec", "dependsOn"]).and_then(Value::as_object).into_iter().flatten();
        Self::of(depends.map(|(component, listed)| (component.clone(), names(listed))).collect())
    }

    /// Returns the last phase; 0 if no component depends on another.
    pub fn last(&self) -> u32 {
        self.phases.values().max().copied().unwrap_or_default()
    }

    /// Returns the phase of a component.
    pub fn phase(&self, component: &str) -> u32 {
        self.phases.get(component).copied().unwrap_or_default()
    }

    /// Returns the components of these objects, phase by phase.
    pub fn components<'o>(&self, objects: &'o [Value]) -> Vec<BTreeSet<&'o str>> {
        let mut phases: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for component in objects.iter().map(component) {
            phases.entry(self.phase(component)).or_default().insert(component);
        }
        phases.into_values().collect()
    }

    /// Returns the components of a phase after the first one, each with all that it depends on, also through others.
    pub(crate) fn waiting(&self, phase: u32) -> BTreeMap<String, BTreeSet<String>> {
        let of_phase = self.phases.iter().filter(|(_, known)| **known == phase);
        of_phase.map(|(component, _)| (component.clone(), self.reached(component))).collect()
    }

    fn reached(&self, component: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut next = vec![component];
        while let Some(component) = next.pop() {
            for named in self.depends.get(component).into_iter().flatten() {
                if found.insert(named.clone()) {
                    next.push(named);
                }
            }
        }
        found
    }
}

/// Returns the name of the component of an object.
pub(crate) fn component(object: &Value) -> &str {
    label(object, key::COMPONENT).unwrap_or_default()
}

/// Returns the phases of the components that depend on others.
fn phases(depends: &BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, u32> {
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for (component, named) in depends.iter().filter(|(_, named)| !named.is_empty()) {
        open.insert(component, named.iter().filter(|name| depends.get(*name).is_some_and(|of| !of.is_empty())).count());
        named.iter().for_each(|name| users.entry(name).or_default().push(component));
    }
    let mut phases = BTreeMap::new();
    let mut ready: Vec<&str> = open.iter().filter(|(_, open)| **open == 0).map(|(name, _)| *name).collect();
    while let Some(component) = ready.pop() {
        let before = depends.get(component).into_iter().flatten().filter_map(|name| phases.get(name).copied()).max();
        phases.insert(component.to_owned(), before.unwrap_or_default() + 1);
        for user in users.get(component).into_iter().flatten() {
            if let Some(open) = open.get_mut(user) {
                *open -= 1;
                if *open == 0 {
                    ready.push(user);
                }
            }
        }
    }
    phases
}
