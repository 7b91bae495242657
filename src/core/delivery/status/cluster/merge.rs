//! The configurations assigned to a cluster that starts: kept entries keep their history, new entries start without one.
//!
//! Both forms are sorted by kind; within a kind, kept entries come first, in their order, followed by new ones.
//! Entries that are no longer desired are removed.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use std::collections::{BTreeMap, BTreeSet};

use crate::status::config::desired::Desired;
use crate::status::config::entry::{Entry as _, NoDesiredConfig};
use tidegate_api::ocm::config_reference::GroupResource;
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;

/// Returns the references of a cluster that starts, with each object listed once.
pub fn strict(observed: &[AddOnConfigReference], desired: &[Desired]) -> Vec<AddOnConfigReference> {
    let mut seen = BTreeSet::new();
    let is_first =
        |entry: &&AddOnConfigReference| entry.desired().is_some_and(|assigned| seen.insert(assigned.reference));
    let once: Vec<AddOnConfigReference> = observed.iter().filter(is_first).cloned().collect();
    merged(&once, desired)
}

/// Returns the references of a cluster that starts, as upstream writes them: if an object is listed twice, both entries
/// stay, and only the first is updated.
///
/// # Errors
/// [`NoDesiredConfig`] if any entry lacks `desiredConfig`.
pub fn compat(
    observed: &[AddOnConfigReference],
    desired: &[Desired],
) -> Result<Vec<AddOnConfigReference>, NoDesiredConfig> {
    observed.iter().try_for_each(|reference| reference.required_config().map(drop))?;
    Ok(merged(observed, desired))
}

fn merged(observed: &[AddOnConfigReference], desired: &[Desired]) -> Vec<AddOnConfigReference> {
    let mut by_kind: BTreeMap<GroupResource, Vec<AddOnConfigReference>> = BTreeMap::new();
    for reference in observed.iter().filter(|reference| desired.iter().any(|d| reference.names(&d.reference))) {
        let kind = GroupResource { group: reference.group.clone(), resource: reference.resource.clone() };
        by_kind.entry(kind).or_default().push(reference.clone());
    }
    for wanted in desired {
        let list = by_kind.entry(wanted.reference.group_resource()).or_default();
        match list.iter_mut().find(|kept| kept.names(&wanted.reference)) {
            Some(kept) => kept.desired_config = Some(wanted.config()),
            None => list.push(AddOnConfigReference {
                group: wanted.reference.group.clone(),
                resource: wanted.reference.resource.clone(),
                desired_config: Some(wanted.config()),
                ..AddOnConfigReference::default()
            }),
        }
    }
    by_kind.into_values().flatten().collect()
}
