//! How many decisions name each cluster, counted once for all placements.

use std::collections::{BTreeSet, HashMap};

use crate::placement::decisions::read::{decided_names, placement_of};
use tidegate_api::ocm::placement::PlacementDecision;
use tidegate_model::name::{ClusterName, NamespacedName};

/// The clusters in the PlacementDecisions of a hub, counted in one pass.
///
/// Uses hash maps, since every cluster of every placement is looked up and no result depends on their order.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    all: HashMap<String, u32>,
    by_placement: HashMap<NamespacedName, HashMap<String, u32>>,
}

impl Tally {
    /// Counts the decisions of all namespaces and placements. Decisions that name no placement count too, as in
    /// upstream.
    pub fn of<'a>(decisions: impl IntoIterator<Item = &'a PlacementDecision>) -> Self {
        let mut tally = Self::default();
        for decision in decisions {
            let mut own = placement_of(decision).map(|placement| tally.by_placement.entry(placement).or_default());
            for name in decided_names(decision) {
                *tally.all.entry(name.to_owned()).or_default() += 1;
                if let Some(own) = &mut own {
                    *own.entry(name.to_owned()).or_default() += 1;
                }
            }
        }
        tally
    }

    /// Returns the clusters in the current decisions of a placement.
    pub fn decided(&self, placement: &NamespacedName) -> BTreeSet<ClusterName> {
        self.by_placement
            .get(placement)
            .into_iter()
            .flat_map(|own| own.keys())
            .filter_map(|name| name.parse().ok())
            .collect()
    }

    /// Returns the counts over all placements except one.
    pub fn balance(&self, placement: &NamespacedName) -> Balance<'_> {
        Balance { all: &self.all, own: self.by_placement.get(placement) }
    }
}

/// How many decisions of the other placements name each cluster.
#[derive(Debug, Clone, Copy)]
pub struct Balance<'a> {
    all: &'a HashMap<String, u32>,
    own: Option<&'a HashMap<String, u32>>,
}

impl Balance<'_> {
    /// Returns how many decisions of the other placements name a cluster.
    pub fn count(&self, cluster: &str) -> u32 {
        self.all.get(cluster).map_or(0, |all| self.others(cluster, *all))
    }

    /// Returns the largest count among all names in the decisions.
    pub fn max(&self) -> u32 {
        self.all.iter().map(|(cluster, all)| self.others(cluster, *all)).max().unwrap_or(0)
    }

    fn others(&self, cluster: &str, all: u32) -> u32 {
        all.saturating_sub(self.own.and_then(|own| own.get(cluster)).copied().unwrap_or(0))
    }
}
