//! From the document back to a fleet, for a plan.

mod clusters;
mod decisions;
mod hub;
mod installed;
mod marks;

use std::sync::Arc;

use super::record::Snapshot;
use tidegate_api::fleet::Fleet;
use tidegate_model::object::ObjectKey;

impl Snapshot {
    /// Returns a fleet for which a plan with native delivery selects the same clusters, in the same groups, and starts the same ones as for
    /// the recorded fleet.
    ///
    /// # Limits
    /// The fleet has no works, roles, tokens or requests, and no content of declared objects, so a plan for it also has writes that the
    /// hub does not need. Where OCM's add-on manager delivers, the fleet is as native delivery would have it. The objects have no
    /// resourceVersions: each plan needs a new [`Memo`](tidegate_plan::Memo).
    pub fn fleet(&self) -> Fleet {
        let (placements, mut unreadable) = hub::placements(self);
        unreadable.extend(self.unreadable.iter().map(|object| {
            (ObjectKey::new(&object.group, &object.kind, &object.namespace, &object.name), object.why.clone())
        }));
        let mut fleet = Fleet {
            placements,
            cluster_sets: hub::sets(self),
            cluster_set_bindings: hub::bindings(self),
            decisions: decisions::decisions(self),
            addons: hub::addons(self),
            declared: hub::declared(self).into(),
            unreadable,
            ..Fleet::default()
        };
        for (name, cluster) in &self.clusters {
            if !cluster.missing {
                fleet.clusters.insert(name.clone(), Arc::new(clusters::managed(name, cluster)));
            }
            if !cluster.scores.is_empty() {
                fleet.scores.insert(name.clone(), clusters::scores(name, cluster));
            }
            for (addon, installed) in &cluster.addons {
                let object = installed::installed(self, (addon, name), installed);
                fleet.cluster_addons.entry(addon.clone()).or_default().insert(name.clone(), Arc::new(object));
            }
        }
        fleet
    }
}
