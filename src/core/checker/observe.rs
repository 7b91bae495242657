//! The checker, and what it remembers between observations.

use std::sync::Arc;

use super::rules;
use super::snapshot::{Known, Observation, Snapshot};
use super::violation::Violation;

/// Checks one observation after another, and reports the rules broken in between.
#[derive(Debug, Default)]
pub struct Checker {
    last: Option<Snapshot>,
    known: Known,
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
        let snapshot = Snapshot::of(observation, self.last.as_ref());
        let violations =
            self.last.as_ref().map(|before| rules::violations(before, &snapshot, &self.known)).unwrap_or_default();
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
            known.extend(clusters.iter().map(|(name, addon)| (name.clone(), Arc::clone(addon))));
        }
    }
}
