//! Applies all rules to all add-ons between two observations.

use std::collections::BTreeSet;

use super::placement_state::PlacementState;
use super::scenario::{Selections, Span};
use super::snapshot::{Known, Snapshot};
use super::violation::Violation;
use super::{completion, evidence, starts};
use tidegate_model::name::AddonName;

/// Returns the rule violations.
pub(super) fn violations(before: &Snapshot, after: &Snapshot, known: &Known) -> Vec<Violation> {
    let addons: BTreeSet<&AddonName> = before.addons.keys().chain(after.addons.keys()).collect();
    let driven = addons.into_iter().filter(|addon| before.drives(addon) && after.drives(addon));
    driven
        .flat_map(|addon| {
            let mut found = decisions(addon, before, after, known);
            found.extend(evidence::violations(addon, before, after, known));
            found
        })
        .collect()
}

/// Judges the decisions on an add-on: which clusters were started, and which placements were reported complete.
fn decisions(addon: &AddonName, before: &Snapshot, after: &Snapshot, known: &Known) -> Vec<Violation> {
    let starts = starts::found(addon, after, known);
    let completions = completion::found(addon, before, after);
    if starts.is_empty() && completions.is_empty() {
        return Vec::new();
    }
    let started = starts.iter().map(|start| start.cluster).collect();
    let until = starts::until(&starts, before, after);
    let selections = Selections::of(addon, before, after);
    let scenarios = selections.scenarios(Span { addon, before, after, started: &started, until });
    let is_strict = before.is_strict && after.is_strict;
    let ways: Vec<_> = scenarios
        .iter()
        .map(|scenario| (scenario, if is_strict { PlacementState::all(scenario) } else { Vec::new() }))
        .collect();
    let mut found = Vec::new();
    for start in &starts {
        found.extend(fewest(ways.iter().map(|(scenario, states)| starts::violations(scenario, states, start))));
    }
    for placement in &completions {
        let ways = ways.iter().map(|(scenario, states)| completion::violations(scenario, states, placement));
        found.extend(fewest(ways.map(Vec::from_iter)));
    }
    found
}

/// Returns the violations of the scenario that has the fewest; among equals, the likeliest scenario wins.
fn fewest(ways: impl Iterator<Item = Vec<Violation>>) -> Vec<Violation> {
    ways.min_by_key(Vec::len).unwrap_or_default()
}
