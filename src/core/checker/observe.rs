//! The checker: what it is shown, and what it keeps.

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

/// What is to be checked.
#[derive(Debug, Clone, Copy)]
pub struct Observation<'a> {
    /// What should be.
    pub repository: &'a Repository,
    /// What is.
    pub fleet: &'a Fleet,
    /// Who is checked.
    pub instance: &'a Instance,
    /// The moment.
    pub now: Timestamp,
}

/// The add-ons on clusters as they were last seen, whether or not they are there at the moment.
pub(super) type Known = BTreeMap<AddonName, BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>>;

/// Looks at one observation after the other, and says what was done against the rules in between.
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

    /// Looks at an observation, and returns what was done against the rules since the last one.
    ///
    /// # Assumptions
    /// Every observation that a plan is made from is looked at, before the plan is carried out. What a plan started is then
    /// judged by just what it knew.
    pub fn check(&mut self, observation: &Observation<'_>) -> Vec<Violation> {
        let moment = Moment::of(observation, self.last.as_ref());
        let violations =
            self.last.as_ref().map(|before| judge::judged(before, &moment, &self.known)).unwrap_or_default();
        self.remember(&moment);
        self.last = Some(moment);
        violations
    }

    /// Keeps what was seen, and of what is gone as much as may come back: that of clusters which are still there.
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
