//! Where all clusters stand with all add-ons: what limits, order and locks count.

use std::collections::BTreeMap;

use super::policies::Policy;
use crate::groups::GroupId;
use crate::scenario::{Scenario, Standing};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};

/// Where the clusters of all add-ons stand, under one declaration. An add-on is missing if it is not known which clusters should have it.
#[derive(Default)]
pub(crate) struct Traffic(pub(super) BTreeMap<UnitName, BTreeMap<ClusterName, Place>>);

/// Where a cluster stands with an add-on.
pub(super) struct Place {
    pub(super) standing: Standing,
    /// The placements and groups that it may have.
    seats: Vec<(Option<NamespacedName>, GroupId)>,
}

impl Place {
    /// Returns `true` if a policy is about the add-on on the cluster.
    pub(super) fn is_subject_to(&self, policy: &Policy, addon: &UnitName, cluster: &ManagedCluster) -> bool {
        let mut seats = self.seats.iter();
        seats.all(|(placement, group)| {
            policy.is_about_placement(addon, placement.as_ref()) && policy.is_about_cluster(group, cluster)
        })
    }
}

impl Traffic {
    /// Adds an add-on, by all selections that may have been in force. Doubts count in favor of what was done.
    pub(crate) fn add(&mut self, addon: &UnitName, scenarios: &[Scenario<'_>]) {
        let mut all: Option<BTreeMap<ClusterName, Place>> = None;
        for scenario in scenarios.iter().filter(|scenario| scenario.is_known()) {
            let seat = |cluster: &ClusterName| {
                let placement = scenario.owner(cluster).and_then(|index| scenario.placement(index));
                (placement.map(|placement| placement.name.clone()), scenario.group(cluster).clone())
            };
            let place = |(cluster, standing)| {
                let seats = vec![seat(&cluster)];
                (cluster, Place { standing, seats })
            };
            let mut found: BTreeMap<ClusterName, Place> = scenario.standings().map(place).collect();
            let Some(known) = &mut all else {
                all = Some(found);
                continue;
            };
            for (cluster, place) in &mut *known {
                match found.remove(cluster) {
                    Some(other) => {
                        place.standing.or(&other.standing);
                        place.seats.extend(other.seats);
                    }
                    None => place.standing.or(&Standing::harmless()),
                }
            }
            for (cluster, mut place) in found {
                place.standing.or(&Standing::harmless());
                known.insert(cluster, place);
            }
        }
        if let Some(all) = all {
            self.0.insert(addon.clone(), all);
        }
    }
}
