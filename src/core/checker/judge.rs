//! Applies all rules to all add-ons between two observations.

use std::collections::BTreeSet;

use super::board::Board;
use super::moment::{Known, Moment};
use super::violation::Violation;
use super::world::{Selections, Span};
use super::{completion, evidence, starts};
use tidegate_model::name::AddonName;

/// Returns the rule violations.
pub(super) fn judged(before: &Moment, after: &Moment, known: &Known) -> Vec<Violation> {
    let addons: BTreeSet<&AddonName> = before.addons.keys().chain(after.addons.keys()).collect();
    let driven = addons.into_iter().filter(|addon| before.drives(addon) && after.drives(addon));
    driven
        .flat_map(|addon| {
            let mut found = decisions(addon, before, after, known);
            found.extend(evidence::judged(addon, before, after, known));
            found
        })
        .collect()
}

/// Judges the decisions on an add-on: which clusters were started, and which placements were reported complete.
fn decisions(addon: &AddonName, before: &Moment, after: &Moment, known: &Known) -> Vec<Violation> {
    let starts = starts::found(addon, after, known);
    let completions = completion::found(addon, before, after);
    if starts.is_empty() && completions.is_empty() {
        return Vec::new();
    }
    let started = starts.iter().map(|start| start.cluster).collect();
    let until = starts::until(&starts, before, after);
    let selections = Selections::of(addon, before, after);
    let worlds = selections.worlds(Span { addon, before, after, started: &started, until });
    let is_strict = before.is_strict && after.is_strict;
    let ways: Vec<_> =
        worlds.iter().map(|world| (world, if is_strict { Board::all(world) } else { Vec::new() })).collect();
    let mut found = Vec::new();
    for start in &starts {
        found.extend(fewest(ways.iter().map(|(world, boards)| starts::against(world, boards, start))));
    }
    for placement in &completions {
        let ways = ways.iter().map(|(world, boards)| completion::against(world, boards, placement));
        found.extend(fewest(ways.map(Vec::from_iter)));
    }
    found
}

/// Returns the violations of the world that has the fewest; among equals, the likeliest world wins.
fn fewest(ways: impl Iterator<Item = Vec<Violation>>) -> Vec<Violation> {
    ways.min_by_key(Vec::len).unwrap_or_default()
}
