//! Which component belongs to which phase.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use tidegate_api::key;

use super::batches::Batches;
use crate::go_object::unstructured::{at, label, raw_manifests};

/// The order in which a cluster gets the components of a unit. One without dependencies and batches has a single phase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Order {
    /// The components that depend on others, each with those.
    depends: BTreeMap<String, BTreeSet<String>>,
    /// The first phases of these components, from 1. All others begin in phase 0.
    phases: BTreeMap<String, u32>,
    /// The indices of the last batches of components, where it is not the first one.
    batches: BTreeMap<String, u32>,
    /// The index of the batch with which a cluster starts. This and each later batch has a phase of its own.
    first_batch: u32,
}

/// What a cluster gets in a phase.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Turn {
    /// A component, or its first batch.
    Component(String),
    /// A batch after the first one.
    Batch {
        component: String,
        /// Which batch it is, from 1.
        number: u32,
        /// The number of batches.
        of: u32,
    },
}

impl Order {
    /// Returns the order of components, each given with those that it depends on.
    ///
    /// Components that depend on one another are in phase 0, as if they depended on nothing.
    pub fn of(depends: BTreeMap<String, BTreeSet<String>>) -> Self {
        Self::new(depends, BTreeMap::new(), 0)
    }

    fn new(depends: BTreeMap<String, BTreeSet<String>>, batches: BTreeMap<String, u32>, first_batch: u32) -> Self {
        let more = |component: &String| batches.get(component).map_or(0, |last| last.saturating_sub(first_batch));
        let phases = phases(&depends, more);
        Self { depends, phases, batches, first_batch }
    }

    /// Returns the order on a cluster that starts with a batch, given its index.
    pub fn from_batch(&self, first_batch: u32) -> Cow<'_, Self> {
        if first_batch == self.first_batch {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self::new(self.depends.clone(), self.batches.clone(), first_batch))
    }

    /// Reads the order in the content of a unit: `spec.dependsOn` has the names of components by the name of the one that depends on them, and
    /// workloads have their batches in an annotation.
    pub fn read(content: &Value) -> Self {
        let names = |listed: &Value| -> BTreeSet<String> {
            listed.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let depends = at(content, ["spec", "dependsOn"]).and_then(Value::as_object).into_iter().flatten();
        let depends = depends.map(|(component, listed)| (component.clone(), names(listed))).collect();
        let mut batches: BTreeMap<String, u32> = BTreeMap::new();
        for object in raw_manifests(content) {
            if let Some(last) = Batches::of(object).map(|of_object| of_object.last()) {
                let known = batches.entry(component(object).to_owned()).or_default();
                *known = last.max(*known);
            }
        }
        Self::new(depends, batches, 0)
    }

    /// Returns the last phase; 0 if no component depends on another, and none has batches.
    pub fn last(&self) -> u32 {
        let components = self.phases.keys().chain(self.batches.keys());
        components.map(|component| self.phase(component) + self.more(component)).max().unwrap_or_default()
    }

    /// Returns the number of batches in which the replicas of a component are replaced.
    pub fn batches(&self, component: &str) -> u32 {
        self.batches.get(component).map_or(1, |last| last + 1)
    }

    /// Returns the index of the batch of a component that is replaced while a phase is open; `None` before its first phase. It may be beyond the
    /// last batch.
    pub(crate) fn batch(&self, component: &str, open: u32) -> Option<u32> {
        Some(open.checked_sub(self.phase(component))?.saturating_add(self.first_batch))
    }

    /// Returns the number of phases of a component after its first one.
    fn more(&self, component: &str) -> u32 {
        self.batches.get(component).map_or(0, |last| last.saturating_sub(self.first_batch))
    }

    /// Returns the phase of a component, or of its first batch.
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

    /// Returns what comes in a phase after the first one, each with all components that it comes after, also through others.
    pub(crate) fn waiting(&self, phase: u32) -> BTreeMap<Turn, BTreeSet<String>> {
        let starting = self.phases.iter().filter(|(_, known)| **known == phase);
        let starting = starting.map(|(component, _)| (Turn::Component(component.clone()), self.reached(component)));
        let batches = self.batches.iter().filter_map(|(component, last)| {
            let index = self.batch(component, phase).filter(|index| (self.first_batch + 1..=*last).contains(index))?;
            let turn = Turn::Batch { component: component.clone(), number: index + 1, of: last + 1 };
            let mut after = self.reached(component);
            after.insert(component.clone());
            Some((turn, after))
        });
        starting.chain(batches).collect()
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

/// Returns the phases of the components that depend on others. `more` returns the number of phases of a component after its first one.
fn phases(depends: &BTreeMap<String, BTreeSet<String>>, more: impl Fn(&String) -> u32) -> BTreeMap<String, u32> {
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for (component, named) in depends.iter().filter(|(_, named)| !named.is_empty()) {
        open.insert(component, named.iter().filter(|name| depends.get(*name).is_some_and(|of| !of.is_empty())).count());
        named.iter().for_each(|name| users.entry(name).or_default().push(component));
    }
    let mut phases: BTreeMap<String, u32> = BTreeMap::new();
    let mut ready: Vec<&str> = open.iter().filter(|(_, open)| **open == 0).map(|(name, _)| *name).collect();
    while let Some(component) = ready.pop() {
        let end = |name: &String| phases.get(name).copied().unwrap_or_default() + more(name);
        let before = depends.get(component).into_iter().flatten().map(end).max();
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
