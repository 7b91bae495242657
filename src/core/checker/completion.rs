//! The rule on placements: a placement is reported complete only once all its clusters have succeeded and soaked.

use super::placement_state::PlacementState;
use super::scenario::Scenario;
use super::snapshot::Snapshot;
use super::violation::Violation;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::InstallProgression;
use tidegate_model::name::{NamespacedName, UnitName};

/// Finds the placements that were newly reported complete.
pub(super) fn found(addon: &UnitName, before: &Snapshot, after: &Snapshot) -> Vec<NamespacedName> {
    let same = |now: &InstallProgression| {
        progressions(addon, before).iter().find(|was| was.namespace == now.namespace && was.name == now.name)
    };
    let is_new = |now: &&InstallProgression| match same(now) {
        Some(was) => is_completed(now) && !is_completed(was) || has_advanced(was, now),
        None => is_completed(now),
    };
    let name = |now: &InstallProgression| NamespacedName::new(&now.namespace, &now.name);
    progressions(addon, after).iter().filter(is_new).map(name).collect()
}

fn progressions<'a>(addon: &UnitName, snapshot: &'a Snapshot) -> &'a [InstallProgression] {
    let status = snapshot.fleet.addons.get(addon.as_str()).and_then(|observed| observed.status.as_ref());
    status.map(|status| status.install_progressions.as_slice()).unwrap_or_default()
}

fn is_completed(progression: &InstallProgression) -> bool {
    condition::find(&progression.conditions, key::PROGRESSING).is_some_and(|c| c.reason == "Completed")
}

/// Returns `true` if a configuration is reported as applied that was not before.
fn has_advanced(was: &InstallProgression, now: &InstallProgression) -> bool {
    let applied = |progression: &InstallProgression| {
        let references = progression.config_references.iter();
        references.filter_map(|reference| reference.last_applied_config.clone()).collect::<Vec<_>>()
    };
    let before = applied(was);
    applied(now).iter().any(|config| !before.contains(config))
}

/// Returns the violation if, in this scenario, the placement is not complete.
pub(super) fn violations(
    scenario: &Scenario<'_>,
    states: &[Option<PlacementState<'_>>],
    placement: &NamespacedName,
) -> Option<Violation> {
    let mut declared = scenario.declared.placements.iter().flatten();
    let index = declared.position(|declared| declared.name == *placement)?;
    let (total, unfinished) = states.get(index)?.as_ref().filter(|_| scenario.is_known())?.counts();
    let violation = || Violation::UnprovenCompletion {
        addon: scenario.addon().clone(),
        placement: placement.clone(),
        unfinished,
        total,
    };
    (unfinished > 0).then(violation)
}
