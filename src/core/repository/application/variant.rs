//! What the components of an application are on some of its clusters.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::deployment::{Deployment, MOST_COMPONENTS, deployments};
use super::parsed::{Component, ComponentChange, Override, Parsed, PolicyKind, Replication, Trait, TraitChange};
use crate::read::object::path;
use tidegate_api::schema::path::Path;

/// Returns the components after changes, which apply in order.
fn changed(components: &[Component], overrides: &[(&str, &Override)]) -> Vec<Component> {
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

/// Returns the components as some clusters get them: after overrides, and once for each key of replications.
pub(super) fn of_deployment(components: &[Component], deployment: &Deployment<'_>) -> Vec<Component> {
    copies(changed(components, &deployment.overrides), deployment)
}

/// Returns components once for each key of the replications of some clusters; none if these are too many, which is an error of its own.
pub(super) fn copies(components: Vec<Component>, deployment: &Deployment<'_>) -> Vec<Component> {
    if components.len().saturating_mul(deployment.copies()) > MOST_COMPONENTS {
        return Vec::new();
    }
    deployment.replications.iter().fold(components, |components, (_, replication)| replicated(components, replication))
}

/// A copy depends on the copies with the same key, and any other component on all copies of what it names.
fn replicated(components: Vec<Component>, Replication { keys, selector }: &Replication) -> Vec<Component> {
    let is_copied = |name: &String| selector.is_empty() || selector.contains(name);
    let of_keys = |keys: &[String], names: &[String]| -> Vec<String> {
        let copies = |name: &String| -> Vec<String> {
            if is_copied(name) { keys.iter().map(|key| format!("{name}-{key}")).collect() } else { vec![name.clone()] }
        };
        names.iter().flat_map(copies).collect()
    };
    let copies = |component: Component| -> Vec<Component> {
        if !is_copied(&component.name) {
            return vec![Component { depends_on: of_keys(keys, &component.depends_on), ..component }];
        }
        let copy = |key: &String| Component {
            name: format!("{}-{key}", component.name),
            depends_on: of_keys(std::slice::from_ref(key), &component.depends_on),
            copy_of: Some(component.written().to_owned()),
            ..component.clone()
        };
        keys.iter().map(copy).collect()
    };
    components.into_iter().flat_map(copies).collect()
}

/// Returns `true` if a change is about a component.
pub(crate) fn is_about(change: &ComponentChange, component: &Component) -> bool {
    (change.name.is_empty() || change.name == component.written())
        && (change.type_.is_empty() || change.type_ == component.type_)
}

/// Applies a change to the components that it is about. A name that no component has, with a type, makes a new one.
fn apply(change: &ComponentChange, components: &mut Vec<Component>) {
    for component in components.iter_mut().filter(|component| is_about(change, component)) {
        merge(&mut component.properties, &change.properties);
        change.traits.iter().for_each(|change| apply_trait(change, component));
    }
    let is_known = |component: &Component| component.name == change.name;
    if !change.name.is_empty() && !change.type_.is_empty() && !components.iter().any(is_known) {
        let ComponentChange { name, type_, properties, traits } = change.clone();
        let mut new = Component { name, type_, properties, ..Component::default() };
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

/// A component as some clusters get it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Variant {
    /// The path of the last change, or of what makes the copy.
    pub(crate) at: Path,
    /// The path of each of its traits, where it is written.
    pub(crate) traits: Vec<Path>,
    pub(crate) component: Component,
}

impl Parsed {
    /// Returns the components that overrides change or add, as some clusters get them.
    pub(crate) fn variants(&self) -> Vec<Variant> {
        let mut found: Vec<Variant> = Vec::new();
        for deployment in deployments(self) {
            for component in of_deployment(&self.components, &deployment) {
                let Some(at) = self.place_of(&deployment, &component) else { continue };
                let traits = component.traits.iter().map(|of| self.place_of_trait(&deployment, &component, of));
                let traits = traits.map(|place| place.unwrap_or_else(|| at.member("traits"))).collect();
                let variant = Variant { at, traits, component };
                if !found.contains(&variant) && !self.components.contains(&variant.component) {
                    found.push(variant);
                }
            }
        }
        found
    }

    /// Returns the path of a trait of a component as some clusters get it: where the last override that is about it writes it, or else the
    /// component itself.
    fn place_of_trait(&self, deployment: &Deployment<'_>, component: &Component, of: &Trait) -> Option<Path> {
        let written = |(change, at): (&ComponentChange, Path)| {
            let index = change.traits.iter().rposition(|known| known.type_ == of.type_ && !known.disable)?;
            Some(at.member("traits").item(index))
        };
        let last = self.changes(&deployment.overrides, component).filter_map(written).last();
        last.or_else(|| {
            let known = self.components.iter().position(|known| known.name == component.written())?;
            let index = self.components.get(known)?.traits.iter().position(|known| known.type_ == of.type_)?;
            Some(path(&["spec", "components"]).item(known).member("traits").item(index))
        })
    }

    /// Returns a name that two components of some clusters have, with the path of what gave it to the second one.
    pub(crate) fn repeated(&self) -> Option<(Path, String)> {
        deployments(self).into_iter().find_map(|deployment| {
            let mut names = BTreeSet::new();
            let components = of_deployment(&self.components, &deployment);
            let second = components.into_iter().find(|component| !names.insert(component.name.clone()))?;
            Some((self.place_of(&deployment, &second)?, second.name))
        })
    }

    /// Returns the path of what made a component of some clusters different: an override, or a replication.
    pub(super) fn place_of(&self, deployment: &Deployment<'_>, component: &Component) -> Option<Path> {
        let replication = || {
            let (name, _) = deployment.replications.last()?;
            let policy = self.policies.iter().position(|policy| policy.name == **name)?;
            Some(path(&["spec", "policies"]).item(policy).member("properties"))
        };
        self.changes(&deployment.overrides, component).last().map(|(_, at)| at).or_else(replication)
    }

    /// Returns the changes of overrides that are about a component, in order, each with its path.
    pub(super) fn changes<'c>(
        &'c self,
        overrides: &'c [(&'c str, &'c Override)],
        component: &'c Component,
    ) -> impl Iterator<Item = (&'c ComponentChange, Path)> {
        overrides.iter().flat_map(move |(name, changes)| {
            let policy = self.policies.iter().position(|policy| policy.name == **name);
            let of_policy = changes.components.iter().enumerate().filter(|(_, change)| is_about(change, component));
            of_policy.filter_map(move |(index, change)| {
                let at =
                    path(&["spec", "policies"]).item(policy?).member("properties").member("components").item(index);
                Some((change, at))
            })
        })
    }

    /// Returns all components, those that an override adds included.
    pub(crate) fn all_components(&self) -> Vec<Component> {
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
