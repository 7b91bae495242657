//! The checker: what it remembers between observations, and how it applies all rules to all add-ons.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::placement_state::PlacementState;
use super::scenario::{Selections, Span};
use super::snapshot::{Known, Observation, Snapshot};
use super::violation::Violation;
use super::{completion, evidence, starts};
use crate::upstream::{Delivery, Views, is_assigned};
use tidegate_model::name::AddonName;

/// Checks one observation after another, and reports the rules broken in between.
#[derive(Debug, Default)]
pub struct Checker {
    last: Option<Snapshot>,
    known: Known,
    views: Views,
}

impl Checker {
    /// Returns a checker that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks an observation, and returns the rules broken since the previous one.
    ///
    /// # Assumptions
    /// Every observation that a plan is based on is checked before the plan is carried out. The starts of a plan are then
    /// judged by exactly what the plan knew.
    pub fn check(&mut self, observation: &Observation<'_>) -> Vec<Violation> {
        let snapshot = Snapshot::of(observation, self.last.as_ref(), &mut self.views);
        let violations =
            self.last.as_ref().map(|before| violations(before, &snapshot, &self.known)).unwrap_or_default();
        self.remember(&snapshot);
        self.last = Some(snapshot);
        violations
    }

    /// Remembers what was seen. Add-ons that have disappeared are kept while their cluster exists, since they may come
    /// back.
    fn remember(&mut self, snapshot: &Snapshot) {
        self.known
            .values_mut()
            .for_each(|clusters| clusters.retain(|name, _| snapshot.fleet.clusters.contains_key(name)));
        for (addon, clusters) in &snapshot.fleet.cluster_addons {
            let known = self.known.entry(addon.clone()).or_default();
            for (name, addon) in clusters {
                let before = known.get(name).filter(|before| before.metadata.uid == addon.metadata.uid);
                // A cluster that loses its assignment for a moment still has what it was assigned.
                let is_lost = snapshot.delivery == Delivery::Upstream && !is_assigned(addon);
                if !(is_lost && before.is_some_and(|before| is_assigned(before))) {
                    known.insert(name.clone(), Arc::clone(addon));
                }
            }
        }
    }
}

/// Returns the rule violations.
fn violations(before: &Snapshot, after: &Snapshot, known: &Known) -> Vec<Violation> {
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
