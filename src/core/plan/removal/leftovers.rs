//! Works whose ManagedClusterAddOn no longer exists.
//!
//! The hub deletes what belongs to a ManagedClusterAddOn. It cannot do that if it does not serve the API version that the owner references
//! name, and would keep such works, and the add-on on its cluster, forever.

use tidegate_api::object_key;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::ClusterState;

use crate::input::Input;
use tidegate_delivery::upstream::Delivery;

/// Returns the writes that delete the works of an add-on on the clusters from which this instance was removing it, and that no longer have
/// its ManagedClusterAddOn. Works that did not belong to one stay, as do those on clusters about which nothing is known: the works may have
/// been observed before their owner.
pub(crate) fn leftovers(input: &Input<'_>, name: &UnitName) -> Vec<Lane> {
    if input.delivery == Delivery::Upstream {
        return Vec::new();
    }
    let works = input.fleet.works.get(name).into_iter().flatten();
    let was_removing = |cluster: &ClusterName| {
        input.past.cluster(name, cluster).is_some_and(|before| before.state == ClusterState::Removing)
    };
    let left = works.filter(|(cluster, _)| was_removing(cluster) && !has_addon(input, name, cluster));
    let left = left.flat_map(|(_, works)| works.values());
    let delete = |work: &ManifestWork| {
        let metadata = &work.metadata;
        let (namespace, work) = (metadata.namespace.as_deref()?, metadata.name.as_deref()?);
        let key = object_key::work(namespace, work);
        let precondition = Precondition { uid: metadata.uid.clone()?, resource_version: None };
        Some(Lane { stage: Stage::Deliver, writes: vec![Write::Delete { key, precondition }] })
    };
    left.filter(|work| is_owned(work, name)).filter_map(|work| delete(work)).collect()
}

/// Returns `true` if a cluster has the add-on, or may have it: an object that cannot be read exists.
fn has_addon(input: &Input<'_>, name: &UnitName, cluster: &ClusterName) -> bool {
    let key = object_key::cluster_addon(cluster.as_str(), name.as_str());
    let addons = input.fleet.cluster_addons.get(name);
    addons.is_some_and(|addons| addons.contains_key(cluster)) || input.fleet.unreadable.contains_key(&key)
}

fn is_owned(work: &ManifestWork, name: &UnitName) -> bool {
    let mut owners = work.metadata.owner_references.iter().flatten();
    let is_addon = owners.any(|owner| owner.kind == "ManagedClusterAddOn" && owner.name == name.as_str());
    is_addon && work.metadata.deletion_timestamp.is_none()
}
