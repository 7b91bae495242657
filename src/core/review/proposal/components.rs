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

/// Returns a notice for each content of a unit whose components come one after the other, if the change is about the unit.
pub(super) fn orders(name: &UnitName, base: Option<&Half<'_>>, head: Option<&Half<'_>>) -> Vec<String> {
    let is_same = |half: &&Half<'_>| base.is_some_and(|base| base.addon.digest == half.addon.digest);
    let Some(head) = head.filter(|half| !is_same(half)) else { return Vec::new() };
    let contents = head.addon.configurations.iter();
    let told = contents.filter_map(|(reference, content)| {
        let version = version_of(name, &reference.name);
        Some(format!("{name}: each cluster gets the components of version {version} in the order {}", order(content)?))
    });
    told.collect()
}

/// Returns the components of each phase in words; `None` if all of them are delivered at once.
fn order(content: &Configuration) -> Option<String> {
    let order = Order::read(&content.object);
    if order.last() == 0 {
        return None;
    }
    let objects = content.object.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    let phases = order.components(objects.map(Vec::as_slice).unwrap_or_default());
    let more = phases.len().saturating_sub(NAMED);
    let named = |names: &BTreeSet<&str>| first_of(names.iter().copied(), NAMED);
    let mut told: Vec<String> = phases.iter().take(NAMED).map(named).collect();
    told.extend((more > 0).then(|| format!("{more} more")));
    Some(told.join(", then "))
}
