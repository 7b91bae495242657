//! Clusters that follow declared objects instead of copies, because they have not been assigned copies yet.

use std::collections::BTreeSet;

use crate::hub_objects::ownership::Owner;
use crate::input::Input;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn};
use tidegate_delivery::status::Entry as _;
use tidegate_delivery::upstream::{Delivery, is_assigned};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// What clusters without an assignment follow. A change of it would move all of them at once, so it stays as it is until they have one.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    addons: BTreeSet<UnitName>,
    /// Group, namespace and name: the plural in a reference does not show the kind.
    configurations: BTreeSet<(String, String, String)>,
}

impl Followed {
    /// Determines what clusters without an assignment follow.
    pub(crate) fn of(input: &Input<'_>) -> Self {
        let mut followed = Self::default();
        if input.delivery == Delivery::Native {
            return followed;
        }
        let ownership = input.ownership();
        for name in input.repository.addons.keys() {
            for addon in input.fleet.cluster_addons.get(name).into_iter().flat_map(|clusters| clusters.values()) {
                let owner = ownership.of_install(addon);
                let has_configurations = references(addon).next().is_some();
                if is_unassigned(addon) && (owner == Owner::Ours || owner.may_write() && has_configurations) {
                    followed.addons.insert(name.clone());
                    followed.configurations.extend(references(addon).map(|r| (r.group, r.namespace, r.name)));
                }
            }
        }
        followed
    }

    /// Returns `true` if clusters follow this object.
    pub(crate) fn contains(&self, key: &ObjectKey) -> bool {
        let is_addon = key.group == key::ADDON_GROUP && key.kind == "ClusterManagementAddOn";
        (is_addon && self.addons.contains(key.name.as_str()))
            || self.configurations.contains(&(key.group.clone(), key.namespace.clone(), key.name.clone()))
    }
}

/// Returns `true` if an add-on stays on its cluster and has no assignment. `seen` is the add-on with its assignment in place.
pub(crate) fn is_unassigned(seen: &ManagedClusterAddOn) -> bool {
    seen.metadata.deletion_timestamp.is_none() && !is_assigned(seen)
}

fn references(addon: &ManagedClusterAddOn) -> impl Iterator<Item = ConfigReference> {
    addon.config_references().iter().filter_map(AddOnConfigReference::desired).map(|desired| desired.reference)
}
