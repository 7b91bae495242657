//! Where all clusters stand with all add-ons: what limits, order and locks count.

use std::collections::BTreeMap;

use crate::checker::scenario::{Scenario, Standing};
use tidegate_model::name::{AddonName, ClusterName};

/// Where the clusters of all add-ons stand, under one declaration. An add-on is missing if it is not known which clusters should have it.
#[derive(Default)]
pub(in crate::checker) struct Traffic(pub(super) BTreeMap<AddonName, BTreeMap<ClusterName, Standing>>);

impl Traffic {
    /// Adds an add-on, by all selections that may have been in force. Doubts count in favor of what was done.
    pub(in crate::checker) fn add(&mut self, addon: &AddonName, scenarios: &[Scenario<'_>]) {
        let mut all: Option<BTreeMap<ClusterName, Standing>> = None;
        for scenario in scenarios.iter().filter(|scenario| scenario.is_known()) {
            let mut found: BTreeMap<ClusterName, Standing> = scenario.standings().collect();
            let Some(known) = &mut all else {
                all = Some(found);
                continue;
            };
            for (cluster, standing) in &mut *known {
                standing.or(&found.remove(cluster).unwrap_or_else(Standing::harmless));
            }
            for (cluster, mut standing) in found {
                standing.or(&Standing::harmless());
                known.insert(cluster, standing);
            }
        }
        if let Some(all) = all {
            self.0.insert(addon.clone(), all);
        }
    }
}
