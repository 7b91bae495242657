//! The fleet as a whole.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use super::configurations::Table;
use super::marks::Marks;
use super::{clusters, hub};
use crate::snapshot::record::Snapshot;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_delivery::upstream::Views;
use tidegate_model::instance::InstanceId;
use tidegate_model::time::{Timestamp, to_seconds};

impl Snapshot {
    /// Records what a plan needs of a fleet. The marks of `instance` are left out, because most objects have them; without it, every mark is
    /// written. The time is that of the observation: it also decides which scores are
    /// still valid.
    ///
    /// Where OCM's add-on manager delivers, what Tidegate has assigned to a cluster is recorded, and not what the manager reports.
    pub fn of(fleet: &Fleet, instance: Option<&InstanceId>, now: Timestamp) -> Self {
        let view = Views::default().fleet(fleet);
        let view = view.as_ref().unwrap_or(fleet);
        let decided = hub::decided(fleet);
        let mut marks = Marks::new(instance);
        let mut table = Table::default();
        let addons = hub::addons(view, &mut marks);
        let objects = hub::objects(fleet, &mut marks);
        let clusters = clusters::clusters(view, &decided, now, (&mut table, &mut marks));
        let Fleet { cluster_sets, cluster_set_bindings, .. } = fleet;
        Self {
            as_of: Some(to_seconds(now)),
            instance: instance.cloned(),
            instances: marks.names(),
            manager_delivers: is_managed(fleet),
            configurations: table.lists(),
            cluster_sets: cluster_sets.iter().map(|(name, set)| (name.clone(), set.spec.clone())).collect(),
            cluster_set_bindings: cluster_set_bindings.keys().map(ToString::to_string).collect(),
            placements: hub::placements(fleet, &decided),
            addons,
            objects,
            unreadable: hub::unreadable(fleet),
            clusters,
            ..Self::default()
        }
    }
}

/// Returns `true` if OCM's add-on manager delivers add-ons of Tidegate: they carry the declared install strategy, or assignments.
fn is_managed(fleet: &Fleet) -> bool {
    let mut addons = fleet.addons.values().map(|addon| &addon.metadata);
    let mut installed =
        fleet.cluster_addons.values().flat_map(|clusters| clusters.values().map(|addon| &addon.metadata));
    let has = |metadata: &ObjectMeta, name: &str| {
        metadata.annotations.as_ref().is_some_and(|annotations| annotations.contains_key(name))
    };
    addons.any(|addon| has(addon, key::INSTALL_STRATEGY)) || installed.any(|addon| has(addon, key::ASSIGNMENT))
}
