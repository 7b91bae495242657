//! The checker, its input, and what it remembers between observations.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::judge;
use super::moment::Moment;
use super::violation::Violation;
use crate::repository::Repository;
use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::instance::Instance;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::time::Timestamp;

/// The input of one check.
#[derive(Debug, Clone, Copy)]
pub struct Observation<'a> {
    /// The declared state.
    pub repository: &'a Repository,
    /// The observed state.
    pub fleet: &'a Fleet,
    /// The instance that is checked.
    pub instance: &'a Instance,
    /// The time of the observation.
    pub now: Timestamp,
}

/// The add-ons on clusters as last seen, whether or not they still exist.
pub(super) type Known = BTreeMap<AddonName, BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>>;

/// Checks one observation after another, and reports the rules broken in between.
#[derive(Debug, Default)]
pub struct Checker {
    last: Option<Moment>,
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
        let moment = Moment::of(observation, self.last.as_ref());
        let violations =
            self.last.as_ref().map(|before| judge::judged(before, &moment, &self.known)).unwrap_or_default();
        self.remember(&moment);
        self.last = Some(moment);
        violations
    }

    /// Remembers what was seen. Add-ons that have disappeared are kept while their cluster exists, since they may come
    /// back.
    fn remember(&mut self, moment: &Moment) {
        self.known
            .values_mut()
            .for_each(|clusters| clusters.retain(|name, _| moment.fleet.clusters.contains_key(name)));
        for (addon, clusters) in &moment.fleet.cluster_addons {
            let known = self.known.entry(addon.clone()).or_default();
            known.extend(clusters.iter().map(|(name, addon)| (name.clone(), Arc::clone(addon))));
        }
    }
}
