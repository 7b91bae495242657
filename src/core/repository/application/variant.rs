//! What the components of an application are on some of its clusters.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::parsed::{Component, ComponentChange, Override, Parsed, PolicyKind, TraitChange};

/// Returns the components after changes, which apply in order.
pub(super) fn changed(components: &[Component], overrides: &[(&str, &Override)]) -> Vec<Component> {
    let mut components = components.to_vec();
    for (_, changes) in overrides {
        for change in &changes.components {
            apply(change, &mut components);
        }
        let kept: BTreeSet<&String> = changes.selector.iter().collect();
        components.retain(|component| kept.is_empty() || kept.contains(&component.name));
    }
    components
}

/// Returns `true` if a change is about a component.
fn is_about(change: &ComponentChange, component: &Component) -> bool {
    (change.name.is_empty() || change.name == component.name)
        && (change.type_.is_empty() || change.type_ == component.type_)
}

/// Applies a change to the components that it is about. A name that no component has makes a new one.
fn apply(change: &ComponentChange, components: &mut Vec<Component>) {
    for component in components.iter_mut().filter(|component| is_about(change, component)) {
        merge(&mut component.properties, &change.properties);
        change.traits.iter().for_each(|change| apply_trait(change, component));
    }
    let is_known = |component: &Component| component.name == change.name;
    if !change.name.is_empty() && !components.iter().any(is_known) {
        let ComponentChange { name, type_, properties, traits } = change.clone();
        let mut new = Component { name, type_, properties, traits: Vec::new() };
        traits.iter().for_each(|change| apply_trait(change, &mut new));
        components.push(new);
    }
}

fn apply_trait(change: &TraitChange, component: &mut Component) {
    if change.disable {
        return component.traits.retain(|known| known.type_ != change.type_);
    }
    let known = component.traits.iter_mut().find(|known| known.type_ == change.type_);
    match known {
        Some(known) => merge(&mut known.properties, &change.properties),
        None => component.traits.push(change.as_trait()),
    }
}

/// Merges maps deeply. Other values, such as lists, are replaced.
fn merge(into: &mut Map<String, Value>, from: &Map<String, Value>) {
    for (name, value) in from {
        match (into.get_mut(name), value) {
            (Some(Value::Object(into)), Value::Object(from)) => merge(into, from),
            _ => drop(into.insert(name.clone(), value.clone())),
        }
    }
}

impl Parsed {
    /// Returns the names of all components, those that an override adds included.
    pub(crate) fn names(&self) -> Vec<String> {
        self.all_components().into_iter().map(|component| component.name).collect()
    }

    /// Returns the type and the properties of each component that a change is about, after it.
    pub(crate) fn after(&self, change: &ComponentChange) -> Vec<(String, Value)> {
        let about = self.all_components().into_iter().filter(|component| is_about(change, component));
        about
            .map(|mut component| {
                merge(&mut component.properties, &change.properties);
                (component.type_, Value::Object(component.properties))
            })
            .collect()
    }

    /// Returns the traits that a change adds or changes, each with its properties on the components that the change is about, after it.
    pub(crate) fn traits_after(&self, change: &ComponentChange) -> Vec<(String, Vec<Value>)> {
        let about: Vec<Component> =
            self.all_components().into_iter().filter(|component| is_about(change, component)).collect();
        let of = |changed: &TraitChange| {
            let after = |component: &Component| {
                let mut component = component.clone();
                apply_trait(changed, &mut component);
                let found = component.traits.into_iter().find(|found| found.type_ == changed.type_)?;
                Some(Value::Object(found.properties))
            };
            (changed.type_.clone(), about.iter().filter_map(after).collect())
        };
        change.traits.iter().map(of).collect()
    }

    /// Returns all components, those that an override adds included.
    fn all_components(&self) -> Vec<Component> {
        let mut all = self.components.clone();
        for policy in &self.policies {
            let PolicyKind::Override(changes) = &policy.kind else { continue };
            let new = changes.components.iter().filter(|change| !change.name.is_empty() && !change.type_.is_empty());
            for change in new {
                if !all.iter().any(|known| known.name == change.name) {
                    apply(change, &mut all);
                }
            }
        }
        all
    }
}
