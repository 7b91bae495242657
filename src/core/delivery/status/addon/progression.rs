//! The progress of one placement of an add-on: its entry in the status of the ClusterManagementAddOn.
//!
//! # Source
//! OCM `pkg/addon/controllers/cmainstallprogression` and `addonconfiguration` (2026-08-11).

use super::tally::Tally;
use crate::status::config::desired::Desired;
use crate::status::config::entry::{Entry as _, NoDesiredConfig};
use tidegate_api::condition;
use tidegate_api::ocm::cluster_management_addon::{InstallConfigReference, InstallProgression};
use tidegate_model::name::NamespacedName;
use tidegate_model::time::Timestamp;

/// Returns the entry of a placement whose clusters should have these configurations.
///
/// A configuration keeps the last applied and last known good configuration of the same object, or else of the first
/// object of its kind, so that an upgrade to an object with another name shows the previous one. Conditions stay.
pub fn strict(before: &[InstallProgression], placement: &NamespacedName, desired: &[Desired]) -> InstallProgression {
    let old = before.iter().find(|old| is_of(old, placement));
    let mut entry = blank(placement, desired);
    let Some(old) = old else { return entry };
    for (reference, desired) in entry.config_references.iter_mut().zip(desired) {
        let mut same_kind = old.config_references.iter().filter(|r| r.is_of_kind(&desired.reference));
        let exact = same_kind.clone().find(|r| r.names(&desired.reference));
        if let Some(kept) = exact.or_else(|| same_kind.next()) {
            reference.last_applied_config.clone_from(&kept.last_applied_config);
            reference.last_known_good_config.clone_from(&kept.last_known_good_config);
        }
    }
    entry.conditions.clone_from(&old.conditions);
    entry
}

/// Returns the entry of a placement, as upstream writes it before filling in hashes.
///
/// If an old entry of the placement has all of these configurations, its contents are kept, including hashes that are not
/// empty; otherwise the entry starts empty.
///
/// # Errors
/// [`NoDesiredConfig`] if an old entry has a reference of the same kind that lacks `desiredConfig`.
pub fn compat(
    before: &[InstallProgression],
    placement: &NamespacedName,
    desired: &[Desired],
) -> Result<InstallProgression, NoDesiredConfig> {
    let mut entry = blank(placement, desired);
    for old in before.iter().filter(|old| is_of(old, placement)) {
        if common(old, desired)? == desired.len() {
            inherit(&mut entry, old, desired);
            break;
        }
    }
    Ok(entry)
}

/// Counts the pairs of an old reference and a configuration that name the same object.
fn common(old: &InstallProgression, desired: &[Desired]) -> Result<usize, NoDesiredConfig> {
    let pairs = old.config_references.iter().flat_map(|reference| desired.iter().map(move |d| (reference, d)));
    pairs.map(|(reference, d)| Ok(usize::from(reference.must_name(&d.reference)?))).sum()
}

fn inherit(entry: &mut InstallProgression, old: &InstallProgression, desired: &[Desired]) {
    for (reference, desired) in entry.config_references.iter_mut().zip(desired) {
        for kept in old.config_references.iter().filter(|kept| kept.names(&desired.reference)) {
            if kept.desired_config().is_some_and(|config| !config.spec_hash.is_empty()) {
                reference.desired_config.clone_from(&kept.desired_config);
            }
            reference.last_applied_config.clone_from(&kept.last_applied_config);
            reference.last_known_good_config.clone_from(&kept.last_known_good_config);
        }
    }
    entry.conditions.clone_from(&old.conditions);
}

/// Returns `true` if an entry belongs to a placement.
pub fn is_of(progression: &InstallProgression, placement: &NamespacedName) -> bool {
    progression.namespace == placement.namespace && progression.name == placement.name
}

fn blank(placement: &NamespacedName, desired: &[Desired]) -> InstallProgression {
    let reference = |d: &Desired| InstallConfigReference {
        group: d.reference.group.clone(),
        resource: d.reference.resource.clone(),
        desired_config: Some(d.config()),
        last_known_good_config: None,
        last_applied_config: None,
    };
    InstallProgression {
        namespace: placement.namespace.clone(),
        name: placement.name.clone(),
        config_references: desired.iter().map(reference).collect(),
        conditions: Vec::new(),
    }
}

/// Writes the numbers of a placement into its entry. Once every cluster is done, the desired configurations become the
/// last applied and last known good ones.
pub fn update(progression: &mut InstallProgression, tally: &Tally, now: Timestamp) {
    if tally.is_complete() {
        complete(progression);
    }
    condition::set(&mut progression.conditions, tally.claim(), now);
}

/// Makes the desired configurations the last applied and last known good ones.
pub fn complete(progression: &mut InstallProgression) {
    for reference in &mut progression.config_references {
        reference.last_applied_config.clone_from(&reference.desired_config);
        reference.last_known_good_config.clone_from(&reference.desired_config);
    }
}
