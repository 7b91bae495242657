//! Proof of success where OCM's add-on manager delivers: what it reports about the copies that a cluster was assigned.

use super::progress::conditions;
use super::violation::Lack;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn};
use tidegate_delivery::upstream::Assignment;

/// Returns what is missing for a report to prove that a cluster runs what it was assigned.
pub(super) fn lack(reported: &ManagedClusterAddOn) -> Option<Lack> {
    let assignment = Assignment::of(&reported.metadata)?;
    let is_named = |copy: &AddOnConfigReference| {
        let config = copy.desired_config.clone().unwrap_or_default();
        reported.spec.configs.iter().any(|named| {
            (&named.group, &named.resource, &named.namespace, &named.name)
                == (&copy.group, &copy.resource, &config.namespace, &config.name)
        })
    };
    let is_applied = |copy: &AddOnConfigReference| {
        reported.config_references().iter().any(|found| {
            let is_same = found.group == copy.group && found.resource == copy.resource;
            is_same && found.desired_config == copy.desired_config && found.last_applied_config == copy.desired_config
        })
    };
    let missing = assignment.copies.iter().find(|copy| !is_named(copy) || !is_applied(copy));
    if let Some(copy) = missing {
        let name = copy.desired_config.clone().unwrap_or_default().name;
        return Some(Lack::Report { copy: name });
    }
    let reason = condition::find(conditions(reported), key::PROGRESSING).map(|c| c.reason.clone()).unwrap_or_default();
    (reason != "Completed").then_some(Lack::Completion { reason })
}
