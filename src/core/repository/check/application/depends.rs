//! The order of the components of an application.

use std::collections::{BTreeMap, BTreeSet};

use super::schema::listed;
use crate::application::Parsed;
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::path::Path;
use tidegate_delivery::Order;
use tidegate_model::near::remedy;

/// A use of a component in `dependsOn`, with its place.
struct Dependency<'v> {
    at: Path,
    component: &'v str,
    named: &'v str,
}

/// Adds the problems of `dependsOn`: a name that no component has, and components that depend on one another.
pub(super) fn check(notes: &mut Notes<'_>) {
    let value = &notes.object.value;
    // An application with other mistakes is checked again once they are fixed.
    let Ok(parsed) = Parsed::read(value) else { return };
    let all = parsed.all_components();
    let known = || all.iter().map(|component| component.name.as_str());
    let names: BTreeSet<&str> = known().collect();
    let mut sound = Vec::new();
    for Dependency { at, component, named } in dependencies(notes) {
        let message = if !names.contains(named) {
            let others: Vec<&str> = known().filter(|name| *name != component).collect();
            format!("{at} is {named:?}, which is not a component; {}", remedy(named, others))
        } else if named == component {
            format!("{at} is {named}, the component itself; remove it")
        } else {
            sound.push(Dependency { at, component, named });
            continue;
        };
        notes.error(notes.object.value_origin(&at), message);
    }
    if let Some((first, circle)) = circle(&sound) {
        let message = format!(
            "{} is {}, which depends on {} itself ({circle}); remove one of these dependencies",
            first.at, first.named, first.component
        );
        notes.error(notes.object.value_origin(&first.at), message);
    }
}

fn dependencies<'v>(notes: &Notes<'v>) -> Vec<Dependency<'v>> {
    let of_component = listed(&notes.object.value, "/spec/components").flat_map(|(index, component)| {
        let at = path(&["spec", "components"]).item(index).member("dependsOn");
        let name = component.get("name").and_then(|name| name.as_str()).unwrap_or_default();
        let listed = listed(component, "/dependsOn").filter_map(|(index, named)| Some((index, named.as_str()?)));
        listed.map(move |(index, named)| Dependency { at: at.item(index), component: name, named })
    });
    of_component.collect()
}

/// Returns the first dependency that is part of a circle, and the circle in words.
fn circle<'d, 'v>(dependencies: &'d [Dependency<'v>]) -> Option<(&'d Dependency<'v>, String)> {
    let mut depends: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Dependency { component, named, .. } in dependencies {
        depends.entry((*component).to_owned()).or_default().insert((*named).to_owned());
    }
    let order = Order::of(depends.clone());
    // What has no phase depends on a circle, or is part of one.
    let is_stuck = |name: &str| depends.contains_key(name) && order.phase(name) == 0;
    let start = dependencies.iter().map(|dependency| dependency.component).find(|name| is_stuck(name))?;
    let mut way: Vec<&str> = vec![start];
    loop {
        let last = way.last()?;
        let next = depends.get(*last)?.iter().map(String::as_str).find(|name| is_stuck(name))?;
        if let Some(position) = way.iter().position(|known| *known == next) {
            way.drain(..position);
            way.push(next);
            break;
        }
        way.push(next);
    }
    let (component, named) = (way.first()?, way.get(1)?);
    let first = dependencies.iter().find(|known| known.component == *component && known.named == *named)?;
    Some((first, way.join(" -> ")))
}
