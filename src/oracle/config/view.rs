//! The names of configurations in the plan for a case.
//!
//! A plan has one hash for each object: that of the repository. The statuses of a case can disagree about it, because upstream's
//! controllers fill them in one after the other, and each status is right in its own place. So an object gets another name for
//! each placement and for each cluster that has it as its own configuration.

use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn};
use tidegate_delivery::status::{Desired, layer};

/// Separates the name of an object from the view. No name in Kubernetes contains it.
const SEPARATOR: char = '\0';

/// The view of the clusters that no placement selects.
pub(super) const BY_HAND: &str = "by hand";

fn renamed(name: &str, view: &str) -> String {
    format!("{name}{SEPARATOR}{view}")
}

/// Returns a configuration under the name that it has in a view.
pub(super) fn seen(desired: &Desired, view: &str) -> Desired {
    let name = renamed(&desired.reference.name, view);
    let reference = ConfigReference { name, ..desired.reference.clone() };
    Desired { reference, spec_hash: desired.spec_hash.clone() }
}

/// Returns the own configurations of a cluster.
pub(super) fn own(addon: &ManagedClusterAddOn) -> Vec<Desired> {
    layer::assigned_own(addon).iter().map(|desired| seen(desired, own_view(addon))).collect()
}

fn own_view(addon: &ManagedClusterAddOn) -> &str {
    addon.metadata.namespace.as_deref().unwrap_or_default()
}

/// Returns the add-on of a cluster with all names as in the view of its placement, or in its own.
pub(super) fn child(addon: &ManagedClusterAddOn, placement: &str) -> ManagedClusterAddOn {
    let mut seen = addon.clone();
    for reference in &mut seen.spec.configs {
        reference.name = renamed(&reference.name, own_view(addon));
    }
    let configs = seen.status.iter_mut().flat_map(|status| &mut status.config_references);
    for AddOnConfigReference { group, resource, desired_config, last_applied_config, .. } in configs {
        for config in [desired_config, last_applied_config].into_iter().flatten() {
            let is_it = |own: &ConfigReference| {
                (&own.group, &own.resource, &own.namespace, &own.name)
                    == (&*group, &*resource, &config.namespace, &config.name)
            };
            let is_own = addon.spec.configs.iter().any(is_it);
            config.name = renamed(&config.name, if is_own { own_view(addon) } else { placement });
        }
    }
    seen
}

/// Returns an entry of a status with the names of the case.
pub(super) fn original(mut entry: AddOnConfigReference) -> AddOnConfigReference {
    let configs = [&mut entry.desired_config, &mut entry.last_applied_config].into_iter().flatten();
    configs.for_each(|ConfigSpecHash { name, .. }| {
        if let Some((original, _)) = name.rsplit_once(SEPARATOR) {
            *name = original.to_owned();
        }
    });
    entry
}
