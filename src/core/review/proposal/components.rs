//! The order in which a cluster gets the components of an application.

use std::collections::BTreeSet;

use serde_json::Value;

use super::half::Half;
use tidegate_delivery::Order;
use tidegate_model::name::{UnitName, version_of};
use tidegate_model::plural::first_of;
use tidegate_repository::Configuration;

/// Most components of a phase that are named, and most phases.
const NAMED: usize = 8;

/// Returns a notice for each content of a unit whose components come one after the other, or in batches, if the change is about the unit.
pub(super) fn orders(name: &UnitName, base: Option<&Half<'_>>, head: Option<&Half<'_>>) -> Vec<String> {
    let is_same = |half: &&Half<'_>| base.is_some_and(|base| base.addon.digest == half.addon.digest);
    let Some(head) = head.filter(|half| !is_same(half)) else { return Vec::new() };
    let contents = head.addon.configurations.iter();
    let notices = contents.filter_map(|(reference, content)| {
        Some(format!("{name}: each cluster {}", order(&version_of(name, &reference.name), content)?))
    });
    notices.collect()
}

/// Returns how a cluster gets the components of a version, in words; `None` if it gets all of them at once.
fn order(version: &str, content: &Configuration) -> Option<String> {
    let order = Order::read(&content.object);
    if order.last() == 0 {
        return None;
    }
    let objects = content.object.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    let phases = order.components(objects.map(Vec::as_slice).unwrap_or_default());
    let in_batches = |component: &&&str| order.batches(component) > 1;
    let component = |component: &str| match order.batches(component) {
        1 => component.to_owned(),
        batches => format!("{component} ({batches} batches)"),
    };
    if let [all] = phases.as_slice() {
        let components: Vec<String> = all.iter().filter(in_batches).map(|name| component(name)).collect();
        let components = first_of(components.iter().map(String::as_str), NAMED);
        return Some(format!("replaces the replicas of version {version} in batches: {components}"));
    }
    let more = phases.len().saturating_sub(NAMED);
    let named = |names: &BTreeSet<&str>| {
        let components: Vec<String> = names.iter().map(|name| component(name)).collect();
        first_of(components.iter().map(String::as_str), NAMED)
    };
    let mut named: Vec<String> = phases.iter().take(NAMED).map(named).collect();
    named.extend((more > 0).then(|| format!("{more} more")));
    Some(format!("gets the components of version {version} in the order {}", named.join(", then ")))
}
