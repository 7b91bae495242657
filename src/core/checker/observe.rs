//! The checker: what it remembers between observations, and how it applies all rules to all add-ons.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::gates::{Joins, Judging, Policy, Traffic};
use super::placement_state::PlacementState;
use super::scenario::{Selections, Span};
use super::snapshot::{Known, Observation, Snapshot};
use super::start::Start;
use super::violation::Violation;
use super::{completion, data, evidence, given_up, phases, starts};
use tidegate_delivery::upstream::{Views, is_assigned};
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::time::Timestamp;
use tidegate_repository::ClusterContents;

/// Checks one observation after another, and reports the rules broken in between.
#[derive(Debug, Default)]
pub struct Checker {
    last: Option<Snapshot>,
    known: Known,
    joins: Joins,
    views: Views,
    contents: ClusterContents,
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
        // What clusters get is found from what is observed, and not from what was planned.
        let rendered = self.contents.of(observation.repository, &observation.fleet.clusters);
        let observation =
            &Observation { repository: rendered.as_ref().unwrap_or(observation.repository), ..*observation };
        let snapshot = Snapshot::of(observation, self.last.as_ref(), &mut self.views);
        let before = self.last.as_ref();
        let found = before.map(|before| violations(before, &snapshot, &self.known, &self.joins)).unwrap_or_default();
        self.remember(&snapshot);
        self.joins.note(&snapshot);
        self.last = Some(snapshot);
        found
    }

    /// Notes that the process was killed: what it recorded of the clusters that joined in the middle of a rollout may be lost.
    pub fn interrupt(&mut self) {
        self.joins.interrupt();
    }

    /// Remembers what was seen. Add-ons that have disappeared are kept while their cluster exists, since they may come
    /// back.
    fn remember(&mut self, snapshot: &Snapshot) {
        self.known
            .values_mut()
            .for_each(|clusters| clusters.retain(|name, _| snapshot.fleet.clusters.contains_key(name)));
        for (unit, clusters) in &snapshot.fleet.cluster_addons {
            let known = self.known.entry(unit.clone()).or_default();
            for (name, addon) in clusters {
                let before = known.get(name).filter(|before| before.metadata.uid == addon.metadata.uid);
                // A cluster that loses its assignment for a moment still has what it was assigned.
                let is_lost = snapshot.follows_manager(unit, addon);
                if !(is_lost && before.is_some_and(|before| is_assigned(before))) {
                    known.insert(name.clone(), Arc::clone(addon));
                }
            }
        }
    }
}

/// What happened between two observations.
struct Interval<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    joins: &'a Joins,
    /// The add-ons that this instance drives, before and after.
    driven: Vec<&'a UnitName>,
    starts: BTreeMap<&'a UnitName, Vec<Start<'a>>>,
    started: BTreeMap<&'a UnitName, BTreeSet<&'a ClusterName>>,
    /// Which clusters were selected. It is filled in once something happened.
    selections: BTreeMap<&'a UnitName, Selections<'a>>,
}

/// Returns the rule violations.
fn violations(before: &Snapshot, after: &Snapshot, known: &Known, joins: &Joins) -> Vec<Violation> {
    let addons: BTreeSet<&UnitName> = before.addons.keys().chain(after.addons.keys()).collect();
    let driven: Vec<_> = addons.into_iter().filter(|addon| before.drives(addon) && after.drives(addon)).collect();
    let starts: BTreeMap<_, _> = driven.iter().map(|addon| (*addon, starts::found(addon, after, known))).collect();
    let mut started: BTreeMap<&UnitName, BTreeSet<&ClusterName>> = BTreeMap::new();
    for (addon, starts) in &starts {
        started.insert(addon, starts.iter().map(|start| start.cluster).collect());
    }
    let mut interval = Interval { before, after, joins, driven, starts, started, selections: BTreeMap::new() };
    let completions: BTreeMap<_, _> =
        interval.driven.iter().map(|addon| (*addon, completion::found(addon, before, after))).collect();
    let is_quiet = interval.starts.values().all(Vec::is_empty) && completions.values().all(Vec::is_empty);
    if !is_quiet {
        let selections = interval.driven.iter().map(|addon| (*addon, Selections::of(addon, before, after)));
        interval.selections = selections.collect();
    }
    let judging = interval.judging();
    let of_addon = |addon: &&UnitName| {
        let completed = completions.get(*addon).map(Vec::as_slice).unwrap_or_default();
        let mut found = interval.decisions(addon, completed, judging.as_ref());
        found.extend(evidence::violations(addon, before, after, known));
        found.extend(phases::violations(addon, before, after));
        let starts = interval.starts.get(*addon).map(Vec::as_slice).unwrap_or_default();
        found.extend(given_up::by_starts(addon, (before, after), starts));
        found
    };
    let of_removals = data::violations(before, after).into_iter().chain(given_up::by_removals(before, after));
    interval.driven.iter().flat_map(of_addon).chain(of_removals).collect()
}

impl<'a> Interval<'a> {
    fn is_strict(&self) -> bool {
        self.before.is_strict && self.after.is_strict
    }

    fn span(&'a self, addon: &'a UnitName, until: Timestamp) -> Option<Span<'a>> {
        let Self { before, after, joins, .. } = *self;
        Some(Span { addon, before, after, started: self.started.get(addon)?, until, joins })
    }

    /// Returns what starts are judged by, if there are any. Where all clusters stand is found out only if a policy depends on it.
    fn judging(&'a self) -> Option<Judging<'a>> {
        if self.starts.values().all(Vec::is_empty) || !self.is_strict() {
            return None;
        }
        let until = starts::until(self.starts.values().flatten(), self.before, self.after);
        let traffic = [self.before, self.after].map(|declaring| {
            let mut traffic = Traffic::default();
            let addons = self.selections.iter().filter(|_| declaring.policies.iter().any(Policy::needs_traffic));
            for (addon, selections) in addons {
                let span = self.span(addon, until);
                traffic.add(addon, &span.map(|span| selections.under(span, declaring)).unwrap_or_default());
            }
            traffic
        });
        Some(Judging { traffic, started: &self.started })
    }

    /// Judges the decisions on an add-on: which clusters were started, and which placements were reported complete.
    fn decisions(
        &'a self,
        addon: &'a UnitName,
        completions: &[NamespacedName],
        judging: Option<&Judging<'_>>,
    ) -> Vec<Violation> {
        let (Some(starts), Some(selections)) = (self.starts.get(addon), self.selections.get(addon)) else {
            return Vec::new();
        };
        if starts.is_empty() && completions.is_empty() {
            return Vec::new();
        }
        let until = starts::until(starts.iter(), self.before, self.after);
        let Some(span) = self.span(addon, until) else { return Vec::new() };
        let scenarios = selections.scenarios(span);
        let states = |scenario| if self.is_strict() { PlacementState::all(scenario) } else { Vec::new() };
        let ways: Vec<_> = scenarios.iter().map(|scenario| (scenario, states(scenario))).collect();
        let mut found = Vec::new();
        for start in starts {
            let ways = ways.iter().map(|(scenario, states)| starts::violations(scenario, states, judging, start));
            found.extend(fewest(ways));
        }
        for placement in completions {
            let ways = ways.iter().map(|(scenario, states)| completion::violations(scenario, states, placement));
            found.extend(fewest(ways.map(Vec::from_iter)));
        }
        found
    }
}

/// Returns the violations of the scenario that has the fewest; among equals, the likeliest scenario wins.
fn fewest(ways: impl Iterator<Item = Vec<Violation>>) -> Vec<Violation> {
    ways.min_by_key(Vec::len).unwrap_or_default()
}
